// The inner loops of the NNUE, for each set of instructions that a machine may have. Which one is used
// is decided when the program runs.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace okapi {

// Rows of weights to be added or taken away: at most as many as there are men.
class RowList {
public:
    RowList() {}
    void add(const std::int16_t* row) {
        assert(size_ < 32);
        rows_[size_++] = row;
    }
    std::size_t size() const { return size_; }
    const std::int16_t* const* data() const { return rows_.data(); }

private:
    union {
        std::array<const std::int16_t*, 32> rows_;  // in a union, so that it is not zeroed
    };
    std::size_t size_ = 0;
};

// Sizes are multiples of kNeuronLane and arrays are aligned (aligned.h).
inline constexpr std::size_t kNeuronLane = 32;
// Inputs of a layer of bytes whose weights lie beside each other.
inline constexpr std::size_t kInputGroup = 4;

struct AccumulatorKernels {
    const char* name;

    // sums = before + the rows of plus - those of minus, in 16 bits, whose overflows on the way cancel out. `sums` may
    // be `before`.
    void (*change)(std::int16_t* sums, const std::int16_t* before, const RowList& plus, const RowList& minus,
                   std::size_t size);
    // The sum of c * c * weight over both halves, where c is a number of `mover` (then of `other`) clamped to 0 ...
    // 255. In 32 bits, whose overflows on the way cancel out.
    std::int32_t (*output)(const std::int16_t* mover, const std::int16_t* other, const std::int16_t* weights,
                           std::size_t size);
    // The first `size` numbers of `sums` times those after them, both clamped to 0 ... most, shifted right: at most
    // 127.
    void (*pairs)(std::uint8_t* products, const std::int16_t* sums, std::size_t size, std::int16_t most, int shift);
    // Adds a layer of `outputs` (a multiple of 16) to `sums`. Weights are [size / kInputGroup][outputs][kInputGroup],
    // inputs are at most 127, and groups of inputs that are 0 cost little.
    void (*dense)(std::int32_t* sums, const std::uint8_t* inputs, const std::int8_t* weights, std::size_t size,
                  std::size_t outputs);
};

// All that this machine can run, the slowest first: "plain", "avx2", "avx512", "vnni".
std::span<const AccumulatorKernels> known_accumulator_kernels();
inline const AccumulatorKernels& best_accumulator_kernels() { return known_accumulator_kernels().back(); }

}  // namespace okapi
