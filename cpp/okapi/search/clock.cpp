#include "okapi/search/clock.h"

#include <algorithm>

namespace okapi {

void Clock::start(const Limits& limits, Color turn) {
    start_ = Steady::now();
    counted_from_.store(start_, std::memory_order_relaxed);
    timed_ = fixed_ = false;
    optimum_ms_ = 0;
    maximum_ms_ = 0;
    if (limits.infinite) return;
    if (limits.movetime_ms > 0) {
        timed_ = fixed_ = true;
        maximum_ms_ = std::max<std::int64_t>(
            1, limits.movetime_ms - std::min<std::int64_t>(limits.overhead_ms, limits.movetime_ms / 10));
    } else if (const auto& clock = limits.clocks[std::size_t(turn)]) {
        timed_ = true;
        share_out(limits, *clock);
    }
}

// Without a number of moves to go, a twenty-second of what is left and most of the increment; five times that if the
// search asks for it, but never more than a third of what is left. A reserve stays out of it: on a busy machine a
// thread may have to wait so long for a processor, and games with an increment go on for long with little more than
// that.
void Clock::share_out(const Limits& limits, const Limits::Clock& clock) {
    constexpr std::int64_t kReserveMs = 100;
    const std::int64_t reserve = limits.moves_to_go > 0 ? 0 : std::min(kReserveMs, clock.time_ms / 2);
    const double left = double(std::max<std::int64_t>(1, clock.time_ms - limits.overhead_ms - reserve));
    const double increment = double(std::max<std::int64_t>(0, clock.increment_ms));
    double most = 0;
    if (limits.moves_to_go > 0) {
        const double moves = std::min(limits.moves_to_go, 40);
        optimum_ms_ = 0.9 * left / (moves + 0.5) + 0.7 * increment;
        most = limits.moves_to_go == 1 ? 0.9 * left : 0.6 * left;
    } else {
        optimum_ms_ = left / 22 + 0.7 * increment;
        most = left / 3;
    }
    optimum_ms_ = std::min(optimum_ms_, 0.8 * most);
    maximum_ms_ = std::max<std::int64_t>(1, std::int64_t(std::min(5 * optimum_ms_, most)));
}

void Clock::ponder_hit() { counted_from_.store(Steady::now(), std::memory_order_relaxed); }

}  // namespace okapi
