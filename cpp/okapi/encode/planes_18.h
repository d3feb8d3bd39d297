// planes-18: everything a FEN says but its counters, as images from the mover's side.
#pragma once

#include "okapi/encode/singh2015.h"

namespace okapi::encode {

// planes-12; the right to castle towards h and towards a, the mover's and then the opponent's, as planes of ones; where
// a pawn may be taken in passing; ones if the mover is White.
template <class T> void planes_18(const Board& board, T* out) {
    planes_12(board, out);
    const auto plane = [&out](std::size_t number, bool yes) { std::fill_n(out + 64 * number, 64, yes ? T(1) : T(0)); };
    for (std::size_t side = 0; side < 2; ++side) {
        const Color color = side == 0 ? board.turn() : ~board.turn();
        plane(12 + 2 * side, board.can_castle(color, Wing::King));
        plane(13 + 2 * side, board.can_castle(color, Wing::Queen));
    }
    plane(16, false);
    if (board.en_passant()) out[64 * 16 + first(board.en_passant()).seen_by(board.turn()).index] = T(1);
    plane(17, board.turn() == Color::White);
}

}  // namespace okapi::encode
