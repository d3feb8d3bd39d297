// What the six networks of vazquez2012, chapter 4, get for a piece: four inputs each. Written to be read beside
// sections 4.3.1.1 to 4.3.1.6; piece_networks.cpp sums the same at speed, and a test holds the two together.
// docs/reference/evaluators.md says what the thesis leaves open.
#pragma once

#include <array>

#include "okapi/eval/linear/factors.h"

namespace okapi {

// clang-format off
// king     material that attacks it, material that defends it, castled, own pawns beside it
// queen    moves, type of column, row, column
// rook     moves, type of column, on the seventh row, one of several there
// bishop   moves, moves of own pawns that obstruct it, how many of these stand ahead, weight of all pawns that obstruct it
// knight   moves, on the periphery, supported, on an operations base
// pawn     doubled, isolated, central, passed
// clang-format on
using PieceInputs = std::array<double, 4>;

// What a pawn weighs that obstructs a bishop: the bishop's own pawns and the enemy's, on the second to the seventh row
// as the bishop's side counts them, files a to h in each.
inline constexpr int kBishopPawns = 48;
using BishopPawns = std::array<std::array<float, kBishopPawns>, 2>;

// The inputs of the piece that stands on `square`.
PieceInputs piece_inputs(const Position& position, Square square, const BishopPawns& pawns);

// --- Squares and numbers that the inputs speak of ---------------------------------------------------------------
// Pawns on squares of the bishop's colour obstruct it, or may do so, wherever they stand.
constexpr Bitboard bishop_squares(Square bishop) {
    return contains(kDarkSquares, bishop) ? kDarkSquares : ~kDarkSquares;
}

// 2 behind an own pawn; otherwise 1 if there is any pawn on the column, and 0 if there is none.
constexpr int column_type(Square square, Bitboard own, Bitboard theirs, Color color) {
    if (own & ahead_on_file(square, color)) return 2;
    return ((own | theirs) & bits(square.file())) != 0;
}

// Rows above the one on which a piece of `color` stands.
constexpr Bitboard rows_ahead(Square square, Color color) {
    return color == Color::White ? ~Bitboard(0) << 8 * int(square.rank()) << 8
                                 : ~(~Bitboard(0) << 8 * int(square.rank()));
}

// The sum over `pawns`, none of which stands on a back rank.
double obstruction(Bitboard pawns, const std::array<float, kBishopPawns>& weights, Color bishop);

}  // namespace okapi
