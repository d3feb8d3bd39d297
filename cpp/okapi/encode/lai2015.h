// giraffe-363 (lai2015, section 4.1): pieces as a list of slots, how far they reach, and who controls each square.
#pragma once

#include "okapi/encode/board.h"

namespace okapi::encode {

inline constexpr std::size_t kGiraffeFeatures = 363;

// In the order of docs/encodings.md: 19 about the position, 216 about pieces, 128 about squares.
void giraffe_363(const Board& board, float* out);

}  // namespace okapi::encode
