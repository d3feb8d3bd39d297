// How long to go on thinking, by what is known between two depths: by a rule, or by a small network that says how
// likely it is that the best move will still change (lai2015, section 7.1.1).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "okapi/chess/move.h"

namespace okapi {

struct Brain;

// What is known when a depth is finished.
struct Moment {
    static constexpr std::size_t kFeatures = 8;
    using Features = std::array<float, kFeatures>;

    int depth = 0;
    int moves = 0;          // legal ones
    double stable_for = 0;  // plies for which the best move stayed the same
    int changes = 0;        // of the best move until now
    double effort = 0;      // the share of all nodes that went into the best move
    int value = 0;          // centipawns for the side to move, now and one depth before
    int value_before = 0;
    std::uint64_t nodes = 0;  // until now, and until one depth before
    std::uint64_t nodes_before = 0;
    Move best{};

    // What the network sees, each about as large as 1.
    Features features() const;
};

// The share of the usual time after which it is enough. The rule: hurry when the best move has long been the same and
// took most of the work; take time when the value falls.
double usual_patience(const Moment& moment);

// A `time` brain: one hidden layer (relu), one output, and what is made of it.
class Patience {
public:
    explicit Patience(const Brain& brain);  // throws InvalidBrain

    // How likely it is that four times as much thought would change the move.
    double doubt(const Moment::Features& seen) const;
    // As usual_patience(): scale * doubt^power, within least and most.
    double of(const Moment& moment) const;

private:
    std::vector<float> hidden_, bias_, output_;
    float output_bias_;
    double scale_, power_, least_, most_;
};

}  // namespace okapi
