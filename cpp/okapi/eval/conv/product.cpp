#include "okapi/eval/conv/product.h"

#include <algorithm>

namespace okapi {

namespace {

// A panel of so many inputs is 32 KiB, and so many rows of them are 384 KiB: both stay in a cache of 1 MiB.
constexpr std::size_t kInputsAtOnce = 256;
constexpr std::size_t kRowsAtOnce = 384;

}  // namespace

Product::Product(std::size_t inputs, std::span<const float> bias,
                 const std::function<float(std::size_t, std::size_t)>& weight)
    : inputs_(inputs), outputs_(bias.size()), bias_(whole_panels(bias.size())) {
    std::ranges::copy(bias, bias_.begin());
    weights_.reserve(inputs_ * step());
    for (std::size_t first = 0; first < inputs_; first += kInputsAtOnce)
        for (std::size_t panel = 0; panel < step(); panel += kPanel)
            for (std::size_t input = first; input < std::min(first + kInputsAtOnce, inputs_); ++input)
                for (std::size_t output = panel; output < panel + kPanel; ++output)
                    weights_.push_back(output < outputs_ ? weight(output, input) : 0);
}

Product::Product(LinearView layer)
    : Product(layer.bias.empty() ? 0 : layer.weights.size() / layer.bias.size(), layer.bias,
              [&](std::size_t output, std::size_t input) {
                  return layer.weights[output * (layer.weights.size() / layer.bias.size()) + input];
              }) {}

void Product::multiply(const float* rows, std::size_t step, std::size_t count, Activation activation,
                       float* out) const {
    for (std::size_t r = 0; r < count; r += kRowsAtOnce)
        multiply_some(rows + r * step, step, std::min(kRowsAtOnce, count - r), out + r * this->step());
    best_kernels().activate(out, activation, count * this->step());
}

// Rows are copied together, a block of inputs after the other: rows of many inputs lie so far apart that they would
// push each other out of the caches.
void Product::multiply_some(const float* rows, std::size_t step, std::size_t count, float* out) const {
    for (std::size_t r = 0; r < count; ++r) std::ranges::copy(bias_, out + r * this->step());
    AlignedVector<float> together(count * std::min(kInputsAtOnce, inputs_));
    const float* weights = weights_.data();
    for (std::size_t first = 0; first < inputs_; first += kInputsAtOnce) {
        const std::size_t depth = std::min(kInputsAtOnce, inputs_ - first);
        for (std::size_t r = 0; r < count; ++r) std::copy_n(rows + r * step + first, depth, &together[r * depth]);
        for (std::size_t panel = 0; panel < this->step(); panel += kPanel, weights += depth * kPanel)
            best_blocks().multiply(together.data(), depth, count, weights, depth, true, out + panel, this->step());
    }
}

}  // namespace okapi
