// giraffe-363 (lai2015, section 4.1): pieces as a list of slots, how far they reach, and who controls each square.
#pragma once

#include "okapi/encode/board.h"
#include "okapi/eval/giraffe/giraffe_features.h"

namespace okapi::encode {

// In the order of docs/reference/encodings.md: 19 about the position, 216 about pieces, 128 about squares.
void giraffe_363(const Board& board, float* out);
// The same of the board turned so that the mover is White.
void giraffe_363_mover(const Board& board, float* out);

}  // namespace okapi::encode
