// Values of bare-king endings, for every evaluator.
#pragma once

#include "okapi/chess/position.h"

namespace okapi {

namespace endgame {
int mop_up(const Position& position, Color winner);
bool is_known_draw(const Position& position);
}  // namespace endgame

// Centipawns for the side to move: how far a bare king is driven to the edge (for bishop and knight to a corner of the
// bishop's colour) and how near the other king is. 0 unless one king is bare and the other side can mate it.
inline int mop_up(const Position& position) {
    const Color us = position.turn();
    if (!several(position.pieces(~us))) return endgame::mop_up(position, us);
    if (!several(position.pieces(us))) return -endgame::mop_up(position, ~us);
    return 0;
}

// At most six pieces of which neither side can force a win, save a mate or a loss that is already on the board: no
// pawns and at most a minor piece each, two knights against a bare king, or rook pawns whose bishop cannot drive the
// bare king from the corner.
inline bool is_known_draw(const Position& position) {
    constexpr int kMostPieces = 6;
    return count(position.pieces()) <= kMostPieces && endgame::is_known_draw(position);
}

}  // namespace okapi
