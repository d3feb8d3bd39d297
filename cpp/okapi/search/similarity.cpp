#include "okapi/search/similarity.h"

namespace okapi {

std::uint64_t signature(const Position& position, Move move) {
    const Color us = position.turn();
    const Kind kind = position.at(move.from()).kind();
    if (kind == Kind::Pawn || kind == Kind::King) return move.bits;
    const Bitboard occupied = (position.pieces() & ~bit(move.from())) | bit(move.to());
    const Bitboard watched = position.pieces(~us) | king_attacks(position.king(~us));
    const Bitboard seen = attacks_of(kind, move.to(), occupied) & watched;
    const bool chased = pawn_attacks(move.to(), us) & position.pieces(~us, Kind::Pawn);
    // An odd factor loses nothing of the squares; the piece and the pawn go to bits that a move of a pawn leaves empty.
    return seen * 0x9E3779B97F4A7C15 ^ (std::uint64_t(move.from().index) << 32) ^ (std::uint64_t(chased) << 40) ^
           (std::uint64_t(1) << 63);
}

}  // namespace okapi
