// Positions from inside searches, and what searches say about them: what a move network learns from, as in lai2015,
// section 6.3.
#pragma once

#include <cstdint>
#include <span>

#include "okapi/eval/evaluator.h"
#include "okapi/samples/packed.h"

namespace okapi {

struct LabelOptions {
    std::uint64_t nodes = 1000;  // of each search
    int threads = 1;
};

// Writes the move that a search finds best in each position (none where none is legal) and its value: centipawns for
// the side to move, as search has them. Each position is searched on its own: nothing is left from one for the next,
// and endgame tables are left out. Throws InvalidPosition with the number of a row that is none.
void best_moves(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options, std::span<Move> moves,
                std::span<std::int32_t> values);

struct Draw {
    std::size_t each;    // so many different positions from each search, or all if there are fewer
    std::uint64_t seed;  // with the number of the row, all that chance depends on
};

// Draws evenly among the positions whose moves a search of each row tried; quiescence does not count. Writes them
// `each` rows apart, and how many there are. Throws as best_moves() does.
void inner_nodes(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options, const Draw& draw,
                 std::span<PackedPosition> nodes, std::span<std::uint32_t> counts);

}  // namespace okapi
