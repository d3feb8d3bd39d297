// The sum of weight * factor / divisor over the factors of linear-28 and the six of more_factors.h.
#pragma once

#include "okapi/eval/linear/linear28.h"
#include "okapi/eval/linear/more_factors.h"

namespace okapi {

// What a linear-35 brain holds: first the weights of Factor, then those of MoreFactor.
struct AllFactorWeights {
    std::array<float, kAllFactors> weights{};
    std::array<float, kAllFactors> divisors{};
};

class Linear35 final : public Evaluator {
public:
    explicit Linear35(const AllFactorWeights& weights);

    int value(const Position& position) override;
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Linear35>(*this); }

private:
    // Of queens and bishops, for one side, in kUnit-ths of a centipawn. A bishop may be shut in by many pawns.
    template <Color us> std::int64_t more(const Position& position) const;

    Linear28 base_;
    std::array<std::array<int, 64>, 3> queen_;  // by column type, and by square as its side sees it
    int pawn_mobility_;
    int pawns_ahead_;
    std::array<std::array<int, kBishopPawns>, 2> obstructing_;  // own pawns and theirs, as the bishop's side sees them
};

}  // namespace okapi
