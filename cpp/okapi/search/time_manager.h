// Time management: an optimum and a maximum for each move, and how much of the optimum a search uses. A rule decides
// that, or a small network that predicts whether the best move will still change (lai2015, section 7.1.1).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "okapi/chess/move.h"
#include "okapi/chess/types.h"
#include "okapi/search/limits.h"

namespace okapi {

struct Brain;

class TimeManager {
public:
    // Starts now.
    void start(const Limits& limits, Color turn);
    // The limits of a pondering search begin to count now.
    void ponder_hit();

    bool is_timed() const { return timed_; }
    std::int64_t elapsed_ms() const { return since(start_); }
    // Past what may be used at most?
    bool is_over() const { return timed_ && thinking_ms() >= maximum_ms_; }
    // Not worth another depth? `time_factor` above 1 asks for more time than usual.
    bool is_enough(double time_factor) const {
        return timed_ && !fixed_ && double(thinking_ms()) >= optimum_ms_ * time_factor;
    }

    std::int64_t optimum_ms() const { return std::int64_t(optimum_ms_); }
    std::int64_t maximum_ms() const { return maximum_ms_; }

private:
    using Steady = std::chrono::steady_clock;
    static std::int64_t since(Steady::time_point then) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - then).count();
    }
    std::int64_t thinking_ms() const { return since(counted_from_.load(std::memory_order_relaxed)); }
    void share_out(const Limits& limits, const Limits::Clock& clock);

    Steady::time_point start_{};
    std::atomic<Steady::time_point> counted_from_{};
    bool timed_ = false;
    bool fixed_ = false;  // movetime: use it all
    double optimum_ms_ = 0;
    std::int64_t maximum_ms_ = 0;
};

// What is known when a depth is finished.
struct IterationStats {
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
double default_time_factor(const IterationStats& stats);

// A `time` brain: one hidden layer (relu), one output, and what is made of it.
class TimeNetwork {
public:
    explicit TimeNetwork(const Brain& brain);  // throws InvalidBrain

    // The probability that four times as many nodes would change the move.
    double doubt(const IterationStats::Features& seen) const;
    // As default_time_factor(): scale * doubt^power, within least and most.
    double of(const IterationStats& stats) const;

private:
    std::vector<float> hidden_, bias_, output_;
    float output_bias_;
    double scale_, power_, least_, most_;
};

}  // namespace okapi
