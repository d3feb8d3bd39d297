// An evaluator that asks somebody else, many positions at a time: ten lines of Python can be one.
#pragma once

#include <functional>
#include <vector>

#include "okapi/eval/evaluator.h"

namespace okapi {

// Centipawns for the side to move of each position, in their order.
using Opinion = std::function<std::vector<int>(const std::vector<Position>&)>;

class Callback final : public Evaluator {
public:
    explicit Callback(Opinion opinion);

    // Asks only about a position that is not remembered. Throws what `opinion` throws, and std::runtime_error if it
    // answers with another number of values than it was asked for.
    int value(const Position& position) override;
    // Asks at once about every child that is not remembered yet. `position` is unchanged afterwards, also if this
    // throws.
    void expect(Position& position, const MoveList& moves) override;
    bool wants_batches() const override { return true; }
    // Asks about all at once.
    std::vector<int> values(const std::vector<Position>& positions) override { return ask(positions); }
    // The copy asks the same opinion, perhaps from another thread, and remembers for itself.
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Callback>(opinion_); }

private:
    struct Memory {
        Key key = 0;
        int value = 0;
        bool filled = false;
        bool holds(Key wanted) const { return filled && key == wanted; }
    };
    // Bounds the memory; a newer position takes the place of an older one.
    static constexpr std::size_t kRemembered = 1 << 16;
    Memory& memory_of(Key key) { return memory_[key & (kRemembered - 1)]; }
    std::vector<int> ask(const std::vector<Position>& positions);

    Opinion opinion_;
    std::vector<Memory> memory_;
};

}  // namespace okapi
