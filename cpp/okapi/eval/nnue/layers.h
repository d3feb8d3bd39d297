// The small layers behind the accumulators of some NNUEs: pairs of neurons → 16 → 32 → 1, in whole numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "okapi/eval/kernels/accumulator_kernels.h"
#include "okapi/utils/aligned.h"

namespace okapi {

struct Brain;

// Inputs and activations are 0 ... 127, which stand for 0 ... 1; weights are in 64ths, sums in 64ths of 127ths.
struct LayerStack {
    static constexpr std::size_t kFirst = 16, kSecond = 32;
    static constexpr std::int64_t kUnit = 127 * 64;    // what stands for 1 in sums
    static constexpr std::size_t kNodes = kFirst - 1;  // of the first layer; the last one goes to the end directly

    AlignedVector<std::int8_t> first, second;  // grouped, as AccumulatorKernels::dense() has them
    std::array<std::int32_t, kFirst> first_bias;
    std::array<std::int32_t, kSecond> second_bias;
    std::array<std::int8_t, kSecond> last;
    std::int32_t last_bias;

    struct Output {
        std::int64_t last, direct;
    };
    Output of(const std::uint8_t* pairs, const AccumulatorKernels& kernels) const;
};

// `first_weight`, `first_bias`, `second_weight` ... of a brain with so many inputs of each stack; throws InvalidBrain.
std::vector<LayerStack> read_layer_stacks(const Brain& brain, std::size_t count, std::size_t inputs);

}  // namespace okapi
