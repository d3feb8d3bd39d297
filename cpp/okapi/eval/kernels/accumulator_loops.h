// Loops over an accumulator that every compiler turns into vectors by itself. They are always inlined, so that each
// caller gets them in the instructions it is compiled for.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "okapi/eval/kernels/accumulator_kernels.h"

namespace okapi::loops {

using Row = const std::int16_t*;

// Tells the compiler that no vector is cut.
constexpr std::size_t whole_lanes(std::size_t size) { return size / kNeuronLane * kNeuronLane; }

// One pass. Unsigned, because numbers that overflow are to come back.
template <std::size_t plus, std::size_t minus>
[[gnu::always_inline]] inline void change_by(std::int16_t* sums, Row before, const Row* arrive, const Row* leave,
                                             std::size_t size) {
    size = whole_lanes(size);
    const Row arrive0 = plus > 0 ? arrive[0] : nullptr, arrive1 = plus > 1 ? arrive[1] : nullptr;
    const Row leave0 = minus > 0 ? leave[0] : nullptr, leave1 = minus > 1 ? leave[1] : nullptr;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < size; ++i) {
        unsigned sum = std::uint16_t(before[i]);
        if constexpr (plus > 0) sum += std::uint16_t(arrive0[i]);
        if constexpr (plus > 1) sum += std::uint16_t(arrive1[i]);
        if constexpr (minus > 0) sum -= std::uint16_t(leave0[i]);
        if constexpr (minus > 1) sum -= std::uint16_t(leave1[i]);
        sums[i] = std::int16_t(sum);
    }
}

// A move, a capture and castling take one pass each; longer lists are changed two by two.
[[gnu::always_inline]] inline void change(std::int16_t* sums, Row before, const RowList& plus, const RowList& minus,
                                          std::size_t size) {
    const Row *arrive = plus.data(), *leave = minus.data();
    const std::size_t both = std::min(plus.size(), minus.size());
    if (plus.size() == 1 && minus.size() == 1) return change_by<1, 1>(sums, before, arrive, leave, size);
    if (plus.size() == 1 && minus.size() == 2) return change_by<1, 2>(sums, before, arrive, leave, size);
    if (plus.size() == 2 && minus.size() == 2) return change_by<2, 2>(sums, before, arrive, leave, size);
    if (sums != before) std::copy_n(before, size, sums);
    for (std::size_t r = 0; r < both; ++r) change_by<1, 1>(sums, sums, arrive + r, leave + r, size);
    for (std::size_t r = both; r < plus.size(); ++r) change_by<1, 0>(sums, sums, arrive + r, nullptr, size);
    for (std::size_t r = both; r < minus.size(); ++r) change_by<0, 1>(sums, sums, nullptr, leave + r, size);
}

// A clamped number squared and weighed. c * weight fits 16 bits, so that machines can multiply and add pairs at once.
[[gnu::always_inline]] inline std::uint32_t weighed(std::int16_t number, std::int16_t weight) {
    const std::int16_t above = number < 0 ? std::int16_t(0) : number;
    const std::int16_t c = above > 255 ? std::int16_t(255) : above;
    return std::uint32_t(std::int32_t(c) * std::int16_t(c * weight));
}

// Two sums, so that neither waits for the other.
[[gnu::always_inline]] inline std::int32_t output(Row mover, Row other, const std::int16_t* weights, std::size_t size) {
    size = whole_lanes(size);
    const std::int16_t* other_weights = weights + size;
    std::uint32_t sum = 0, other_sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        sum += weighed(mover[i], weights[i]);
        other_sum += weighed(other[i], other_weights[i]);
    }
    return std::int32_t(sum + other_sum);
}

[[gnu::always_inline]] inline void pairs(std::uint8_t* products, Row sums, std::size_t size, std::int16_t most,
                                         int shift) {
    size = whole_lanes(size);
    for (std::size_t i = 0; i < size; ++i) {
        const auto clamped = [most](std::int16_t number) {
            const std::int16_t above = number < 0 ? std::int16_t(0) : number;
            return std::uint16_t(above > most ? most : above);
        };
        products[i] = std::uint8_t(std::uint16_t(clamped(sums[i]) * clamped(sums[size + i])) >> shift);
    }
}

[[gnu::always_inline]] inline void dense(std::int32_t* sums, const std::uint8_t* inputs, const std::int8_t* weights,
                                         std::size_t size, std::size_t outputs) {
    for (std::size_t i = 0; i < size; i += kInputGroup, weights += outputs * kInputGroup) {
        std::array<std::uint8_t, kInputGroup> group;
        std::copy_n(inputs + i, kInputGroup, group.begin());
        if (std::bit_cast<std::uint32_t>(group) == 0) continue;
        for (std::size_t n = 0; n < outputs; ++n)
            for (std::size_t k = 0; k < kInputGroup; ++k) sums[n] += group[k] * weights[kInputGroup * n + k];
    }
}

}  // namespace okapi::loops
