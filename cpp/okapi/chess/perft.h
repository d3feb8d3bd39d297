// Counting the leaves of the tree of legal moves: the proof that the rules are right.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "okapi/chess/position.h"

namespace okapi {

std::uint64_t perft(Position& position, int depth);
// The same, for each move at the root.
std::vector<std::pair<Move, std::uint64_t>> perft_divide(Position& position, int depth);

}  // namespace okapi
