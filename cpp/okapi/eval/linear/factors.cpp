#include "okapi/eval/linear/factors.h"

#include "okapi/eval/linear/bearing.h"
#include "okapi/eval/linear/pawns.h"

namespace okapi {

int material_bearing_on(const Position& position, Square king, Color color) {
    int material = 0;
    for (std::size_t kind = 0; kind < 5; ++kind)
        material += kTheoreticalValue[kind] * count(position.pieces(color, Kind(kind)) & bearing_on(king, color)[kind]);
    return material;
}

namespace {

// At most one of these four; none if the file holds own pawns only.
void add_column(Factors& sums, const Position& position, Square rook, Color color) {
    const Bitboard own = position.pieces(color, Kind::Pawn) & bits(rook.file());
    const Bitboard theirs = position.pieces(~color, Kind::Pawn) & bits(rook.file());
    bool behind = false;
    for (Square pawn : squares(own)) behind |= seen_by(pawn.rank(), color) > seen_by(rook.rank(), color);
    if (!own && !theirs) ++sums[index(Factor::RookOpen)];
    if (!own && theirs) ++sums[index(Factor::RookHalfOpen)];
    if (own && theirs) ++sums[index(behind ? Factor::RookBehind : Factor::RookAhead)];
}

void add_rooks(Factors& sums, const Position& position, Color color) {
    const Bitboard rooks = position.pieces(color, Kind::Rook);
    for (Square rook : squares(rooks)) {
        sums[index(Factor::RookMobility)] += count(rook_attacks(rook, position.pieces()) & ~position.pieces(color));
        add_column(sums, position, rook, color);
    }
    const Bitboard seventh = rooks & bits(seen_by(Rank::Seven, color));
    sums[index(Factor::RookSeventh)] = count(seventh);
    sums[index(Factor::RookSeventhFolded)] = several(seventh) ? count(seventh) : 0;
}

void add_knights(Factors& sums, const Position& position, Color color) {
    const Bitboard knights = position.pieces(color, Kind::Knight);
    for (Square knight : squares(knights))
        sums[index(Factor::KnightMobility)] += count(knight_attacks(knight) & ~position.pieces(color));
    const Bitboard support = pawn_attacks(position.pieces(color, Kind::Pawn), color);
    const Bitboard evicted = pawn_reach(position.pieces(~color, Kind::Pawn), ~color);
    sums[index(Factor::KnightSupported)] = count(knights & support);
    sums[index(Factor::KnightBase)] = count(knights & ~evicted);
    sums[index(Factor::KnightRim)] = count(knights & kKnightRim);
    sums[index(Factor::KnightOuter)] = count(knights & kKnightOuter);
    sums[index(Factor::KnightInner)] = count(knights & kKnightInner);
    sums[index(Factor::KnightCentre)] = count(knights & kKnightCentre);
}

}  // namespace

Factors factors(const Position& position, Color color) {
    Factors sums{};
    for (int kind = 0; kind < 5; ++kind) sums[std::size_t(kind)] = count(position.pieces(color, Kind(kind)));

    const Square king = position.king(color);
    const Bitboard own_pawns = position.pieces(color, Kind::Pawn);
    sums[index(Factor::KingDefence)] = material_bearing_on(position, king, color);
    sums[index(Factor::KingAttack)] = material_bearing_on(position, king, ~color);
    sums[index(Factor::KingCastled)] = is_castled(position, color);
    sums[index(Factor::KingPawns)] = count(king_attacks(king) & own_pawns);

    const Bitboard free = ~position.pieces(color);
    for (Square queen : squares(position.pieces(color, Kind::Queen)))
        sums[index(Factor::QueenMobility)] += count(queen_attacks(queen, position.pieces()) & free);
    for (Square bishop : squares(position.pieces(color, Kind::Bishop)))
        sums[index(Factor::BishopMobility)] += count(bishop_attacks(bishop, position.pieces()) & free);
    add_rooks(sums, position, color);
    add_knights(sums, position, color);

    const PawnFactors pawns = pawn_factors(own_pawns, position.pieces(~color, Kind::Pawn), color);
    sums[index(Factor::PawnDoubled)] = count(pawns.doubled);
    sums[index(Factor::PawnIsolated)] = count(pawns.isolated);
    sums[index(Factor::PawnCentral)] = count(pawns.central);
    sums[index(Factor::PawnPassed)] = count(pawns.passed);
    return sums;
}

}  // namespace okapi
