// bitmap-768 and algebraic-768 (sabatelli2018, section 3.1): a channel for each of the twelve pieces, as White sees the
// board; the sign says whether the piece belongs to the side to move. Flat or as images, the numbers are the same.
#pragma once

#include <algorithm>

#include "okapi/encode/board.h"

namespace okapi::encode {

template <class T> void signed_channels(const Board& board, const std::array<int, kKinds>& worth, T* out) {
    std::fill_n(out, 12 * 64, T(0));
    for (const auto [piece, square] : board.men()) {
        const int value = worth[std::size_t(piece.kind())];
        out[64 * (6 * index(piece.color()) + index(piece.kind())) + square.index] =
            T(piece.color() == board.turn() ? value : -value);
    }
}

template <class T> void bitmap_768(const Board& board, T* out) { signed_channels(board, {1, 1, 1, 1, 1, 1}, out); }

template <class T> void algebraic_768(const Board& board, T* out) { signed_channels(board, {1, 3, 3, 5, 9, 10}, out); }

}  // namespace okapi::encode
