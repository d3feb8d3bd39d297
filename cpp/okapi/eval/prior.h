// The interface between search and move networks: how likely is each move to be the best?
#pragma once

#include <memory>
#include <span>

#include "okapi/chess/position.h"
#include "okapi/eval/brain.h"

namespace okapi {

// Prior probabilities of the moves of a position. One object serves one thread; clone() makes
// another for the next.
class MovePrior {
public:
    virtual ~MovePrior() = default;

    // Fills in how likely each of `moves`, which are all legal moves of `position`, is to be the best one. Neither is
    // negative, and together they are one. Never called without a move.
    virtual void probabilities(const Position& position, std::span<const Move> moves, std::span<float> out) = 0;
    virtual std::unique_ptr<MovePrior> clone() const = 0;
};

}  // namespace okapi
