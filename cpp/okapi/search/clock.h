// How long to think: a time worth stopping at between depths, and a time never to pass.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "okapi/chess/types.h"
#include "okapi/search/limits.h"

namespace okapi {

class Clock {
public:
    // Starts now.
    void start(const Limits& limits, Color turn);
    // The limits of a pondering search begin to count now.
    void ponder_hit();

    bool is_timed() const { return timed_; }
    std::int64_t elapsed_ms() const { return since(start_); }
    // Past what may be used at most?
    bool is_over() const { return timed_ && thinking_ms() >= maximum_ms_; }
    // Not worth another depth? `patience` above 1 asks for more time than usual.
    bool is_enough(double patience) const {
        return timed_ && !fixed_ && double(thinking_ms()) >= optimum_ms_ * patience;
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

}  // namespace okapi
