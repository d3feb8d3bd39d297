#include "okapi/eval/convolutional.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "okapi/eval/brain.h"
#include "okapi/eval/kernel_loops.h"

namespace okapi {

namespace {

using Numbers = std::vector<float>;

std::size_t product(const std::vector<std::size_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t(1), std::multiplies<>());
}

void check(bool fits, const char* what) {
    if (!fits) throw InvalidBrain(std::string("a layer of its network ") + what);
}

struct Linear {
    explicit Linear(LinearView view)
        : weights(view.weights.begin(), view.weights.end()), bias(view.bias.begin(), view.bias.end()) {}

    Numbers operator()(const Numbers& x, Activation activation) const {
        Numbers y = bias;
        for (std::size_t o = 0; o < y.size(); ++o)
            for (std::size_t i = 0; i < x.size(); ++i) y[o] += weights[o * x.size() + i] * x[i];
        loops::activate(y.data(), activation, y.size());
        return y;
    }

    Numbers weights, bias;
};

struct Kernels2d : Linear {
    Kernels2d(LinearView view, const std::vector<std::size_t>& shape) : Linear(view) {
        check(shape.size() == 3, "convolves what is no longer planes");
        channels = shape[0], ranks = int(shape[1]), files = int(shape[2]);
        const std::size_t area = weights.size() / std::max<std::size_t>(1, channels * bias.size());
        size = int(std::lround(std::sqrt(double(area))));
        check(size % 2 == 1 && weights.size() == bias.size() * channels * std::size_t(size * size),
              "has kernels of another size");
    }

    Numbers operator()(const Numbers& x, Activation activation) const {
        const std::size_t squares = std::size_t(ranks * files);
        Numbers y(bias.size() * squares);
        for (std::size_t o = 0; o < bias.size(); ++o)
            for (int rank = 0; rank < ranks; ++rank)
                for (int file = 0; file < files; ++file) y[o * squares + rank * files + file] = at(x, o, rank, file);
        loops::activate(y.data(), activation, y.size());
        return y;
    }

    float at(const Numbers& x, std::size_t output, int rank, int file) const {
        float sum = bias[output];
        const int reach = size / 2;
        for (std::size_t i = 0; i < channels; ++i)
            for (int r = std::max(0, rank - reach); r <= std::min(ranks - 1, rank + reach); ++r)
                for (int f = std::max(0, file - reach); f <= std::min(files - 1, file + reach); ++f)
                    sum += weights[((output * channels + i) * size + (r - rank + reach)) * size + (f - file + reach)] *
                           x[(i * ranks + r) * files + f];
        return sum;
    }

    std::size_t channels;
    int ranks, files, size;
};

}  // namespace

class ConvolutionalNetwork::Layer {
public:
    virtual ~Layer() = default;
    virtual Numbers answer(const Numbers& x) const = 0;
};

class ConvolutionalNetwork::Dense final : public Layer {
public:
    Dense(LinearView view, Activation activation) : linear_(view), activation_(activation) {}
    Numbers answer(const Numbers& x) const override { return linear_(x, activation_); }

private:
    Linear linear_;
    Activation activation_;
};

class ConvolutionalNetwork::Convolve final : public Layer {
public:
    Convolve(LinearView view, const std::vector<std::size_t>& shape, Activation activation)
        : kernels_(view, shape), activation_(activation) {}
    Numbers answer(const Numbers& x) const override { return kernels_(x, activation_); }

private:
    Kernels2d kernels_;
    Activation activation_;
};

class ConvolutionalNetwork::Residual final : public Layer {
public:
    Residual(Kernels2d first, Kernels2d second, std::span<const LinearView> squeeze, Activation activation)
        : first_(std::move(first)),
          second_(std::move(second)),
          squeeze_(squeeze.begin(), squeeze.end()),
          activation_(activation) {}

