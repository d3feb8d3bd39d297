#include "okapi/eval/bounded.h"

namespace okapi {

Bounded::Bounded(std::unique_ptr<Evaluator> evaluator, std::unique_ptr<Evaluator> bounds,
                 std::shared_ptr<RangeTally> tally)
    : evaluator_(std::move(evaluator)), bounds_(std::move(bounds)), tally_(std::move(tally)) {}

int Bounded::value(const Position& position) {
    if (tally_ && position.key() == asked_for_) {
        ++tally_->needed;
        asked_for_ = 0;
    }
    return evaluator_->value(position);
}

std::optional<Range> Bounded::range(const Position& position) {
    const std::optional<Range> range = bounds_->range(position);
    if (tally_ && range) {
        ++tally_->asked;
        asked_for_ = position.key();
        const int value = evaluator_->value(position);
        if (value < range->low || value > range->high) ++tally_->outside;
    }
    return range;
}

std::unique_ptr<Evaluator> Bounded::clone() const {
    return std::make_unique<Bounded>(evaluator_->clone(), bounds_->clone(), tally_);
}

void Bounded::reset(const Position& position) {
    evaluator_->reset(position);
    bounds_->reset(position);
}

void Bounded::push(const Position& before, Move move) {
    evaluator_->push(before, move);
    bounds_->push(before, move);
}

void Bounded::pop() {
    evaluator_->pop();
    bounds_->pop();
}

}  // namespace okapi
