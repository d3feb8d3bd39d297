// Data generation: whole games of an evaluator against itself.
#pragma once

#include <cstdint>
#include <vector>

#include "okapi/eval/evaluator.h"
#include "okapi/samples/packed.h"
#include "okapi/selfplay/adjudication.h"

namespace okapi {

struct GenerationOptions {
    std::uint32_t first = 0;    // the number of the first game,
    std::size_t games = 1;      // and how many there are
    std::uint64_t nodes = 500;  // after so many, a search begins no new depth; after eight times as many it stops
    int random_plies = 8;       // before the first search, or one more, at random
    int balanced = 1000;        // centipawns by which a side may be ahead at first, else another opening is drawn
    Adjudication adjudication{};
    std::uint64_t seed = 0;
    int threads = 1;
};

// Every position that was searched, with its value, the move and the game's result: game after game, in
// order. A game begins with nothing remembered, and depends on the evaluator, its number and the options alone; never
// on the threads, or on the games beside it. One that is too long has no result.
std::vector<Sample> play_generation(const Evaluator& evaluator, const GenerationOptions& options);

}  // namespace okapi
