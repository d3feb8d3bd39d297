// The inner loops of networks, for each set of instructions that a machine may have. Which one is used is decided when
// the program runs, so that a program that travels is as fast as one that was built where it stays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "okapi/utils/half.h"

namespace okapi {

enum class Activation { None, Relu, Elu, Tanh, Sigmoid };
inline constexpr std::array<const char*, 5> kActivationNames = {"none", "relu", "elu", "tanh", "sigmoid"};

// A dense layer behind whole numbers, and one output behind it.
struct JudgingLayers {
    std::size_t inputs;  // kMostJudged at most
    std::size_t size;    // nodes, kMostNodes at most
    const float* seen_scale;
    const float* seen_bias;
    const float* weights;  // a row of `size` for each input
    const float* bias;
    const float* output;
};
inline constexpr std::size_t kMostNodes = 512;
inline constexpr std::size_t kMostJudged = 3 * kMostNodes;

// Sizes are multiples of kLane and arrays are aligned (aligned.h), where nothing else is said.
struct Kernels {
    const char* name;

    // sums = before + plus[0] + plus[1] - minus[0] - minus[1]. `sums` may be `before`.
    void (*update)(std::int32_t* sums, const std::int32_t* before, const std::int32_t* const plus[2],
                   const std::int32_t* const minus[2], std::size_t size);
    // out = bias + sign * scale * sums
    void (*to_floats)(float* out, const std::int32_t* sums, const float* scale, const float* bias, float sign,
                      std::size_t size);
    void (*activate)(float* values, Activation activation, std::size_t size);
    // The numbers that are not zero, and where they stand. Returns how many, filled up with zeros to a multiple of
    // kAtOnce; there is room for that.
    std::size_t (*find_active)(const float* values, std::size_t size, std::uint32_t* where, float* active);
    // out += active[k] * weights[where[k]], summed over k; rows of weights are `size` long. `count` is a multiple of
    // kAtOnce.
    void (*accumulate)(float* out, const float* weights, std::size_t size, const std::uint32_t* where,
                       const float* active, std::size_t count);
    // The same with weights of 16 bits; none where the machine would be slower with them.
    void (*accumulate_half)(float* out, const Half* weights, std::size_t size, const std::uint32_t* where,
                            const float* active, std::size_t count);
    // Numbers of 16 bits in pairs: wherever a pair of `after` is not that of `before`, adds both differences, each
    // times its number of pair i of that pair's column, to sums[i]. A column has `size` pairs. Only columns and sums
    // are aligned.
    void (*add_changes)(std::int32_t* sums, std::size_t size, const std::int16_t* columns, const std::int16_t* before,
                        const std::int16_t* after, std::size_t pairs);
    // output * relu(bias + weights * relu(seen_bias + seen_scale * seen)), summed.
    float (*judge)(const std::int32_t* seen, const JudgingLayers& layers);
    // Two rows of `kinds` sets of 64 squares. For each square the numbers of the first set of either row that holds it,
    // as a pair; 0 where none does.
    void (*first_found)(const std::uint64_t* one, const std::uint64_t* two, const std::int16_t* numbers,
                        std::size_t kinds, std::int16_t* pairs);
};

// Rows of weights that are added in one pass over `out`.
inline constexpr std::size_t kAtOnce = 8;

// All that this machine can run, the slowest first: "plain", "avx2", "avx512".
std::span<const Kernels> known_kernels();
inline const Kernels& best_kernels() { return known_kernels().back(); }

}  // namespace okapi
