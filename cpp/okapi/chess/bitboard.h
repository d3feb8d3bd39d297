// Sets of squares as 64 bits, and walking over them.
#pragma once

#include <bit>
#include <cstdint>

#include "okapi/chess/types.h"

namespace okapi {

using Bitboard = std::uint64_t;

constexpr Bitboard bit(Square square) { return Bitboard(1) << square.index; }
constexpr Bitboard bits(File file) { return 0x0101010101010101ULL << int(file); }
constexpr Bitboard bits(Rank rank) { return 0xFFULL << (8 * int(rank)); }

inline constexpr Bitboard kDarkSquares = 0xAA55AA55AA55AA55ULL;  // a1 and those a bishop reaches from there

constexpr bool contains(Bitboard set, Square square) { return (set >> square.index) & 1; }
constexpr int count(Bitboard set) { return std::popcount(set); }
constexpr bool several(Bitboard set) { return (set & (set - 1)) != 0; }
constexpr Square first(Bitboard set) { return Square(std::countr_zero(set)); }

constexpr Bitboard north(Bitboard set) { return set << 8; }
constexpr Bitboard south(Bitboard set) { return set >> 8; }
constexpr Bitboard east(Bitboard set) { return (set & ~bits(File::H)) << 1; }
constexpr Bitboard west(Bitboard set) { return (set & ~bits(File::A)) >> 1; }

// One step towards the enemy for pawns of `color`.
constexpr Bitboard forward(Bitboard set, Color color) { return color == Color::White ? north(set) : south(set); }

// `for (Square square : squares(set))` visits the members from a1 to h8.
class squares {
public:
    constexpr explicit squares(Bitboard set) : set_(set) {}

    struct iterator {
        Bitboard left;
        constexpr Square operator*() const { return first(left); }
        constexpr iterator& operator++() {
            left &= left - 1;
            return *this;
        }
        constexpr bool operator!=(const iterator& other) const { return left != other.left; }
    };
    constexpr iterator begin() const { return {set_}; }
    constexpr iterator end() const { return {0}; }

private:
    Bitboard set_;
};

}  // namespace okapi
