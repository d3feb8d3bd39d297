// The smallest opinion: what stands on the board, and nothing else.
#pragma once

#include <array>

#include "okapi/eval/evaluator.h"

namespace okapi {

// Weights in centipawns, pawn to queen: 1 3 3 5 9 in the brain that ships.
class Material final : public Evaluator {
public:
    explicit Material(const std::array<float, 5>& weights);

    int value(const Position& position) override;
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Material>(*this); }

private:
    std::array<int, 5> weights_;  // in kUnit-ths of a centipawn
};

}  // namespace okapi
