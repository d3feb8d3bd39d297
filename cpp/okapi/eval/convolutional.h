// Networks over the squares of the board: layers that are added one after the other, and answers for many boards.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "okapi/eval/kernels.h"

namespace okapi {

// What a layer learned, as PyTorch has it: one row of weights for each output. Kernels are [output, input, rank, file].
struct LinearView {
    std::span<const float> weights, bias;
};

class ConvolutionalNetwork {
public:
    // The array that it reads: {channels, ranks, files}, or {numbers}.
    explicit ConvolutionalNetwork(std::vector<std::size_t> shape);

    // Sizes that do not fit throw InvalidBrain.
    void dense(LinearView layer, Activation activation);
    void convolve(LinearView kernels, Activation activation);
    // `squeeze` has two layers or none.
    void residual(LinearView first, LinearView second, std::span<const LinearView> squeeze, Activation activation);
    void flatten();
    void from_to(LinearView queries, LinearView keys);

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const;

    // One row of outputs() numbers for each row of inputs().
    void answer(const float* rows, std::size_t count, float* out) const;

private:
    class Layer;
    class Dense;
    class Convolve;
    class Residual;
    class FromTo;

    std::size_t inputs_;
    std::vector<std::size_t> shape_;  // of what the last layer answers
    std::vector<std::shared_ptr<const Layer>> layers_;
};

}  // namespace okapi
