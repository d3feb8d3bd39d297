// Two evaluators as one: a good one for values, and a cheap one for bounds of the value.
#pragma once

#include <atomic>

#include "okapi/eval/evaluator.h"

namespace okapi {

// Counts of the cheap one, for measurements: while counting, every value is computed and compared.
struct RangeTally {
    std::atomic<std::uint64_t> asked{0};    // ranges
    std::atomic<std::uint64_t> needed{0};   // where the value was needed all the same
    std::atomic<std::uint64_t> outside{0};  // where the value is not in the range
};

class Bounded final : public Evaluator {
public:
    Bounded(std::unique_ptr<Evaluator> evaluator, std::unique_ptr<Evaluator> bounds,
            std::shared_ptr<RangeTally> tally = nullptr);

    int value(const Position& position) override;
    std::optional<Range> range(const Position& position) override;
    std::unique_ptr<Evaluator> clone() const override;

    void reset(const Position& position) override;
    void push(const Position& before, Move move) override;
    void pop() override;
    bool wants_batches() const override { return evaluator_->wants_batches(); }
    void expect(Position& position, const MoveList& moves) override { evaluator_->expect(position, moves); }
    std::vector<int> values(const std::vector<Position>& positions) override { return evaluator_->values(positions); }

private:
    std::unique_ptr<Evaluator> evaluator_, bounds_;
    std::shared_ptr<RangeTally> tally_;
    Key asked_for_ = 0;  // the position of the last range, while counting
};

}  // namespace okapi
