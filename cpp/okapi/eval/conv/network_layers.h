// The layers of convolutional networks.
#pragma once

#include "okapi/eval/conv/convolutional.h"

namespace okapi::layers {

// A dense layer, over numbers that may lie as planes.
class Dense final : public NetworkLayer {
public:
    Dense(LinearView layer, const Planes& seen, Activation activation);
    void run(NetworkMemory& memory) const override;

private:
    Product product_;
    Activation activation_;
};

class Convolve final : public NetworkLayer {
public:
    Convolve(Convolution convolution, Activation activation)
        : convolution_(std::move(convolution)), activation_(activation) {}
    void run(NetworkMemory& memory) const override;

private:
    Convolution convolution_;
    Activation activation_;
};

// Two convolutions, whose output is added to their input: each channel is scaled by two dense layers,
// where there is such a gate.
class Residual final : public NetworkLayer {
public:
    Residual(Convolution first, Convolution second, std::vector<Product> gate, Activation activation)
        : first_(std::move(first)), second_(std::move(second)), gate_(std::move(gate)), activation_(activation) {}
    void run(NetworkMemory& memory) const override;

private:
    void answer(const float* seen, std::size_t boards, float* out, NetworkMemory& memory) const;
    // Of one board: what was found, as far as the gate lets it through, and what was seen.
    void add_gated(const float* seen, float* found) const;

    Convolution first_, second_;
    std::vector<Product> gate_;
    Activation activation_;
};

class FromTo final : public NetworkLayer {
public:
    FromTo(Convolution queries, Convolution keys) : queries_(std::move(queries)), keys_(std::move(keys)) {}
    void run(NetworkMemory& memory) const override;

private:
    Convolution queries_, keys_;
};

}  // namespace okapi::layers
