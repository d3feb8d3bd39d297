#include "okapi/eval/network_layers.h"

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

void Dense::think(NetworkMemory& memory) const {
    float* out = Scratch::room(memory.next, memory.boards * product_.step());
    product_.multiply(memory.now.data(), product_.inputs(), memory.boards, activation_, out);
    std::swap(memory.now, memory.next);
}

// --- Convolutions ---------------------------------------------------------------------------------------------------

void Convolve::think(NetworkMemory& memory) const {
    float* out = Scratch::room(memory.next, memory.boards * convolution_.answered().size());
    convolution_.convolve(memory.now.data(), memory.boards, nullptr, activation_, out, memory.scratch);
    std::swap(memory.now, memory.next);
}

void Residual::think(NetworkMemory& memory) const {
    const float* seen = memory.now.data();
    float* halfway = Scratch::room(memory.aside, memory.boards * first_.answered().size());
    float* out = Scratch::room(memory.next, memory.boards * second_.answered().size());
    first_.convolve(seen, memory.boards, nullptr, activation_, halfway, memory.scratch);
    if (gate_.empty()) {
        second_.convolve(halfway, memory.boards, seen, activation_, out, memory.scratch);
    } else {
        second_.convolve(halfway, memory.boards, nullptr, Activation::None, out, memory.scratch);
        squeeze(memory);
    }
    std::swap(memory.now, memory.next);
}

void Residual::squeeze(NetworkMemory& memory) const {
    const Planes planes = second_.answered();
    const std::size_t step = planes.step(), narrow = gate_[0].step();
    float* mean = Scratch::room(memory.aside, memory.boards * (2 * step + narrow));
    float* hidden = mean + memory.boards * step;
    float* gate = hidden + memory.boards * narrow;
    const float share = 1 / float(planes.squares());
    for (std::size_t board = 0; board < memory.boards; ++board) {
        const float* found = memory.next.data() + board * planes.size();
        float* sum = mean + board * step;
        std::fill_n(sum, step, 0.0f);
        for (std::size_t square = 0; square < planes.squares(); ++square)
            for (std::size_t i = 0; i < step; ++i) sum[i] += found[square * step + i];
        for (std::size_t i = 0; i < step; ++i) sum[i] *= share;
    }
    gate_[0].multiply(mean, step, memory.boards, Activation::Relu, hidden);
    gate_[1].multiply(hidden, narrow, memory.boards, Activation::Sigmoid, gate);
    for (std::size_t board = 0; board < memory.boards; ++board) {
        float* found = memory.next.data() + board * planes.size();
        const float* seen = memory.now.data() + board * planes.size();
        const float* open = gate + board * step;
        for (std::size_t square = 0; square < planes.size(); square += step)
            for (std::size_t i = 0; i < step; ++i) found[square + i] = seen[square + i] + open[i] * found[square + i];
    }
    best_kernels().activate(memory.next.data(), activation_, memory.boards * planes.size());
}

// --- Two squares ----------------------------------------------------------------------------------------------------

// Keys of one square times queries of another: what comes out lies as planes do, one for each square to go from.
void FromTo::think(NetworkMemory& memory) const {
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
