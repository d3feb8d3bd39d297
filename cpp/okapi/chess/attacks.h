// Which squares a piece attacks. Sliding pieces: one table look-up by the bits of the occupied squares that matter
// (PEXT), or four short computations where the processor has no such instruction.
#pragma once

#include <array>
#include <cstdint>

#include "okapi/chess/bitboard.h"
#include "okapi/chess/types.h"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace okapi {

constexpr Bitboard pawn_attacks(Bitboard pawns, Color color) {
    const Bitboard ahead = forward(pawns, color);
    return east(ahead) | west(ahead);
}

namespace attacks {

constexpr Bitboard knight_from(Bitboard knights) {
    const Bitboard one = east(knights) | west(knights);
    const Bitboard two = east(east(knights)) | west(west(knights));
    return north(north(one)) | south(south(one)) | north(two) | south(two);
}

constexpr Bitboard king_from(Bitboard kings) {
    const Bitboard row = kings | east(kings) | west(kings);
    return (row | north(row) | south(row)) & ~kings;
}

template <class Function> constexpr std::array<Bitboard, 64> tabulate(Function function) {
    std::array<Bitboard, 64> table{};
    for (int i = 0; i < 64; ++i) table[std::size_t(i)] = function(Square(i));
    return table;
}

inline constexpr auto kKnight = tabulate([](Square s) { return knight_from(bit(s)); });
inline constexpr auto kKing = tabulate([](Square s) { return king_from(bit(s)); });
inline constexpr std::array<std::array<Bitboard, 64>, 2> kPawn = {
    tabulate([](Square s) { return pawn_attacks(bit(s), Color::White); }),
    tabulate([](Square s) { return pawn_attacks(bit(s), Color::Black); })};

struct Slider {
    Bitboard mask = 0;                // occupied squares that can make a difference
    const Bitboard* table = nullptr;  // attacks, by the bits of the mask
};

struct Tables {
    Tables();
    std::array<Slider, 64> rook;
    std::array<Slider, 64> bishop;
    std::array<std::array<Bitboard, 64>, 64> between;  // squares strictly between two squares on a line
    std::array<std::array<Bitboard, 64>, 64> line;     // the whole line through two squares
#if defined(__BMI2__)
    std::array<Bitboard, 102400 + 5248> pool;
#endif
};
extern const Tables kTables;

Bitboard slow_rook(Square square, Bitboard occupied);
Bitboard slow_bishop(Square square, Bitboard occupied);

}  // namespace attacks

inline Bitboard knight_attacks(Square square) { return attacks::kKnight[square.index]; }
inline Bitboard king_attacks(Square square) { return attacks::kKing[square.index]; }
inline Bitboard pawn_attacks(Square square, Color color) { return attacks::kPawn[std::size_t(color)][square.index]; }

inline Bitboard rook_attacks(Square square, Bitboard occupied) {
#if defined(__BMI2__)
    const attacks::Slider& slider = attacks::kTables.rook[square.index];
    return slider.table[_pext_u64(occupied, slider.mask)];
#else
    return attacks::slow_rook(square, occupied);
#endif
}
inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
#if defined(__BMI2__)
    const attacks::Slider& slider = attacks::kTables.bishop[square.index];
    return slider.table[_pext_u64(occupied, slider.mask)];
#else
    return attacks::slow_bishop(square, occupied);
#endif
}
inline Bitboard queen_attacks(Square square, Bitboard occupied) {
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
}
// Of a knight, bishop, rook, queen or king.
inline Bitboard attacks_of(Kind kind, Square square, Bitboard occupied) {
    switch (kind) {
        case Kind::Knight:
            return knight_attacks(square);
        case Kind::Bishop:
            return bishop_attacks(square, occupied);
        case Kind::Rook:
            return rook_attacks(square, occupied);
        case Kind::Queen:
            return queen_attacks(square, occupied);
        default:
            return king_attacks(square);
    }
}

inline Bitboard between(Square a, Square b) { return attacks::kTables.between[a.index][b.index]; }
inline Bitboard line_through(Square a, Square b) { return attacks::kTables.line[a.index][b.index]; }

}  // namespace okapi
