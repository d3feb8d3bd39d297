// Positions from inside searches, and labels of searches: training data of a move network, as in lai2015,
// section 6.3.
#pragma once

#include <cstdint>
#include <span>

#include "okapi/eval/evaluator.h"
#include "okapi/samples/packed.h"
#include "okapi/search/heuristics.h"
#include "okapi/search/time_manager.h"

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

// One finished depth; the same bytes are a row of a numpy array.
struct RecordedIteration {
    IterationStats::Features features{};
    std::uint64_t nodes = 0;  // until then
    float usual = 0;          // the time factor without a network
    std::uint16_t best = 0;   // Move.bits
    std::uint16_t depth = 0;  // 0: the search was over before
};
static_assert(sizeof(RecordedIteration) == 48);

// Searches each position with so many nodes and writes a row for each depth that was finished, as far as there is
// room: `iterations` has the same number of rows for each position. Each is searched on its own, as best_moves() does.
void record_iterations(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options,
                       std::span<RecordedIteration> iterations);

struct ChoiceOptions {
    int depth = 1;            // plies, then quiescence
    Heuristics heuristics{};  // table, correction history and endgame tables are left out in any case
    int threads = 1;
};

// Writes the move that each evaluator chooses in each position, evaluator after evaluator; none where no move is legal.
// Nothing is left from one choice for the next: each depends on its evaluator and its position alone. Throws
// InvalidPosition with the number of a row that is none.
void choose_moves(std::span<const Evaluator* const> evaluators, const PackedRows& rows, const ChoiceOptions& options,
                  std::span<Move> chosen);

}  // namespace okapi
