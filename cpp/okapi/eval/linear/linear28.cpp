#include "okapi/eval/linear/linear28.h"

#include "okapi/eval/linear/bearing.h"
#include "okapi/eval/linear/units.h"

namespace okapi {

namespace {

// The table value of n moves: the piece itself and its mobility.
template <std::size_t size> std::array<int, size> by_moves(double piece, double move) {
    std::array<int, size> table;
    for (std::size_t n = 0; n < size; ++n) table[n] = to_units(piece + double(n) * move);
    return table;
}

}  // namespace

Linear28::Linear28(const FactorWeights& weights) : tables_(tables(weights)), pawns_(pawn_weights(weights)) {}

PawnWeights Linear28::pawn_weights(const FactorWeights& weights) {
    const auto worth = [&](Factor f) { return to_units(weights.weights[index(f)] / weights.divisors[index(f)]); };
    return {.pawn = worth(Factor::Pawn),
            .doubled = worth(Factor::PawnDoubled),
            .isolated = worth(Factor::PawnIsolated),
            .central = worth(Factor::PawnCentral),
            .passed = worth(Factor::PawnPassed)};
}

Linear28::Tables Linear28::tables(const FactorWeights& weights) {
    const auto worth = [&](Factor f) { return double(weights.weights[index(f)]) / weights.divisors[index(f)]; };
    Tables t;
    t.knight_moves = by_moves<9>(worth(Factor::Knight), worth(Factor::KnightMobility));
    t.bishop_moves = by_moves<14>(worth(Factor::Bishop), worth(Factor::BishopMobility));
    t.rook_moves = by_moves<15>(worth(Factor::Rook), worth(Factor::RookMobility));
    t.queen_moves = by_moves<28>(worth(Factor::Queen), worth(Factor::QueenMobility));
    t.king_pawns = by_moves<9>(0, worth(Factor::KingPawns));
    t.castled = to_units(worth(Factor::KingCastled));

    for (int s = 0; s < 64; ++s) {
        const Square square(s);
        t.knight_square[std::size_t(s)] = to_units(worth(contains(kKnightRim, square)     ? Factor::KnightRim
                                                         : contains(kKnightOuter, square) ? Factor::KnightOuter
                                                         : contains(kKnightInner, square) ? Factor::KnightInner
                                                                                          : Factor::KnightCentre));
    }
    t.knight_supported = to_units(worth(Factor::KnightSupported));
    t.knight_base = to_units(worth(Factor::KnightBase));

    const int open = to_units(worth(Factor::RookOpen));
    const int half_open = to_units(worth(Factor::RookHalfOpen));
    const int ahead = to_units(worth(Factor::RookAhead));
    const int behind = to_units(worth(Factor::RookBehind));
    t.column = {open, open, half_open, half_open, 0, 0, ahead, behind};
    for (std::size_t n = 0; n < t.seventh.size(); ++n)
        t.seventh[n] =
            to_units(double(n) * (worth(Factor::RookSeventh) + (n > 1 ? worth(Factor::RookSeventhFolded) : 0)));

    for (std::size_t kind = 0; kind < 5; ++kind) {
        t.defence[kind] = to_units(kTheoreticalValue[kind] * worth(Factor::KingDefence));
        t.attack[kind] = to_units(-kTheoreticalValue[kind] * worth(Factor::KingAttack));
    }
    return t;
}

int Linear28::value(const Position& position) {
    const int white = units(position);
    return from_units(position.turn() == Color::White ? white : -white);
}

int Linear28::units(const Position& position) {
    const PawnStructure& structure = pawns_.at(position);
    return structure.units + pieces<Color::White>(position, structure) - pieces<Color::Black>(position, structure);
}

template <Color us> int Linear28::pieces(const Position& position, const PawnStructure& pawns) const {
    const Bitboard occupied = position.pieces();
    const Bitboard free = ~position.pieces(us);
    int units = knights<us>(position, pawns) + rooks<us>(position) + kings<us>(position);
    for (Square bishop : squares(position.pieces(us, Kind::Bishop)))
        units += tables_.bishop_moves[std::size_t(count(bishop_attacks(bishop, occupied) & free))];
    for (Square queen : squares(position.pieces(us, Kind::Queen)))
        units += tables_.queen_moves[std::size_t(count(queen_attacks(queen, occupied) & free))];
    return units;
}

template <Color us> int Linear28::knights(const Position& position, const PawnStructure& pawns) const {
    const Bitboard knights = position.pieces(us, Kind::Knight);
    if (!knights) return 0;
    const Bitboard free = ~position.pieces(us);
    int units = 0;
    for (Square knight : squares(knights))
        units += tables_.knight_moves[std::size_t(count(knight_attacks(knight) & free))] +
                 tables_.knight_square[knight.index];
    const Bitboard support = pawn_attacks(position.pieces(us, Kind::Pawn), us);
    const Bitboard bases = ~pawns.reach[std::size_t(~us)];
    return units + tables_.knight_supported * count(knights & support) + tables_.knight_base * count(knights & bases);
}

template <Color us> int Linear28::rooks(const Position& position) const {
    const Bitboard rooks = position.pieces(us, Kind::Rook);
    const Bitboard occupied = position.pieces();
    const Bitboard free = ~position.pieces(us);
    const Bitboard own = position.pieces(us, Kind::Pawn);
    const Bitboard theirs = position.pieces(~us, Kind::Pawn);
    int units = tables_.seventh[std::size_t(count(rooks & bits(seen_by(Rank::Seven, us))))];
    for (Square rook : squares(rooks)) {
        const Bitboard file = bits(rook.file());
        const int column =
            ((own & file) != 0) * 4 + ((theirs & file) != 0) * 2 + ((own & ahead_on_file(rook, us)) != 0);
        units += tables_.rook_moves[std::size_t(count(rook_attacks(rook, occupied) & free))] +
                 tables_.column[std::size_t(column)];
    }
    return units;
}

template <Color us> int Linear28::kings(const Position& position) const {
    const Square king = position.king(us);
    const Square enemy = position.king(~us);
    int units = tables_.king_pawns[std::size_t(count(king_attacks(king) & position.pieces(us, Kind::Pawn)))];
    if (is_castled(position, us)) units += tables_.castled;
    const Bearing& defence = bearing_on(king, us);
    const Bearing& attack = bearing_on(enemy, us);
    for (std::size_t kind = 0; kind < 5; ++kind) {
        const Bitboard own = position.pieces(us, Kind(kind));
        units += tables_.defence[kind] * count(own & defence[kind]) + tables_.attack[kind] * count(own & attack[kind]);
    }
    return units;
}

}  // namespace okapi
