// An evaluator that calls a function with many positions at a time, for example a Python function.
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

    // Calls the function only for a position that is not cached. Throws what `opinion` throws, and std::runtime_error
    // if it returns another number of values.
    int value(const Position& position) override;
    // Asks at once about every child that is not remembered yet. `position` is unchanged afterwards, also if this
    // throws.
    void expect(Position& position, const MoveList& moves) override;
    bool wants_batches() const override { return true; }
    // Asks about all at once.
    std::vector<int> values(const std::vector<Position>& positions) override { return ask(positions); }
    // The copy calls the same function, perhaps from another thread, and has its own cache.
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
