#include "okapi/search/time_manager.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "okapi/eval/checked.h"

namespace okapi {

double usual_patience(const Moment& moment) {
    const double by_stability = 1.25 - 0.06 * std::min(moment.stable_for, 9.0);
    const double by_effort = 1.55 - 1.05 * moment.effort;
    const double by_value = std::clamp(1.0 + (moment.value_before - moment.value) / 120.0, 0.9, 1.5);
    return by_stability * by_effort * by_value;
}

Moment::Features Moment::features() const {
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

Patience::Patience(const Brain& brain) {
    using namespace checked;
    if (brain.kind() != "time" || brain.encoding() != "moments-8")
        refuse(brain, "it does not allot time. `okapi train time` makes one that does");
    const auto& shape = tensor(brain, "hidden.weight").shape;
    const std::int64_t nodes = shape.empty() ? 0 : shape[0];
    if (nodes < 1 || nodes > 256)
        refuse(brain, "its hidden layer has " + std::to_string(nodes) + " nodes, expected 1 to 256. Train it again");
    check_tensor_count(brain, 5);
    hidden_ = weights(brain, "hidden.weight", {nodes, std::int64_t(Moment::kFeatures)});
    bias_ = weights(brain, "hidden.bias", {nodes});
    output_ = weights(brain, "output.weight", {1, nodes});
    output_bias_ = weights<1>(brain, "output.bias")[0];
    const auto patience = weights<4>(brain, "patience");
    scale_ = patience[0], power_ = patience[1], least_ = patience[2], most_ = patience[3];
    if (scale_ <= 0 || least_ <= 0 || most_ < least_)
        refuse(brain, "its patience is not a scale, a power and two rising limits above 0. Train it again");
}

double Patience::doubt(const Moment::Features& seen) const {
    double sum = output_bias_;
    for (std::size_t node = 0; node < bias_.size(); ++node) {
        double excitement = bias_[node];
        for (std::size_t i = 0; i < seen.size(); ++i)
            excitement += double(hidden_[node * seen.size() + i]) * double(seen[i]);
        sum += std::max(0.0, excitement) * double(output_[node]);
    }
    return 1 / (1 + std::exp(-sum));
}

double Patience::of(const Moment& moment) const {
    return std::clamp(scale_ * std::pow(doubt(moment.features()), power_), least_, most_);
}

}  // namespace okapi
