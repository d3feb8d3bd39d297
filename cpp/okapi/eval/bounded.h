// Two evaluators as one: a good one for values, and a cheap one that says between what the value surely lies.
#pragma once

#include <atomic>

#include "okapi/eval/evaluator.h"

namespace okapi {

// How the cheap one does its work. For measurements: whoever counts also asks for every value, to see who is right.
struct RangeTally {
    std::atomic<std::uint64_t> asked{0};    // ranges
    std::atomic<std::uint64_t> needed{0};   // where the value had to be asked for all the same
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
    Key asked_for_ = 0;  // the position of the last range, while somebody counts
};

}  // namespace okapi
