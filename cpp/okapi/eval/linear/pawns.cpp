#include "okapi/eval/linear/pawns.h"

#include "okapi/eval/linear/factors.h"

namespace okapi {

namespace {

constexpr Bitboard whole_files(Bitboard set) {
    set |= set >> 8 | set << 8;
    set |= set >> 16 | set << 16;
    return set | set >> 32 | set << 32;
}

// Squares strictly ahead of the set on its own files.
constexpr Bitboard ahead_of(Bitboard set, Color color) {
    Bitboard fill = forward(set, color);
    for (int step = 0; step < 6; ++step) fill |= forward(fill, color);
    return fill;
}

int units_of(const PawnFactors& factors, Bitboard own, const PawnWeights& weights) {
    return weights.pawn * count(own) + weights.doubled * count(factors.doubled) +
           weights.isolated * count(factors.isolated) + weights.central * count(factors.central) +
           weights.passed * count(factors.passed);
}

}  // namespace

PawnFactors pawn_factors(Bitboard own, Bitboard enemy, Color color) {
    const Bitboard stopped = ahead_of(enemy, ~color) | pawn_reach(enemy, ~color);
    const Bitboard files = whole_files(own);
    return {.doubled = own & (ahead_of(own, color) | ahead_of(own, ~color)),
            .isolated = own & ~(east(files) | west(files)),
            .central = own & kCentralPawns,
            .passed = own & ~stopped};
}

PawnStructure pawn_structure(const Position& position, const PawnWeights& weights) {
    const Bitboard white = position.pieces(Color::White, Kind::Pawn);
    const Bitboard black = position.pieces(Color::Black, Kind::Pawn);
    return {.units = units_of(pawn_factors(white, black, Color::White), white, weights) -
                     units_of(pawn_factors(black, white, Color::Black), black, weights),
            .reach = {pawn_reach(white, Color::White), pawn_reach(black, Color::Black)}};
}

}  // namespace okapi
