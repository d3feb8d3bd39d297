// Pieces that bear on a king: those whose moves, jumping over everything, reach its square or one next to it.
#pragma once

#include <array>

#include "okapi/chess/attacks.h"

namespace okapi {

// The squares from which a piece bears on a king, by kind from pawn to queen.
using Bearing = std::array<Bitboard, 5>;

namespace bearing {

constexpr Bitboard on_lines(Bitboard targets) {
    Bitboard origins = 0;
    for (Square target : squares(targets)) origins |= (bits(target.file()) | bits(target.rank())) & ~bit(target);
    return origins;
}

constexpr Bitboard on_diagonals(Bitboard targets) {
    Bitboard origins = 0;
    Bitboard rising = targets, falling = targets, sinking = targets, climbing = targets;
    for (int step = 0; step < 7; ++step) {
        rising = north(east(rising));
        falling = south(east(falling));
        sinking = south(west(sinking));
        climbing = north(west(climbing));
        origins |= rising | falling | sinking | climbing;
    }
    return origins;
}

// `color` is that of the piece; it matters for pawns.
constexpr Bearing on(Square king, Color color) {
    const Bitboard targets = attacks::king_from(bit(king)) | bit(king);
    const Bitboard lines = on_lines(targets);
    const Bitboard diagonals = on_diagonals(targets);
    return {pawn_attacks(targets, ~color), attacks::knight_from(targets), diagonals, lines, lines | diagonals};
}

constexpr std::array<Bearing, 64> table(Color color) {
    std::array<Bearing, 64> bearings{};
    for (int s = 0; s < 64; ++s) bearings[std::size_t(s)] = on(Square(s), color);
    return bearings;
}

inline constexpr std::array<std::array<Bearing, 64>, 2> kTable = {table(Color::White), table(Color::Black)};

}  // namespace bearing

// Where pieces of `color` bear on a king that stands on `king`.
inline const Bearing& bearing_on(Square king, Color color) { return bearing::kTable[std::size_t(color)][king.index]; }

}  // namespace okapi
