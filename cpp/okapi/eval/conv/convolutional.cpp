#include "okapi/eval/conv/convolutional.h"

#include <algorithm>

#include "okapi/eval/brain.h"
#include "okapi/eval/conv/network_layers.h"

namespace okapi {

namespace {

// Boards that go through all layers together: enough that large dense layers are not fetched too often.
constexpr std::size_t kBoardsAtOnce = 128;

Planes planes_of(const std::vector<std::size_t>& shape) {
    if (shape.size() == 3) return {shape[0], shape[1], shape[2]};
    std::size_t numbers = 1;
    for (std::size_t side : shape) numbers *= side;
    return {numbers, 1, 1};
}

void check(bool fits, const char* what) {
    if (!fits) throw InvalidBrain(std::string("a layer of its network ") + what);
}

void check_dense(LinearView layer, std::size_t inputs) {
    check(!layer.bias.empty() && layer.weights.size() == inputs * layer.bias.size(), "has weights of another size");
}

Convolution checked_convolution(LinearView kernels, const Planes& seen, bool flat) {
    check(!flat, "convolves what is no longer planes");
    check(kernel_size(kernels, seen.channels) > 0, "has kernels of another size");
    return {kernels, seen};
}

// Planes as encodings have them, plane after plane, and as layers do, square after square.
void read_planes(const float* rows, const Planes& planes, std::size_t boards, float* out) {
    std::fill_n(out, boards * planes.size(), 0.0f);
    for (std::size_t board = 0; board < boards; ++board, out += planes.size())
        for (std::size_t channel = 0; channel < planes.channels; ++channel)
            for (std::size_t square = 0; square < planes.squares(); ++square)
                out[square * planes.step() + channel] = *rows++;
}

void write_planes(const float* boards, const Planes& planes, std::size_t count, float* out) {
    for (std::size_t board = 0; board < count; ++board, boards += planes.size())
        for (std::size_t channel = 0; channel < planes.channels; ++channel)
            for (std::size_t square = 0; square < planes.squares(); ++square)
                *out++ = boards[square * planes.step() + channel];
}

}  // namespace

ConvolutionalNetwork::ConvolutionalNetwork(const std::vector<std::size_t>& shape)
    : seen_(planes_of(shape)), planes_(seen_), flat_(shape.size() == 1) {}

void ConvolutionalNetwork::dense(LinearView layer, Activation activation) {
    check(flat_, "is dense, but sees planes");
    check_dense(layer, outputs());
    layers_.push_back(std::make_unique<layers::Dense>(layer, planes_, activation));
    planes_ = {layer.bias.size(), 1, 1};
}

void ConvolutionalNetwork::convolve(LinearView kernels, Activation activation) {
    auto convolution = checked_convolution(kernels, planes_, flat_);
    planes_ = convolution.answered();
    layers_.push_back(std::make_unique<layers::Convolve>(std::move(convolution), activation));
}

void ConvolutionalNetwork::residual(LinearView first, LinearView second, std::span<const LinearView> squeeze,
                                    Activation activation) {
    auto one = checked_convolution(first, planes_, flat_);
    auto two = checked_convolution(second, one.answered(), flat_);
    check(two.answered().channels == planes_.channels, "adds channels to another number of them");
    check(squeeze.empty() || squeeze.size() == 2, "needs two layers to squeeze");
    std::vector<Product> gate;
    for (std::size_t i = 0; i < squeeze.size(); ++i) {
        check_dense(squeeze[i], i == 0 ? planes_.channels : squeeze[0].bias.size());
        gate.emplace_back(squeeze[i]);
    }
    check(gate.empty() || gate[1].outputs() == planes_.channels, "squeezes channels to another number of them");
    layers_.push_back(std::make_unique<layers::Residual>(std::move(one), std::move(two), std::move(gate), activation));
}

void ConvolutionalNetwork::from_to(LinearView queries, LinearView keys) {
    auto asked = checked_convolution(queries, planes_, flat_);
    auto known = checked_convolution(keys, planes_, flat_);
    check(asked.kernel() == 1 && known.kernel() == 1 && asked.answered().channels == known.answered().channels,
          "has queries and keys of different sizes");
    layers_.push_back(std::make_unique<layers::FromTo>(std::move(asked), std::move(known)));
    planes_.channels = planes_.squares();
    flat_ = true;
}

void ConvolutionalNetwork::answer(const float* rows, std::size_t count, float* out) const {
    if (count == 0) return;
    auto memory = borrow();
    for (std::size_t first = 0; first < count; first += kBoardsAtOnce) {
        memory->boards = std::min(kBoardsAtOnce, count - first);
        float* seen = Scratch::room(memory->now, memory->boards * seen_.size());
        read_planes(rows + first * inputs(), seen_, memory->boards, seen);
        for (const auto& layer : layers_) layer->run(*memory);
        write_planes(memory->now.data(), planes_, memory->boards, out + first * outputs());
    }
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(memory));
}

std::unique_ptr<NetworkMemory> ConvolutionalNetwork::borrow() const {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return std::make_unique<NetworkMemory>();
    auto memory = std::move(spare_.back());
    spare_.pop_back();
    return memory;
}

}  // namespace okapi
