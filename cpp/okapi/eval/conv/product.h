// Dense layers over many rows: weights in panels, in blocks that stay in the processor's caches.
#pragma once

#include <cstddef>
#include <functional>

#include "okapi/eval/kernels/blocks.h"
#include "okapi/eval/kernels/kernels.h"
#include "okapi/utils/aligned.h"

namespace okapi {

// What a layer learned, as PyTorch has it: one row of weights for each output. Kernels are [output, input, rank, file].
struct LinearView {
    std::span<const float> weights, bias;
};

class Product {
public:
    // `weight(output, input)` returns a weight; inputs that were not trained have 0.
    Product(std::size_t inputs, std::span<const float> bias,
            const std::function<float(std::size_t, std::size_t)>& weight);
    explicit Product(LinearView layer);

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const { return outputs_; }
    // Numbers from one row of the output to the next: whole panels.
    std::size_t step() const { return bias_.size(); }

    // out[r] = activation(rows[r] x weights + bias), for rows that are `step` apart.
    void multiply(const float* rows, std::size_t step, std::size_t count, Activation activation, float* out) const;

private:
    void multiply_some(const float* rows, std::size_t step, std::size_t count, float* out) const;

    std::size_t inputs_, outputs_;
    AlignedVector<float> weights_;  // [block of inputs][panel][input][kPanel]
    AlignedVector<float> bias_;
};

}  // namespace okapi
