// The 363 features of giraffe-363 (lai2015, section 4.1) as whole numbers: every one of them is a fraction of kUnit.
// docs/reference/encodings.md lists them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "okapi/eval/giraffe/giraffe_view.h"
#include "okapi/eval/kernels/kernels.h"

namespace okapi::giraffe {

inline constexpr std::size_t kFeatures = 363;
// The least that 7 (files, ranks, reach), 16 (safe moves), 8 (pawns) and 120 (control) divide.
inline constexpr int kUnit = 1680;

// What is kept apart in the first layer. Features lie in pairs, which are added together; a slot begins with a pair.
struct Modality {
    std::size_t first, count;  // in the order of the encoding
    std::size_t begin, end;    // as they lie in Features
};
inline constexpr std::array<Modality, 3> kModalities = {{{0, 19, 0, 20}, {19, 216, 20, 252}, {235, 128, 256, 384}}};

struct alignas(64) Features {
    static constexpr std::size_t kPairs = 192;
    // The last pair stays 0: who controls what is no square, and comes after h8.
    std::array<std::int16_t, 2 * (kPairs + 1)> numbers{};
};
// Where the features of the encoding lie. Other places hold 0.
extern const std::array<std::uint16_t, kFeatures> kPlaces;
// The most that a feature can be, in units of 1.
double most(std::size_t feature);

// Into features that were never written, or by this function only.
void write(const View& view, const Kernels& kernels, Features& features);

}  // namespace okapi::giraffe
