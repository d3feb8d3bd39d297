// Numbers of 16 bits, as brain files may hold them: IEEE 754 binary16.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace okapi {

using Half = std::uint16_t;

// A float's exponent is biased by 112 more. Multiplying by that power of two also puts right what is below the least
// normal number.
inline float to_float(Half half) {
    const float sign = half & 0x8000 ? -1.0f : 1.0f;
    if ((half & 0x7C00) == 0x7C00)
        return half & 0x03FF ? std::numeric_limits<float>::quiet_NaN() : sign * std::numeric_limits<float>::infinity();
    return sign * std::bit_cast<float>(std::uint32_t(half & 0x7FFF) << 13) * 0x1p112f;
}

// The half that means exactly this number, if there is one.
inline std::optional<Half> exact_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(std::abs(value) * 0x1p-112f);
    const auto half = Half(bits >> 13 | (std::signbit(value) ? 0x8000 : 0));
    if (bits >= 0x7C00 << 13 || to_float(half) != value) return std::nullopt;
    return half;
}

}  // namespace okapi
