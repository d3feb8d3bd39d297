// Where pieces are in danger.
#pragma once

#include <array>

#include "okapi/chess/position.h"

namespace okapi {

// Squares that this side attacks.
Bitboard attacked_by(const Position& position, Color side);

// By kind: squares where a piece of the side to move would be attacked by a cheaper one. Nothing for pawns and kings.
using Threats = std::array<Bitboard, 6>;
Threats threats(const Position& position);

}  // namespace okapi
