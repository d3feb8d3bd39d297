#include "okapi/eval/conv/convolution.h"

#include <algorithm>

namespace okapi {

namespace {

constexpr std::size_t kFrequencyRoom = 448 << 10;
constexpr std::size_t kMostBoards = 24;

// A line of the cache more than needed: powers of two would make frequencies push each other out.
constexpr std::size_t apart(std::size_t size) { return size + kLane; }

// Three numbers of a kernel at the points of to_points(); what from_points() leaves out to be cheap is in here.
constexpr double kPoints[6][3] = {{1.0 / 4, 0, 0},
                                  {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                  {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                  {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                  {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                  {0, 0, 1}};

float kernel_frequency(const float* kernel, std::size_t frequency) {
    double sum = 0;
    for (std::size_t rank = 0; rank < 3; ++rank)
        for (std::size_t file = 0; file < 3; ++file)
            sum += kPoints[frequency / 6][rank] * kPoints[frequency % 6][file] * double(kernel[rank * 3 + file]);
    return float(sum);
}

AlignedVector<float> kernel_frequencies(LinearView kernels, std::size_t inputs) {
    AlignedVector<float> frequencies;
    const std::size_t outputs = kernels.bias.size();
    frequencies.reserve(whole_panels(outputs) * kFrequencies * inputs);
    for (std::size_t panel = 0; panel < outputs; panel += kPanel)
        for (std::size_t frequency = 0; frequency < kFrequencies; ++frequency)
            for (std::size_t input = 0; input < inputs; ++input)
                for (std::size_t output = panel; output < panel + kPanel; ++output) {
                    const float* kernel = kernels.weights.data() + (output * inputs + input) * 9;
                    frequencies.push_back(output < outputs ? kernel_frequency(kernel, frequency) : 0);
                }
    return frequencies;
}

}  // namespace

std::size_t kernel_size(LinearView kernels, std::size_t channels) {
    for (std::size_t size = 1; size * size <= kernels.weights.size(); size += 2)
        if (kernels.weights.size() == kernels.bias.size() * channels * size * size) return size;
    return 0;
}

Convolution::Convolution(LinearView kernels, const Planes& seen)
    : seen_(seen), outputs_(kernels.bias.size()), kernel_(kernel_size(kernels, seen.channels)) {
    if (kernel_ == 3 && seen.ranks == 8 && seen.files == 8) {
        frequencies_ = kernel_frequencies(kernels, seen.channels);
        bias_.assign(kernels.bias.begin(), kernels.bias.end());
        bias_.resize(whole_panels(outputs_));
        return;
    }
    // A window holds its squares one after the other, each with its channels.
    windows_.emplace(kernel_ * kernel_ * seen.channels, kernels.bias, [&](std::size_t output, std::size_t input) {
        const std::size_t square = input / seen.channels, channel = input % seen.channels;
        return kernels.weights[(output * seen.channels + channel) * kernel_ * kernel_ + square];
    });
}

void Convolution::convolve(const float* boards, std::size_t count, const float* add, Activation activation, float* out,
                           Scratch& scratch) const {
    const std::size_t size = count * answered().size();
    if (!windows_) {
        by_frequencies(boards, count, add, activation == Activation::Relu, out, scratch);
        if (activation == Activation::Relu) return;
    } else {
        by_windows(boards, count, out, scratch);
        if (add)
            for (std::size_t i = 0; i < size; ++i) out[i] += add[i];
    }
    best_kernels().activate(out, activation, size);
}

std::size_t Convolution::boards_at_once() const {
    const std::size_t bytes = kFrequencies * kTiles * seen_.step() * sizeof(float);
    return std::clamp<std::size_t>(kFrequencyRoom / bytes / 3 * 3, 3, kMostBoards);
}

// Step by step for a few boards at a time: their frequencies, then for each panel of channels the products and what
// they come to on the board.
void Convolution::by_frequencies(const float* boards, std::size_t count, const float* add, bool relu, float* out,
                                 Scratch& scratch) const {
    const Blocks& blocks = best_blocks();
    const std::size_t at_once = boards_at_once(), inputs = seen_.channels;
    const TileSteps seen_steps{seen_.step(), apart(at_once * kTiles * seen_.step())};
    const TileSteps found_steps{kPanel, apart(at_once * kTiles * kPanel)};
    float* seen = Scratch::room(scratch.frequencies, kFrequencies * seen_steps.frequency);
    float* found = Scratch::room(scratch.products, kFrequencies * found_steps.frequency);
    const std::size_t step = answered().step(), size = answered().size();
    for (std::size_t first = 0; first < count; first += at_once) {
        const std::size_t some = std::min(at_once, count - first);
        for (std::size_t i = 0; i < some; ++i)
            blocks.to_frequencies(boards + (first + i) * seen_.size(), seen_.step(), inputs,
                                  seen + i * kTiles * seen_steps.tile, seen_steps);
        const float* kernels = frequencies_.data();
        for (std::size_t panel = 0; panel < step; panel += kPanel) {
            for (std::size_t frequency = 0; frequency < kFrequencies; ++frequency, kernels += inputs * kPanel)
                blocks.multiply(seen + frequency * seen_steps.frequency, seen_steps.tile, some * kTiles, kernels,
                                inputs, false, found + frequency * found_steps.frequency, kPanel);
            for (std::size_t i = 0; i < some; ++i) {
                const std::size_t place = (first + i) * size + panel;
                const Finish finish{bias_.data() + panel, add ? add + place : nullptr, relu};
                blocks.from_frequencies(found + i * kTiles * kPanel, found_steps, finish, out + place, step);
            }
        }
    }
}

void Convolution::by_windows(const float* boards, std::size_t count, float* out, Scratch& scratch) const {
    if (kernel_ == 1)  // a window is a square: there is nothing to copy
        return windows_->multiply(boards, seen_.step(), count * seen_.squares(), Activation::None, out);
    float* windows = Scratch::room(scratch.windows, seen_.squares() * windows_->inputs());
    for (std::size_t board = 0; board < count; ++board) {
        float* at = windows;
        for (std::size_t square = 0; square < seen_.squares(); ++square)
            at = copy_window(boards + board * seen_.size(), square, at);
        windows_->multiply(windows, windows_->inputs(), seen_.squares(), Activation::None,
                           out + board * answered().size());
    }
}

float* Convolution::copy_window(const float* board, std::size_t square, float* at) const {
    const int reach = int(kernel_ / 2), ranks = int(seen_.ranks), files = int(seen_.files);
    const int rank = int(square) / files, file = int(square) % files;
    for (int r = rank - reach; r <= rank + reach; ++r)
        for (int f = file - reach; f <= file + reach; ++f) {
            const bool inside = r >= 0 && r < ranks && f >= 0 && f < files;
            at = inside ? std::copy_n(board + std::size_t(r * files + f) * seen_.step(), seen_.channels, at)
                        : std::fill_n(at, seen_.channels, 0.0f);
        }
    return at;
}

}  // namespace okapi
