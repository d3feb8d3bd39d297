#include "okapi/eval/conv/network_layers.h"

#include <algorithm>
#include <cmath>

namespace okapi::layers {

// --- Dense ----------------------------------------------------------------------------------------------------------

Dense::Dense(LinearView layer, const Planes& seen, Activation activation)
    : product_(seen.size(), layer.bias,
               [&](std::size_t output, std::size_t place) {
                   const std::size_t square = place / seen.step(), channel = place % seen.step();
                   if (channel >= seen.channels) return 0.0f;
                   return layer.weights[(output * seen.channels + channel) * seen.squares() + square];
               }),
      activation_(activation) {}

void Dense::run(NetworkMemory& memory) const {
    float* out = Scratch::room(memory.next, memory.boards * product_.step());
    product_.multiply(memory.now.data(), product_.inputs(), memory.boards, activation_, out);
    std::swap(memory.now, memory.next);
}

// --- Convolutions ---------------------------------------------------------------------------------------------------

void Convolve::run(NetworkMemory& memory) const {
    float* out = Scratch::room(memory.next, memory.boards * convolution_.answered().size());
    convolution_.convolve(memory.now.data(), memory.boards, nullptr, activation_, out, memory.scratch);
    std::swap(memory.now, memory.next);
}

// A few boards at a time: what is halfway stays in the cache.
void Residual::run(NetworkMemory& memory) const {
    const std::size_t size = second_.answered().size(), at_once = second_.boards_at_once();
    const float* seen = memory.now.data();
    float* out = Scratch::room(memory.next, memory.boards * size);
    for (std::size_t first = 0; first < memory.boards; first += at_once)
        answer(seen + first * size, std::min(at_once, memory.boards - first), out + first * size, memory);
    std::swap(memory.now, memory.next);
}

void Residual::answer(const float* seen, std::size_t boards, float* out, NetworkMemory& memory) const {
    float* halfway = Scratch::room(memory.aside, boards * first_.answered().size());
    first_.convolve(seen, boards, nullptr, activation_, halfway, memory.scratch);
    if (gate_.empty()) return second_.convolve(halfway, boards, seen, activation_, out, memory.scratch);
    second_.convolve(halfway, boards, nullptr, Activation::None, out, memory.scratch);
    for (std::size_t board = 0; board < boards; ++board)
        add_gated(seen + board * second_.answered().size(), out + board * second_.answered().size());
}

void Residual::add_gated(const float* seen, float* found) const {
    const Planes planes = second_.answered();
    const std::size_t step = planes.step();
    AlignedVector<float> mean(step), hidden(gate_[0].step()), gate(step);
    for (std::size_t square = 0; square < planes.size(); square += step)
        for (std::size_t i = 0; i < step; ++i) mean[i] += found[square + i];
    for (float& number : mean) number /= float(planes.squares());
    gate_[0].multiply(mean.data(), step, 1, Activation::Relu, hidden.data());
    gate_[1].multiply(hidden.data(), hidden.size(), 1, Activation::Sigmoid, gate.data());
    for (std::size_t square = 0; square < planes.size(); square += step)
        for (std::size_t i = 0; i < step; ++i) found[square + i] = seen[square + i] + gate[i] * found[square + i];
    best_kernels().activate(found, activation_, planes.size());
}

// --- Two squares ----------------------------------------------------------------------------------------------------

// Keys of one square times queries of another: what comes out lies as planes do, one for each square to go from.
void FromTo::run(NetworkMemory& memory) const {
    const Planes planes = queries_.answered();
    const std::size_t squares = planes.squares(), step = planes.step(), all = memory.boards * planes.size();
    const std::size_t row = whole_panels(squares);
    float* queries = Scratch::room(memory.aside, 2 * all + planes.channels * kPanel);
    float *keys = queries + all, *turned = keys + all;
    queries_.convolve(memory.now.data(), memory.boards, nullptr, Activation::None, queries, memory.scratch);
    keys_.convolve(memory.now.data(), memory.boards, nullptr, Activation::None, keys, memory.scratch);
    float* out = Scratch::room(memory.next, memory.boards * squares * row);
    const float scale = 1 / std::sqrt(float(planes.channels));
    for (std::size_t board = 0; board < memory.boards; ++board)
        for (std::size_t panel = 0; panel < row; panel += kPanel) {
            const float* query = queries + board * planes.size();
            for (std::size_t channel = 0; channel < planes.channels; ++channel)
                for (std::size_t from = panel; from < panel + kPanel; ++from)
                    turned[channel * kPanel + from - panel] = from < squares ? scale * query[from * step + channel] : 0;
            best_blocks().multiply(keys + board * planes.size(), step, squares, turned, planes.channels, false,
                                   out + board * squares * row + panel, row);
        }
    std::swap(memory.now, memory.next);
}

}  // namespace okapi::layers
