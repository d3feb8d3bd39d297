#include "okapi/search/threats.h"

#include "okapi/chess/attacks.h"

namespace okapi {

namespace {

Bitboard along_diagonals(Bitboard pieces, Bitboard occupied) {
    Bitboard attacked = 0;
    for (; pieces; pieces &= pieces - 1) attacked |= bishop_attacks(first(pieces), occupied);
    return attacked;
}

Bitboard along_lines(Bitboard pieces, Bitboard occupied) {
    Bitboard attacked = 0;
    for (; pieces; pieces &= pieces - 1) attacked |= rook_attacks(first(pieces), occupied);
    return attacked;
}

}  // namespace

Bitboard attacked_by(const Position& position, Color side) {
    const Bitboard occupied = position.pieces(), queens = position.pieces(side, Kind::Queen);
    return pawn_attacks(position.pieces(side, Kind::Pawn), side) |
           attacks::knight_from(position.pieces(side, Kind::Knight)) | king_attacks(position.king(side)) |
           along_diagonals(position.pieces(side, Kind::Bishop) | queens, occupied) |
           along_lines(position.pieces(side, Kind::Rook) | queens, occupied);
}

Threats threats(const Position& position) {
    const Color them = ~position.turn();
    const Bitboard occupied = position.pieces();
    const Bitboard by_pawns = pawn_attacks(position.pieces(them, Kind::Pawn), them);
    const Bitboard by_minors = by_pawns | attacks::knight_from(position.pieces(them, Kind::Knight)) |
                               along_diagonals(position.pieces(them, Kind::Bishop), occupied);
    const Bitboard by_rooks = by_minors | along_lines(position.pieces(them, Kind::Rook), occupied);
    return {0, by_pawns, by_pawns, by_minors, by_rooks, 0};
}

}  // namespace okapi
