// Loops that every compiler turns into vectors by itself. They are always inlined, so that each caller gets them in the
// instructions it is compiled for.
#pragma once

#include <bit>

#include "okapi/eval/kernels/kernels.h"

namespace okapi::loops {

[[gnu::always_inline]] inline void update(std::int32_t* sums, const std::int32_t* before,
                                          const std::int32_t* const plus[2], const std::int32_t* const minus[2],
                                          std::size_t size) {
    const std::int32_t *plus0 = plus[0], *plus1 = plus[1], *minus0 = minus[0], *minus1 = minus[1];
    for (std::size_t i = 0; i < size; ++i) sums[i] = before[i] + plus0[i] + plus1[i] - minus0[i] - minus1[i];
}

[[gnu::always_inline]] inline void to_floats(float* out, const std::int32_t* sums, const float* scale,
                                             const float* bias, float sign, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = bias[i] + sign * scale[i] * float(sums[i]);
}

// e to the power of x, right to about 2e-7 of its size; x is kept within the powers that a float can hold.
[[gnu::always_inline]] inline float exponential(float x) {
    constexpr float kLeast = -87, kMost = 88;
    constexpr float kRounds = 0x1.8p23f;  // a sum this large has no room for digits behind the point
    constexpr float kLog2Upper = 0x1.63p-1f, kLog2Lower = -0x1.bd0106p-13f;  // their sum is log(2)
    x = x > kLeast ? x : kLeast;
    x = x < kMost ? x : kMost;
    // x = n * log(2) + rest, with a rest of at most log(2) / 2 to either side: a short series will do.
    const float n = (x * 0x1.715476p0f + kRounds) - kRounds;
    const float rest = (x - n * kLog2Upper) - n * kLog2Lower;
    float sum = 1.0f / 5040;
    sum = sum * rest + 1.0f / 720;
    sum = sum * rest + 1.0f / 120;
    sum = sum * rest + 1.0f / 24;
    sum = sum * rest + 1.0f / 6;
    sum = sum * rest + 1.0f / 2;
    sum = sum * rest + 1.0f;
    sum = sum * rest + 1.0f;
    return sum * std::bit_cast<float>((std::int32_t(n) + 127) << 23);
}

// What is no number stays so in relu and elu: a network that exploded should be noticed.
[[gnu::always_inline]] inline void activate(float* values, Activation activation, std::size_t size) {
    switch (activation) {
        case Activation::None:
            return;
        case Activation::Relu:
            for (std::size_t i = 0; i < size; ++i) values[i] = values[i] < 0 ? 0 : values[i];
            return;
        case Activation::Elu:
            for (std::size_t i = 0; i < size; ++i) {
                const float below = exponential(values[i]) - 1;
                values[i] = values[i] < 0 ? below : values[i];
            }
            return;
        case Activation::Tanh:
            for (std::size_t i = 0; i < size; ++i) values[i] = 1 - 2 / (exponential(2 * values[i]) + 1);
            return;
        case Activation::Sigmoid:
            for (std::size_t i = 0; i < size; ++i) values[i] = 1 / (1 + exponential(-values[i]));
            return;
    }
}

[[gnu::always_inline]] inline std::size_t find_active(const float* values, std::size_t size, std::uint32_t* where,
                                                      float* active) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {
        where[count] = std::uint32_t(i);
        active[count] = values[i];
        count += values[i] != 0;
    }
    for (; count % kAtOnce != 0; ++count) where[count] = 0, active[count] = 0;
    return count;
}

// Numbers that matter, and where they stood.
template <class Number> struct Found {
    std::array<Number, kMostJudged + kAtOnce> numbers;
    std::array<std::uint32_t, kMostJudged + kAtOnce> where;
    std::size_t count = 0;
};

[[gnu::always_inline]] inline Found<std::array<std::int16_t, 2>> find_changes(const std::int16_t* before,
                                                                              const std::int16_t* after,
                                                                              std::size_t pairs) {
    Found<std::array<std::int16_t, 2>> changes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto first = std::int16_t(after[2 * i] - before[2 * i]);
        const auto second = std::int16_t(after[2 * i + 1] - before[2 * i + 1]);
        changes.numbers[count] = {first, second};
        changes.where[count] = std::uint32_t(i);
        count += (first | second) != 0;  // no branch, which could not be guessed
    }
    changes.count = count;
    return changes;
}

[[gnu::always_inline]] inline void add_changes(std::int32_t* sums, std::size_t size, const std::int16_t* columns,
                                               const std::int16_t* before, const std::int16_t* after,
                                               std::size_t pairs) {
    const auto changes = find_changes(before, after, pairs);
    for (std::size_t k = 0; k < changes.count; ++k) {
        const auto [first, second] = changes.numbers[k];
        const std::int16_t* column = columns + 2 * size * changes.where[k];
        for (std::size_t i = 0; i < size; ++i) sums[i] += first * column[2 * i] + second * column[2 * i + 1];
    }
}

[[gnu::always_inline]] inline float sum_of(std::array<float, 16>& numbers) {
    for (std::size_t half = 8; half > 0; half /= 2)
        for (std::size_t lane = 0; lane < half; ++lane) numbers[lane] += numbers[lane + half];
    return numbers[0];
}

// `accumulate` as in Kernels.
template <class Accumulate>
[[gnu::always_inline]] inline float judge(const std::int32_t* seen, const JudgingLayers& layers,
                                          Accumulate accumulate) {
    Found<float> active;
    std::size_t count = 0;
    for (std::size_t i = 0; i < layers.inputs; ++i) {
        const float number = layers.seen_bias[i] + layers.seen_scale[i] * float(seen[i]);
        active.numbers[count] = number;
        active.where[count] = std::uint32_t(i);
        count += number > 0;
    }
    for (; count % kAtOnce != 0; ++count) active.where[count] = 0, active.numbers[count] = 0;
    alignas(64) std::array<float, kMostNodes> joined;
    for (std::size_t i = 0; i < layers.size; ++i) joined[i] = layers.bias[i];
    accumulate(joined.data(), layers.weights, layers.size, active.where.data(), active.numbers.data(), count);
    std::array<float, 16> sums{};
    for (std::size_t i = 0; i < layers.size; i += 16)
        for (std::size_t lane = 0; lane < 16; ++lane) {
            const float number = joined[i + lane] < 0 ? 0 : joined[i + lane];
            sums[lane] += number * layers.output[i + lane];
        }
    return sum_of(sums);
}

[[gnu::always_inline]] inline void first_found(const std::uint64_t* one, const std::uint64_t* two,
                                               const std::int16_t* numbers, std::size_t kinds, std::int16_t* pairs) {
    for (std::size_t i = 0; i < 2 * 64; ++i) pairs[i] = 0;
    for (std::size_t row = 0; row < 2; ++row) {
        const std::uint64_t* sets = row == 0 ? one : two;
        for (std::size_t kind = 0, done = 0; kind < kinds; done |= sets[kind++])
            for (std::uint64_t left = sets[kind] & ~done; left != 0; left &= left - 1)
                pairs[2 * std::size_t(std::countr_zero(left)) + row] = numbers[kind];
    }
}

}  // namespace okapi::loops
