// A move in 16 bits, and a list of moves that needs no allocation.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "okapi/chess/types.h"

namespace okapi {

enum class MoveType : std::uint8_t { Normal, Promotion, EnPassant, Castling };

// bits 0-5: from, 6-11: to, 12-13: promotion kind less one knight, 14-15: type.
// Castling is the king taking its own rook: the one form that is unambiguous in Chess960.
struct Move {
    std::uint16_t bits = 0;

    constexpr Move() = default;
    constexpr explicit Move(std::uint16_t raw) : bits(raw) {}
    constexpr Move(Square from, Square to, MoveType type = MoveType::Normal, Kind promotion = Kind::Knight)
        : bits(std::uint16_t(from.index | (to.index << 6) | ((int(promotion) - 1) << 12) | (int(type) << 14))) {}
    static constexpr Move none() { return Move{}; }

    constexpr bool exists() const { return bits != 0; }
    constexpr Square from() const { return Square(bits & 63); }
    constexpr Square to() const { return Square((bits >> 6) & 63); }
    constexpr MoveType type() const { return MoveType(bits >> 14); }
    constexpr Kind promotion() const { return Kind(((bits >> 12) & 3) + 1); }
    constexpr bool promotes() const { return type() == MoveType::Promotion; }
    constexpr bool castles() const { return type() == MoveType::Castling; }
    constexpr bool operator==(const Move&) const = default;
};

// No position has more than 218 legal moves.
class MoveList {
public:
    MoveList() {}
    void add(Move move) {
        assert(size_ < 256);
        moves_[size_++] = move;
    }
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](int i) const { return moves_[std::size_t(i)]; }
    const Move* begin() const { return moves_.data(); }
    const Move* end() const { return moves_.data() + size_; }
    bool contains(Move move) const {
        for (Move m : *this)
            if (m == move) return true;
        return false;
    }

private:
    union {
        std::array<Move, 256> moves_;  // in a union, so that it is not zeroed
    };
    int size_ = 0;
};

}  // namespace okapi
