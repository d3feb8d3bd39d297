#include "okapi/eval/giraffe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "okapi/eval/kernels.h"

namespace okapi {

namespace {

using giraffe::Features;
using giraffe::kModalities;
using giraffe::Modality;

// tanh(z) is twice the expected score less 1, so z is linear in centipawns.
constexpr double kCentipawns = 2 * 400 / 2.302585092994046;

// The first layer of one modality. A column holds, output by output, the weights of two features.
struct FirstLayer {
    FirstLayer(const Modality& modality, const DenseLayer& dense);

    std::size_t first_pair, pairs;
    std::size_t size;  // outputs, padded
    AlignedVector<std::int16_t> columns;
    AlignedVector<float> scale, bias;
};

FirstLayer::FirstLayer(const Modality& modality, const DenseLayer& dense)
    : first_pair(modality.begin / 2),
      pairs((modality.end - modality.begin) / 2),
      size(padded(dense.outputs)),
      columns(2 * pairs * size),
      scale(size),
      bias(size) {
    std::ranges::copy(dense.bias, bias.begin());
    for (std::size_t output = 0; output < dense.outputs; ++output) {
        const float* row = dense.weights.data() + output * dense.inputs;
        double most = 0, sum = 0;
        for (std::size_t i = 0; i < modality.count; ++i) {
            most = std::max(most, double(std::abs(row[i])));
            sum += double(std::abs(row[i])) * giraffe::most(modality.first + i);
        }
        if (most == 0) continue;
        // A weight has to fit 16 bits, and the sum of all features 32.
        const double whole = std::min(std::numeric_limits<std::int16_t>::max() / most,
                                      std::numeric_limits<std::int32_t>::max() / (1.01 * giraffe::kUnit * sum));
        scale[output] = float(1 / (whole * giraffe::kUnit));
        for (std::size_t i = 0; i < modality.count; ++i) {
            const std::size_t place = giraffe::kPlaces[modality.first + i] - modality.begin;
            columns[place / 2 * 2 * size + 2 * output + place % 2] = std::int16_t(std::lround(double(row[i]) * whole));
        }
    }
}

}  // namespace

struct Giraffe::Network {
    Network(const GiraffeWeights& weights, const Kernels& fastest);

    Kernels kernels;
    bool mover;
    std::vector<FirstLayer> first;
    std::size_t joining = 0;                           // outputs of all first layers, padded each
    std::size_t joined;                                // padded
    AlignedVector<float> joined_weights, joined_bias;  // a row for each input
    AlignedVector<float> output_weights;
    float output_bias;
};

Giraffe::Network::Network(const GiraffeWeights& weights, const Kernels& fastest)
    : kernels(fastest),
      mover(weights.mover),
      joined(padded(weights.joined.outputs)),
      joined_bias(joined),
      output_weights(joined),
      output_bias(weights.output.bias[0]) {
    for (std::size_t i = 0; i < kModalities.size(); ++i) {
        first.emplace_back(kModalities[i], weights.first[i]);
        joining += first.back().size;
    }
    joined_weights.resize(joining * joined);
    float* row = joined_weights.data();
    std::size_t input = 0;
    for (const DenseLayer& part : weights.first) {
        for (std::size_t i = 0; i < part.outputs; ++i, ++input)
            for (std::size_t output = 0; output < weights.joined.outputs; ++output)
                row[i * joined + output] = weights.joined.weights[output * weights.joined.inputs + input];
        row += padded(part.outputs) * joined;
    }
    std::ranges::copy(weights.joined.bias, joined_bias.begin());
    std::ranges::copy(weights.output.weights, output_weights.begin());
}

Giraffe::Giraffe(const GiraffeWeights& weights, const Kernels& kernels)
    : Giraffe(std::make_shared<const Network>(weights, kernels)) {}

Giraffe::Giraffe(std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      joining_(network_->joining),
      joined_(network_->joined),
      where_(std::max(network_->joining, Features::kPairs) + kLane),
      active_(network_->joining + kLane),
      changes_(Features::kPairs + kLane) {
    for (Seen& seen : seen_) seen.sums.resize(network_->joining);
}

std::unique_ptr<Evaluator> Giraffe::clone() const { return std::unique_ptr<Evaluator>(new Giraffe(network_)); }

int Giraffe::value(const Position& position) {
    Memory& memory = memory_[position.key() & (kRemembered - 1)];
    if (!memory.filled || memory.key != position.key()) {
        const double centipawns = kCentipawns * double(answer(position));
        constexpr double kMost = kMaxEvaluation;
        const bool number = !std::isnan(centipawns);
        memory = {position.key(), number ? int(std::lround(std::clamp(centipawns, -kMost, kMost))) : kDraw, true};
    }
    return memory.value;
}

float Giraffe::answer(const Position& position) {
    const Network& network = *network_;
    const Kernels& kernels = network.kernels;
    Seen& seen = seen_[std::size_t(position.turn())];
    look_at(position, seen);
    std::size_t done = 0;
    for (const FirstLayer& layer : network.first) {
        kernels.to_floats(joining_.data() + done, seen.sums.data() + done, layer.scale.data(), layer.bias.data(), 1,
                          layer.size);
        done += layer.size;
    }
    kernels.activate(joining_.data(), Activation::Relu, network.joining);
    const std::size_t count = kernels.find_active(joining_.data(), network.joining, where_.data(), active_.data());
    std::ranges::copy(network.joined_bias, joined_.begin());
    kernels.accumulate(joined_.data(), network.joined_weights.data(), network.joined, where_.data(), active_.data(),
                       count);
    kernels.activate(joined_.data(), Activation::Relu, network.joined);
    const float z = kernels.dot(joined_.data(), network.output_weights.data(), network.joined) + network.output_bias;
    return network.mover || position.turn() == Color::White ? z : -z;
}

void Giraffe::look_at(const Position& position, Seen& seen) {
    const Network& network = *network_;
    Features now;
    giraffe::write(network.mover ? giraffe::seen_by_mover(position) : giraffe::seen_by_white(position), now);
    std::int32_t* sums = seen.sums.data();
    for (const FirstLayer& layer : network.first) {
        const std::size_t count = network.kernels.find_changed(seen.features.numbers.data() + 2 * layer.first_pair,
                                                               now.numbers.data() + 2 * layer.first_pair, layer.pairs,
                                                               where_.data(), changes_.data());
        network.kernels.add_pairs(sums, layer.columns.data(), layer.size, where_.data(), changes_.data(), count);
        sums += layer.size;
    }
    seen.features = now;
}

}  // namespace okapi
