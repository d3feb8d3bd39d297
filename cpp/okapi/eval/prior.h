// The seam between search and an opinion about moves: how likely is each to be the best?
#pragma once

#include <memory>
#include <span>

#include "okapi/chess/position.h"
#include "okapi/eval/brain.h"

namespace okapi {

// An opinion about the moves of a position, before any of them is tried. One object serves one thread; clone() makes
// another for the next.
class MovePrior {
public:
    virtual ~MovePrior() = default;

    // Fills in how likely each of `moves`, which are all legal moves of `position`, is to be the best one. Neither is
    // negative, and together they are one. Never called without a move.
    virtual void probabilities(const Position& position, std::span<const Move> moves, std::span<float> out) = 0;
    virtual std::unique_ptr<MovePrior> clone() const = 0;
};

// Throws InvalidBrain where a brain has no such opinion, or this build cannot read it.
std::unique_ptr<MovePrior> make_prior(const Brain& brain);

}  // namespace okapi
