// planes-6 and planes-12 (singh2015, section 2.2): images of the board from the mover's side.
#pragma once

#include <algorithm>

#include "okapi/encode/board.h"

namespace okapi::encode {

// By Kind; the thesis' order is pawn, rook, knight, bishop, queen, king.
inline constexpr std::array<std::size_t, kKinds> kSinghChannel = {0, 2, 3, 1, 4, 5};

// One channel a kind: 1 for friendly pieces, -1 for the opponent's.
template <class T> void planes_6(const Board& board, T* out) {
    std::fill_n(out, 6 * 64, T(0));
    for (const auto [piece, square] : board.men())
        out[64 * kSinghChannel[std::size_t(piece.kind())] + square.seen_by(board.turn()).index] =
            piece.color() == board.turn() ? T(1) : T(-1);
}

// Two channels a kind, friendly and then the opponent's: 1 where such a piece stands.
template <class T> void planes_12(const Board& board, T* out) {
    std::fill_n(out, 12 * 64, T(0));
    for (const auto [piece, square] : board.men()) {
        const std::size_t channel = 2 * kSinghChannel[std::size_t(piece.kind())] + (piece.color() != board.turn());
        out[64 * channel + square.seen_by(board.turn()).index] = T(1);
    }
}

}  // namespace okapi::encode
