// What can be said about a position and the move chosen in it without any opinion: what filters and the doctor ask.
#pragma once

#include <cstdint>

#include "okapi/samples/packed.h"

namespace okapi {

// Bits, so that an array of them is small.
enum class Trait : std::uint16_t {
    Broken = 1,         // the bytes are no position; nothing else is said
    InCheck = 2,        // the side to move
    Checkmate = 4,      // of the side to move
    Stalemate = 8,      // of the side to move
    Insufficient = 16,  // nobody can ever mate
    Illegal = 32,       // there is a move, but the rules do not allow it; nothing else is said about it
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

}  // namespace okapi
