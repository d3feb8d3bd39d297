#include "okapi/eval/mlp/mlp.h"

#include <algorithm>
#include <numeric>

namespace okapi {

namespace {

// A layer behind the first: a row for each input, so that inputs that are zero can be left out.
struct Layer {
    Layer(const DenseLayer& dense, const Kernels& kernels);

    std::size_t inputs;
    std::size_t size;  // outputs, padded
    Activation activation;
    AlignedVector<float> bias;
    // One of these is empty. Weights that 16 bits can hold are kept in 16 bits: large layers are limited by memory.
    AlignedVector<float> weights;
    AlignedVector<Half> halves;
};

Layer::Layer(const DenseLayer& dense, const Kernels& kernels)
    : inputs(dense.inputs), size(padded(dense.outputs)), activation(dense.activation), bias(size) {
    std::ranges::copy(dense.bias, bias.begin());
    const auto fill = [&](auto& rows, auto number) {
        rows.resize(inputs * size);
        for (std::size_t output = 0; output < dense.outputs; ++output)
            for (std::size_t input = 0; input < inputs; ++input)
                rows[input * size + output] = number(dense.weights[output * inputs + input]);
    };
    const auto fits = [](float weight) { return exact_half(weight).has_value(); };
    if (kernels.accumulate_half && std::ranges::all_of(dense.weights, fits))
        fill(halves, [](float weight) { return *exact_half(weight); });
    else
        fill(weights, [](float weight) { return weight; });
}

}  // namespace

struct Mlp::Network {
    Kernels kernels;
    FirstWeights first;
    Activation first_activation;
    std::vector<Layer> layers;
    std::size_t outputs;
    std::size_t widest;  // padded
    NetworkOutput output;
};

Mlp::Mlp(const MlpWeights& weights, const Kernels& kernels)
    : Mlp([&] {
          const auto& all = weights.layers;
          Network network{.kernels = kernels,
                          .first = FirstWeights(weights.input, all.front()),
                          .first_activation = all.front().activation,
                          .layers = {},
                          .outputs = all.back().outputs,
                          .widest = padded(std::ranges::max(all, {}, &DenseLayer::outputs).outputs),
                          .output = weights.output};
          for (std::size_t i = 1; i < all.size(); ++i) network.layers.emplace_back(all[i], kernels);
          return std::make_shared<const Network>(std::move(network));
      }()) {}

Mlp::Mlp(std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      now_(network_->widest),
      next_(network_->widest),
      where_(network_->widest + kLane),
      active_(network_->widest + kLane) {}

std::unique_ptr<Evaluator> Mlp::clone() const { return std::unique_ptr<Evaluator>(new Mlp(network_)); }

std::size_t Mlp::outputs() const { return network_->outputs; }

int Mlp::value(const Position& position) {
    Memory& memory = memory_[position.key() & (kRemembered - 1)];
    if (!memory.filled || memory.key != position.key())
        memory = {position.key(), network_->output.centipawns(answer(position.turn()), position.turn()), true};
    return memory.value;
}

std::optional<Range> Mlp::range(const Position& position) {
    if (network_->output.form != NetworkOutput::Form::Bounds) return std::nullopt;
    return network_->output.range(answer(position.turn()), position.turn());
}

std::span<const float> Mlp::answer(Color turn) {
    const Kernels& kernels = network_->kernels;
    const FirstWeights& first = network_->first;
    first.to_floats(kernels, first_.sums(first, kernels), turn, now_.data());
    kernels.activate(now_.data(), network_->first_activation, first.size());
    for (const Layer& layer : network_->layers) {
        const std::size_t count = kernels.find_active(now_.data(), layer.inputs, where_.data(), active_.data());
        std::ranges::copy(layer.bias, next_.begin());
        if (layer.halves.empty())
            kernels.accumulate(next_.data(), layer.weights.data(), layer.size, where_.data(), active_.data(), count);
        else
            kernels.accumulate_half(next_.data(), layer.halves.data(), layer.size, where_.data(), active_.data(),
                                    count);
        kernels.activate(next_.data(), layer.activation, layer.size);
        std::swap(now_, next_);
    }
    const std::span<float> outputs(now_.data(), network_->outputs);
    network_->output.finish(outputs);
    return outputs;
}

}  // namespace okapi
