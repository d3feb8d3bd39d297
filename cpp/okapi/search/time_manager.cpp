#include "okapi/search/time_manager.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "okapi/eval/checked.h"

namespace okapi {

void TimeManager::start(const Limits& limits, Color turn) {
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
void TimeManager::share_out(const Limits& limits, const Limits::Clock& clock) {
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

void TimeManager::ponder_hit() { counted_from_.store(Steady::now(), std::memory_order_relaxed); }

double default_time_factor(const IterationStats& stats) {
    const double by_stability = 1.25 - 0.06 * std::min(stats.stable_for, 9.0);
    const double by_effort = 1.55 - 1.05 * stats.effort;
    const double by_value = std::clamp(1.0 + (stats.value_before - stats.value) / 120.0, 0.9, 1.5);
    return by_stability * by_effort * by_value;
}

IterationStats::Features IterationStats::features() const {
    const double grown = double(nodes) / double(std::max<std::uint64_t>(1, nodes_before));
    const int fallen = std::clamp(value_before - value, -200, 200);
    return {float(depth) / 10,
            float(std::log2(std::max(1, moves))) / 5,
            float(std::min(stable_for, 12.0)) / 10,
            stable_for == 0 ? 1.0f : 0.0f,
            float(changes) / float(std::max(1, depth)),
            float(effort),
            float(fallen) / 100,
            float(std::clamp(std::log2(grown), 0.0, 4.0))};
}

TimeNetwork::TimeNetwork(const Brain& brain) {
    using namespace checked;
    if (brain.kind() != "time" || brain.encoding() != "moments-8")
        refuse(brain, "it does not allot time. `okapi train time` makes one that does");
    const auto& shape = tensor(brain, "hidden.weight").shape;
    const std::int64_t nodes = shape.empty() ? 0 : shape[0];
    if (nodes < 1 || nodes > 256)
        refuse(brain, "its hidden layer has " + std::to_string(nodes) + " nodes, expected 1 to 256. Train it again");
    check_tensor_count(brain, 5);
    hidden_ = weights(brain, "hidden.weight", {nodes, std::int64_t(IterationStats::kFeatures)});
    bias_ = weights(brain, "hidden.bias", {nodes});
    output_ = weights(brain, "output.weight", {1, nodes});
    output_bias_ = weights<1>(brain, "output.bias")[0];
    const auto settings = weights<4>(brain, "patience");
    scale_ = settings[0], power_ = settings[1], least_ = settings[2], most_ = settings[3];
    if (scale_ <= 0 || least_ <= 0 || most_ < least_)
        refuse(brain, "its patience is not a scale, a power and two rising limits above 0. Train it again");
}

double TimeNetwork::doubt(const IterationStats::Features& seen) const {
    double sum = output_bias_;
    for (std::size_t node = 0; node < bias_.size(); ++node) {
        double excitement = bias_[node];
        for (std::size_t i = 0; i < seen.size(); ++i)
            excitement += double(hidden_[node * seen.size() + i]) * double(seen[i]);
        sum += std::max(0.0, excitement) * double(output_[node]);
    }
    return 1 / (1 + std::exp(-sum));
}

double TimeNetwork::of(const IterationStats& stats) const {
    return std::clamp(scale_ * std::pow(doubt(stats.features()), power_), least_, most_);
}

}  // namespace okapi