    Numbers answer(const Numbers& x) const override {
        Numbers found = second_(first_(x, activation_), Activation::None);
        const std::size_t squares = found.size() / second_.bias.size();
        if (!squeeze_.empty()) {
            Numbers mean(second_.bias.size());
            for (std::size_t i = 0; i < found.size(); ++i) mean[i / squares] += found[i] / float(squares);
            const Numbers gate = squeeze_[1](squeeze_[0](mean, Activation::Relu), Activation::Sigmoid);
            for (std::size_t i = 0; i < found.size(); ++i) found[i] *= gate[i / squares];
        }
        for (std::size_t i = 0; i < found.size(); ++i) found[i] += x[i];
        loops::activate(found.data(), activation_, found.size());
        return found;
    }

private:
    Kernels2d first_, second_;
    std::vector<Linear> squeeze_;
    Activation activation_;
};

class ConvolutionalNetwork::FromTo final : public Layer {
public:
    FromTo(Kernels2d queries, Kernels2d keys) : queries_(std::move(queries)), keys_(std::move(keys)) {}

    Numbers answer(const Numbers& x) const override {
        const Numbers queries = queries_(x, Activation::None), keys = keys_(x, Activation::None);
        const std::size_t width = queries_.bias.size(), squares = queries.size() / width;
        const float scale = 1 / std::sqrt(float(width));
        Numbers logits(squares * squares);
        for (std::size_t from = 0; from < squares; ++from)
            for (std::size_t to = 0; to < squares; ++to)
                for (std::size_t i = 0; i < width; ++i)
                    logits[from * squares + to] += scale * queries[i * squares + from] * keys[i * squares + to];
        return logits;
    }

private:
    Kernels2d queries_, keys_;
};

ConvolutionalNetwork::ConvolutionalNetwork(std::vector<std::size_t> shape)
    : inputs_(product(shape)), shape_(std::move(shape)) {}

void ConvolutionalNetwork::dense(LinearView layer, Activation activation) {
    check(shape_.size() == 1 && layer.weights.size() == shape_[0] * layer.bias.size(), "has weights of another size");
    layers_.push_back(std::make_shared<Dense>(layer, activation));
    shape_ = {layer.bias.size()};
}

void ConvolutionalNetwork::convolve(LinearView kernels, Activation activation) {
    layers_.push_back(std::make_shared<Convolve>(kernels, shape_, activation));
    shape_[0] = kernels.bias.size();
}

void ConvolutionalNetwork::residual(LinearView first, LinearView second, std::span<const LinearView> squeeze,
                                    Activation activation) {
    Kernels2d one(first, shape_);
    Kernels2d two(second, {one.bias.size(), shape_[1], shape_[2]});
    check(two.bias.size() == shape_[0], "adds channels to another number of them");
    check(squeeze.empty() || squeeze.size() == 2, "needs two layers to squeeze");
    if (!squeeze.empty())
        check(squeeze[0].weights.size() == shape_[0] * squeeze[0].bias.size() && squeeze[1].bias.size() == shape_[0] &&
                  squeeze[1].weights.size() == shape_[0] * squeeze[0].bias.size(),
              "squeezes channels to another number of them");
    layers_.push_back(std::make_shared<Residual>(std::move(one), std::move(two), squeeze, activation));
}

void ConvolutionalNetwork::flatten() { shape_ = {product(shape_)}; }

void ConvolutionalNetwork::from_to(LinearView queries, LinearView keys) {
    Kernels2d asked(queries, shape_), known(keys, shape_);
    check(asked.bias.size() == known.bias.size() && asked.size == 1 && known.size == 1,
          "has queries and keys of different sizes");
    layers_.push_back(std::make_shared<FromTo>(std::move(asked), std::move(known)));
    const std::size_t squares = shape_[1] * shape_[2];
    shape_ = {squares * squares};
}

std::size_t ConvolutionalNetwork::outputs() const { return product(shape_); }

void ConvolutionalNetwork::answer(const float* rows, std::size_t count, float* out) const {
    for (std::size_t n = 0; n < count; ++n) {
        Numbers x(rows + n * inputs_, rows + (n + 1) * inputs_);
        for (const auto& layer : layers_) x = layer->answer(x);
        std::ranges::copy(x, out + n * outputs());
    }
}

}  // namespace okapi
