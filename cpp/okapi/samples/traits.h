// Facts about a position and a move in it, for filters and the doctor.
#pragma once

#include <cstdint>
#include <optional>

#include "okapi/samples/packed.h"

namespace okapi {

// Bits, so that an array of them is small.
enum class Trait : std::uint16_t {
    Broken = 1,         // the bytes are no position; no other bit is set
    InCheck = 2,        // the side to move
    Checkmate = 4,      // of the side to move
    Stalemate = 8,      // of the side to move
    Insufficient = 16,  // neither side can ever mate
    Illegal = 32,       // there is a move, but the rules do not allow it; no other bit of the move is set
    Capture = 64,       // the move takes something
    Promotion = 128,    // the move promotes a pawn
    Check = 256,        // the move gives check
    Chess960 = 512,     // a right to castle that standard chess does not know
};

using Traits = std::uint16_t;

constexpr Traits operator|(Traits traits, Trait trait) { return Traits(traits | Traits(trait)); }
constexpr bool has(Traits traits, Trait trait) { return traits & Traits(trait); }

// Move::none() where no move was chosen. Any bytes will do.
Traits traits(const PackedPosition& packed, Move move);

// The side to move is not in check, and the move, if there is one, is no capture and no promotion. Any bytes will do;
// those that are no position are not quiet. Whether the move is legal is not looked at.
bool is_quiet(const PackedPosition& packed, Move move);

// The position after one of its legal moves: number `choice` of them, modulo their count. Nothing, if there is none.
std::optional<PackedPosition> after_random_move(const PackedPosition& packed, std::uint64_t choice);

}  // namespace okapi
