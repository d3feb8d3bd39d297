// A search of a few plies that chooses in many positions, one after the other, and remembers nothing in between. A
// Thinker would do the same, and spend most of the time on making ready.
#pragma once

#include <memory>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/search/heuristics.h"

namespace okapi {

class Chooser {
public:
    // Table, correction history and endgame tables are left out in any case.
    Chooser(std::unique_ptr<Evaluator> evaluator, int depth, const Heuristics& heuristics = {});
    ~Chooser();

    void set_evaluator(std::unique_ptr<Evaluator> evaluator);
    // None if there is no legal move. Of equals, the one that the search tries first.
    Move choose(const Position& position);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace okapi
