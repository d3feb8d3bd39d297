#include "okapi/eval/piece_networks/piece_features.h"

#include "okapi/eval/linear/linear5.h"
#include "okapi/eval/linear/pawns.h"

namespace okapi {

namespace {

// One piece and what the definitions say about it.
struct Piecewise {
    const Position& position;
    Square square;
    Color us;
    Bitboard own = position.pieces(us, Kind::Pawn);
    Bitboard theirs = position.pieces(~us, Kind::Pawn);

    double moves(Kind kind) const { return count(attacks_of(kind, square, position.pieces()) & ~position.pieces(us)); }
    double column() const { return column_type(square, own, theirs, us); }

    PieceInputs king() const {
        return {double(material_bearing_on(position, square, ~us)), double(material_bearing_on(position, square, us)),
                double(is_castled(position, us)), double(count(king_attacks(square) & own))};
    }
    PieceInputs queen() const {
        return {moves(Kind::Queen), column(), int(seen_by(square.rank(), us)) + 1.0, int(square.file()) + 1.0};
    }
    PieceInputs rook() const {
        const Bitboard seventh = position.pieces(us, Kind::Rook) & bits(seen_by(Rank::Seven, us));
        const bool there = contains(seventh, square);
        return {moves(Kind::Rook), column(), double(there), double(there && several(seventh))};
    }
    PieceInputs bishop(const BishopPawns& weights) const {
        const Bitboard obstructing = own & bishop_squares(square);
        const Bitboard enemies = theirs & bishop_squares(square);
        return {moves(Kind::Bishop), double(count_pawn_moves(position, obstructing, us)),
                double(count(obstructing & rows_ahead(square, us))),
                obstruction(obstructing, weights[0], us) + obstruction(enemies, weights[1], us)};
    }
    PieceInputs knight() const {
        return {moves(Kind::Knight), double(contains(kKnightRim, square)),
                double(contains(pawn_attacks(own, us), square)), double(!contains(pawn_reach(theirs, ~us), square))};
    }
    PieceInputs pawn() const {
        const PawnFactors factors = pawn_factors(own, theirs, us);
        return {double(contains(factors.doubled, square)), double(contains(factors.isolated, square)),
                double(contains(factors.central, square)), double(contains(factors.passed, square))};
    }
};

}  // namespace

PieceInputs piece_inputs(const Position& position, Square square, const BishopPawns& pawns) {
    const Piece piece = position.at(square);
    const Piecewise seen{.position = position, .square = square, .us = piece.color()};
    switch (piece.kind()) {
        case Kind::Pawn:
            return seen.pawn();
        case Kind::Knight:
            return seen.knight();
        case Kind::Bishop:
            return seen.bishop(pawns);
        case Kind::Rook:
            return seen.rook();
        case Kind::Queen:
            return seen.queen();
        case Kind::King:
            return seen.king();
    }
    return {};
}

double obstruction(Bitboard pawns, const std::array<float, kBishopPawns>& weights, Color bishop) {
    double sum = 0;
    for (Square pawn : squares(pawns)) sum += weights[std::size_t(pawn.seen_by(bishop).index - 8)];
    return sum;
}

}  // namespace okapi
