#include "okapi/chess/checks.h"

namespace okapi {

MoveList quiet_checks(const Position& position) {
    const Color us = position.turn();
    const Square king = position.king(~us);
    const Bitboard straight = rook_attacks(king, position.pieces());
    const Bitboard diagonal = bishop_attacks(king, position.pieces());
    // From where a piece of each kind attacks the king, and the own pieces that may stand in the way of others.
    const std::array<Bitboard, kKinds> attacking = {
        pawn_attacks(king, ~us), knight_attacks(king), diagonal, straight, straight | diagonal, 0};
    const Bitboard in_the_way = (straight | diagonal) & position.pieces(us);

    MoveList checks;
    for (Move move : legal_moves(position, Which::Quiet)) {
        const auto kind = std::size_t(position.at(move.from()).kind());
        const bool plain = move.type() == MoveType::Normal;
        if (plain && !contains(attacking[kind], move.to()) && !contains(in_the_way, move.from())) continue;
        if (position.gives_check(move)) checks.add(move);
    }
    return checks;
}

}  // namespace okapi
