// The four searches of vazquez2012, section 2.5, as it writes them: no table, no ordering, no quiescence. They agree on
// the value and differ in how many nodes they need for it; the last is what the engine's search is with everything
// switched off. Below them the search of lai2015, section 5.3, which ends where a line becomes too unlikely.
#pragma once

#include <cstdint>
#include <string_view>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"

namespace okapi::classic {

struct Result {
    int value;            // for the side to move
    std::uint64_t nodes;  // positions visited, the root not counted
};

Result minimax(Position& position, Evaluator& evaluator, int depth);
Result negamax(Position& position, Evaluator& evaluator, int depth);
Result branch_and_bound(Position& position, Evaluator& evaluator, int depth);
Result alpha_beta(Position& position, Evaluator& evaluator, int depth);

// Every legal move of a position is as likely as the others; lines below the threshold are not followed.
Result likely_minimax(Position& position, Evaluator& evaluator, double threshold);
Result likely_alpha_beta(Position& position, Evaluator& evaluator, double threshold);

}  // namespace okapi::classic
