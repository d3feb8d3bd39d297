// vector-64 and vector-65 (sheehan2016, section 4): a number for each square, as White sees the board.
#pragma once

#include <algorithm>

#include "okapi/encode/board.h"

namespace okapi::encode {

// 1 to 6 for a white pawn, knight, bishop, rook, queen, king; 6 more for black ones.
template <class T> void vector_64(const Board& board, T* out) {
    std::fill_n(out, 64, T(0));
    for (const auto [piece, square] : board.men())
        out[square.index] = T(1 + index(piece.kind()) + 6 * index(piece.color()));
}

// The same, and the piece differential: White's sum of 1 3 3 5 9 less Black's.
template <class T> void vector_65(const Board& board, T* out) {
    constexpr std::array<int, kKinds> kWorth = {1, 3, 3, 5, 9, 0};  // both sides have their king
    vector_64(board, out);
    int differential = 0;
    for (const auto [piece, square] : board.men())
        differential +=
            piece.color() == Color::White ? kWorth[std::size_t(piece.kind())] : -kWorth[std::size_t(piece.kind())];
    out[64] = T(differential);
}

}  // namespace okapi::encode
