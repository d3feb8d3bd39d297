// The factors of vazquez2012, chapter 6: what its weights are multiplied with. Written to be read; linear28.cpp sums
// the same at speed, and a test holds the two together. docs/reference/evaluators.md says what the thesis leaves open.
#pragma once

#include <array>
#include <string_view>

#include "okapi/chess/position.h"

namespace okapi {

// clang-format off
// In the order of the thesis' Table 16.
enum class Factor {
    Pawn, Knight, Bishop, Rook, Queen,
    KingDefence, KingAttack, KingCastled, KingPawns,
    QueenMobility,
    RookMobility, RookOpen, RookHalfOpen, RookAhead, RookBehind, RookSeventh, RookSeventhFolded,
    BishopMobility,
    KnightMobility, KnightSupported, KnightBase, KnightRim, KnightOuter, KnightInner, KnightCentre,
    PawnDoubled, PawnIsolated, PawnCentral, PawnPassed,
};
inline constexpr int kFactors = 29;
constexpr std::size_t index(Factor factor) { return std::size_t(factor); }

// As in the thesis' tables: X1 ... X5, then king,1 ... pawn,4.
inline constexpr std::array<std::string_view, kFactors> kFactorNames = {
    "pawn", "knight", "bishop", "rook", "queen",
    "king_defence", "king_attack", "king_castled", "king_pawns",
    "queen_mobility",
    "rook_mobility", "rook_open", "rook_half_open", "rook_ahead", "rook_behind", "rook_seventh", "rook_seventh_folded",
    "bishop_mobility",
    "knight_mobility", "knight_supported", "knight_base", "knight_rim", "knight_outer", "knight_inner", "knight_centre",
    "pawn_doubled", "pawn_isolated", "pawn_central", "pawn_passed"};
// clang-format on

// Each factor summed over the pieces of one side, in its own unit: pieces, moves, or centipawns of material near a
// king. KingAttack is the material of the opponent that bears on this side's king.
using Factors = std::array<int, kFactors>;
Factors factors(const Position& position, Color color);

// --- Squares that factors speak of ------------------------------------------------------------------------------
// Material near a king is counted in the thesis' "theoretical" values.
inline constexpr std::array<int, 5> kTheoreticalValue = {100, 300, 300, 500, 900};
int material_bearing_on(const Position& position, Square king, Color color);  // of the pieces of `color`

inline constexpr Bitboard kKnightRim = bits(File::A) | bits(File::H) | bits(Rank::One) | bits(Rank::Eight);
inline constexpr Bitboard kKnightCentre = 0x0000001818000000ULL;
inline constexpr Bitboard kKnightInner = 0x00003C3C3C3C0000ULL & ~kKnightCentre;
inline constexpr Bitboard kKnightOuter = ~(kKnightRim | kKnightInner | kKnightCentre);
inline constexpr Bitboard kCentralPawns =
    (bits(File::C) | bits(File::D) | bits(File::E) | bits(File::F)) & (bits(Rank::Four) | bits(Rank::Five));

// A FEN has no record of castling. It counts as castled when it stands where castling brings it or
// further out (a, b, c, g, h of the back rank), no right to castle is left, and no own rook is shut in beyond it.
inline bool is_castled(const Position& position, Color color) {
    constexpr std::array<Bitboard, 8> kBeyond = {0x00, 0x01, 0x03, 0, 0, 0, 0x80, 0x00};
    const Square king = position.king(color).seen_by(color);
    const bool wing = king.rank() == Rank::One && contains(0b11000111, Square(int(king.file())));
    if (!wing || position.can_castle(color, Wing::King) || position.can_castle(color, Wing::Queen)) return false;
    const Bitboard beyond = kBeyond[std::size_t(king.file())];
    return !(position.pieces(color, Kind::Rook) & (color == Color::White ? beyond : beyond << 56));
}

// Squares ahead of a piece of `color` on its own file.
constexpr Bitboard ahead_on_file(Square square, Color color) {
    const Bitboard below = bit(square) - 1;
    return bits(square.file()) & (color == Color::White ? ~(below | bit(square)) : below);
}

// Every square that the pawns attack now or may attack by advancing.
constexpr Bitboard pawn_reach(Bitboard pawns, Color color) {
    Bitboard fill = pawns;
    for (int step = 0; step < 6; ++step) fill |= forward(fill, color);
    return pawn_attacks(fill, color);
}

}  // namespace okapi
