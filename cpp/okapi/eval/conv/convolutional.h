// Networks over the squares of the board: layers in sequence, and outputs for many boards.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "okapi/eval/conv/convolution.h"

namespace okapi {

// What goes from layer to layer, for some boards.
struct NetworkMemory {
    std::size_t boards = 0;
    AlignedVector<float> now, next;  // what the last layer answered; room for what comes next
    AlignedVector<float> aside;
    Scratch scratch;
};

class NetworkLayer {
public:
    virtual ~NetworkLayer() = default;
    virtual void run(NetworkMemory& memory) const = 0;
};

class ConvolutionalNetwork {
public:
    // The array that it reads: {channels, ranks, files}, or {numbers}.
    explicit ConvolutionalNetwork(const std::vector<std::size_t>& shape);

    // Sizes that do not fit throw InvalidBrain.
    void dense(LinearView layer, Activation activation);
    void convolve(LinearView kernels, Activation activation);
    // `squeeze` has two layers or none.
    void residual(LinearView first, LinearView second, std::span<const LinearView> squeeze, Activation activation);
    void flatten() { flat_ = true; }
    // Numbers for every two squares: the first square's queries times the second's keys.
    void from_to(LinearView queries, LinearView keys);

    std::size_t inputs() const { return seen_.channels * seen_.squares(); }
    std::size_t outputs() const { return planes_.channels * planes_.squares(); }

    // One row of outputs() numbers for each row of inputs(). Thread-safe.
    void answer(const float* rows, std::size_t count, float* out) const;

private:
    std::unique_ptr<NetworkMemory> borrow() const;

    Planes seen_;
    Planes planes_;  // of the last layer's output; numbers without squares are channels of a single one
    bool flat_;
    std::vector<std::unique_ptr<const NetworkLayer>> layers_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<NetworkMemory>> spare_;  // from earlier calls
};

}  // namespace okapi
