// What searches of a few plies choose in many positions: the exercises that a learner is examined with.
#pragma once

#include <span>

#include "okapi/eval/evaluator.h"
#include "okapi/samples/packed.h"
#include "okapi/search/heuristics.h"

namespace okapi {

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
