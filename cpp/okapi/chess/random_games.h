// Games of random moves: positions for tests and benchmarks, of every kind that the rules allow.
#pragma once

#include <functional>
#include <vector>

#include "okapi/chess/position.h"

namespace okapi {

// Hands so many positions to `look`: those of games that begin at `starts` in turn and go on until a side cannot move
// or 300 plies are played. The same seed gives the same on every machine.
void play_randomly(const std::vector<const Position*>& starts, std::size_t positions, std::uint64_t seed,
                   const std::function<void(const Position&)>& look);

}  // namespace okapi
