#include "okapi/eval/giraffe/giraffe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "okapi/eval/kernels/kernels.h"

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

    std::size_t begin, pairs;
    std::size_t size;  // outputs, padded
    AlignedVector<std::int16_t> columns;
    std::vector<float> scale, bias;
};

FirstLayer::FirstLayer(const Modality& modality, const DenseLayer& dense)
    : begin(modality.begin),
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
    JudgingLayers judging() const {
        return {inputs, size, scale.data(), bias.data(), joined.data(), joined_bias.data(), output.data()};
    }

    Kernels kernels;
    bool mover;
    std::vector<FirstLayer> first;
    std::size_t inputs = 0;            // outputs of all first layers, padded each
    std::size_t size;                  // nodes that join them, padded
    AlignedVector<float> scale, bias;  // of the first layers
    AlignedVector<float> joined, joined_bias;
    AlignedVector<float> output;
    float output_bias;
};

Giraffe::Network::Network(const GiraffeWeights& weights, const Kernels& fastest)
    : kernels(fastest),
      mover(weights.mover),
      size(padded(weights.joined.outputs)),
      joined_bias(size),
      output(size),
      output_bias(weights.output.bias[0]) {
    const DenseLayer& dense = weights.joined;
    std::size_t input = 0;
    for (std::size_t i = 0; i < kModalities.size(); ++i) {
        const FirstLayer& layer = first.emplace_back(kModalities[i], weights.first[i]);
        scale.insert(scale.end(), layer.scale.begin(), layer.scale.end());
        bias.insert(bias.end(), layer.bias.begin(), layer.bias.end());
        joined.resize((inputs + layer.size) * size);
        for (std::size_t row = inputs; row < inputs + weights.first[i].outputs; ++row, ++input)
            for (std::size_t node = 0; node < dense.outputs; ++node)
                joined[row * size + node] = dense.weights[node * dense.inputs + input];
        inputs += layer.size;
    }
    std::ranges::copy(dense.bias, joined_bias.begin());
    std::ranges::copy(weights.output.weights, output.begin());
}

Giraffe::Giraffe(const GiraffeWeights& weights, const Kernels& kernels)
    : Giraffe(std::make_shared<const Network>(weights, kernels)) {}

Giraffe::Giraffe(std::shared_ptr<const Network> network) : network_(std::move(network)) {
    for (Seen& seen : seen_) seen.sums.resize(network_->inputs);
}

std::unique_ptr<Evaluator> Giraffe::clone() const { return std::unique_ptr<Evaluator>(new Giraffe(network_)); }

int Giraffe::value(const Position& position) {
    Memory& memory = memory_[position.key() & (kRemembered - 1)];
    const std::uint64_t key = position.key() >> Memory::kValueBits;
    if (memory.key != key) {
        constexpr double kMost = kMaxEvaluation;
        const double centipawns = std::clamp(kCentipawns * double(answer(position)), -kMost, kMost);
        memory = {std::int64_t(std::lround(centipawns)), key};
    }
    return int(memory.value);
}

float Giraffe::answer(const Position& position) {
    Seen& seen = seen_[std::size_t(position.turn())];
    look_at(position, seen);
    const float z = network_->kernels.judge(seen.sums.data(), network_->judging()) + network_->output_bias;
    return network_->mover || position.turn() == Color::White ? z : -z;
}

void Giraffe::look_at(const Position& position, Seen& seen) {
    const Network& network = *network_;
    const Features& before = seen.features[seen.last];
    Features& now = seen.features[seen.last ^= 1];
    giraffe::write(network.mover ? giraffe::seen_by_mover(position) : giraffe::seen_by_white(position), network.kernels,
                   now);
    std::int32_t* sums = seen.sums.data();
    for (const FirstLayer& layer : network.first) {
        network.kernels.add_changes(sums, layer.size, layer.columns.data(), before.numbers.data() + layer.begin,
                                    now.numbers.data() + layer.begin, layer.pairs);
        sums += layer.size;
    }
}

}  // namespace okapi
