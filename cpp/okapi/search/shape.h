// The shape of the tree: every node has a budget, every move costs some of it, and at nothing left quiescence takes
// over. One ply is kPly, so that a shape may charge parts of a ply.
#pragma once

#include "okapi/chess/position.h"

namespace okapi {

using Budget = int;
inline constexpr Budget kPly = 1024;

constexpr int plies(Budget budget) { return budget >= 0 ? budget / kPly : 0; }

// What a move costs. One object serves all threads.
class Cost {
public:
    virtual ~Cost() = default;
    virtual Budget of(const Position& before, Move move) const = 0;
};

// Depth: every move costs one ply.
class DepthCost final : public Cost {
public:
    Budget of(const Position&, Move) const override { return kPly; }
};

}  // namespace okapi
