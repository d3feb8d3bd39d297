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

void Dense::think(Thought& thought) const {
    float* out = Scratch::room(thought.next, thought.boards * product_.step());
    product_.multiply(thought.now.data(), product_.inputs(), thought.boards, activation_, out);
    std::swap(thought.now, thought.next);
}

// --- Convolutions ---------------------------------------------------------------------------------------------------

void Convolve::think(Thought& thought) const {
    float* out = Scratch::room(thought.next, thought.boards * convolution_.answered().size());
    convolution_.convolve(thought.now.data(), thought.boards, nullptr, activation_, out, thought.scratch);
    std::swap(thought.now, thought.next);
}

void Residual::think(Thought& thought) const {
    const float* seen = thought.now.data();
    float* halfway = Scratch::room(thought.aside, thought.boards * first_.answered().size());
    float* out = Scratch::room(thought.next, thought.boards * second_.answered().size());
    first_.convolve(seen, thought.boards, nullptr, activation_, halfway, thought.scratch);
    if (gate_.empty()) {
        second_.convolve(halfway, thought.boards, seen, activation_, out, thought.scratch);
    } else {
        second_.convolve(halfway, thought.boards, nullptr, Activation::None, out, thought.scratch);
        squeeze(thought);
    }
    std::swap(thought.now, thought.next);
}

void Residual::squeeze(Thought& thought) const {
    const Planes planes = second_.answered();
    const std::size_t step = planes.step(), narrow = gate_[0].step();
    float* mean = Scratch::room(thought.aside, thought.boards * (2 * step + narrow));
    float* hidden = mean + thought.boards * step;
    float* gate = hidden + thought.boards * narrow;
    const float share = 1 / float(planes.squares());
    for (std::size_t board = 0; board < thought.boards; ++board) {
        const float* found = thought.next.data() + board * planes.size();
        float* sum = mean + board * step;
        std::fill_n(sum, step, 0.0f);
        for (std::size_t square = 0; square < planes.squares(); ++square)
            for (std::size_t i = 0; i < step; ++i) sum[i] += found[square * step + i];
        for (std::size_t i = 0; i < step; ++i) sum[i] *= share;
    }
    gate_[0].multiply(mean, step, thought.boards, Activation::Relu, hidden);
    gate_[1].multiply(hidden, narrow, thought.boards, Activation::Sigmoid, gate);
    for (std::size_t board = 0; board < thought.boards; ++board) {
        float* found = thought.next.data() + board * planes.size();
        const float* seen = thought.now.data() + board * planes.size();
        const float* open = gate + board * step;
        for (std::size_t square = 0; square < planes.size(); square += step)
            for (std::size_t i = 0; i < step; ++i) found[square + i] = seen[square + i] + open[i] * found[square + i];
    }
    best_kernels().activate(thought.next.data(), activation_, thought.boards * planes.size());
}

// --- Two squares ----------------------------------------------------------------------------------------------------

// Keys of one square times queries of another: what comes out lies as planes do, one for each square to go from.
void FromTo::think(Thought& thought) const {
    const Planes planes = queries_.answered();
    const std::size_t squares = planes.squares(), step = planes.step(), all = thought.boards * planes.size();
    const std::size_t row = whole_panels(squares);
    float* queries = Scratch::room(thought.aside, 2 * all + planes.channels * kPanel);
    float *keys = queries + all, *turned = keys + all;
    queries_.convolve(thought.now.data(), thought.boards, nullptr, Activation::None, queries, thought.scratch);
    keys_.convolve(thought.now.data(), thought.boards, nullptr, Activation::None, keys, thought.scratch);
    float* out = Scratch::room(thought.next, thought.boards * squares * row);
    const float scale = 1 / std::sqrt(float(planes.channels));
    for (std::size_t board = 0; board < thought.boards; ++board)
        for (std::size_t panel = 0; panel < row; panel += kPanel) {
            const float* query = queries + board * planes.size();
            for (std::size_t channel = 0; channel < planes.channels; ++channel)
                for (std::size_t from = panel; from < panel + kPanel; ++from)
                    turned[channel * kPanel + from - panel] = from < squares ? scale * query[from * step + channel] : 0;
            best_blocks().multiply(keys + board * planes.size(), step, squares, turned, planes.channels, false,
                                   out + board * squares * row + panel, row);
        }
    std::swap(thought.now, thought.next);
}

}  // namespace okapi::layers
