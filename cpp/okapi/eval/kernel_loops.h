// Loops that every compiler turns into vectors by itself. They are always inlined, so that each caller gets them in the
// instructions it is compiled for.
#pragma once

#include <bit>

#include "okapi/eval/kernels.h"

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

}  // namespace okapi::loops
