// Prior probabilities of the moves of one node, and what each move costs.
#pragma once

#include <array>

#include "okapi/chess/move.h"
#include "okapi/search/budget.h"

namespace okapi {

class Priors {
public:
    Priors() {}

    // Every move costs the same.
    void charge_all(Budget cost) { flat_ = cost; }
    // A move costs the logarithm of its probability; likelier moves come first.
    void charge_by_probability() { by_probability_ = true; }
    void order_by_probability() { orders_ = true; }

    void add(Move move, float weight) { moves_[std::size_t(size_++)] = {move, weight}; }
    // From weights to probabilities.
    void normalise() {
        float sum = 0;
        for (int i = 0; i < size_; ++i) sum += moves_[std::size_t(i)].probability;
        for (int i = 0; i < size_; ++i) moves_[std::size_t(i)].probability /= sum;
    }

    bool empty() const { return size_ == 0; }
    bool by_probability() const { return by_probability_; }
    bool orders() const { return orders_; }
    Budget cost(Move move) const { return by_probability_ ? cost_of(probability(move)) : flat_; }
    // 0 for a move that nothing is known about.
    float probability(Move move) const {
        for (int i = 0; i < size_; ++i)
            if (moves_[std::size_t(i)].move == move) return moves_[std::size_t(i)].probability;
        return 0;
    }

private:
    struct Weighed {
        Move move;
        float probability;
    };

    Budget flat_ = kPly;
    bool by_probability_ = false;
    bool orders_ = false;
    int size_ = 0;
    union {
        std::array<Weighed, 256> moves_;  // in a union, so that it is not zeroed
    };
};

}  // namespace okapi
