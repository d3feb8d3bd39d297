// Dense layers to test with, and what they are by definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "okapi/eval/mlp/first_layer.h"

namespace okapi::tests {

// Weights as PyTorch would begin with.
inline DenseLayer random_layer(std::size_t inputs, std::size_t outputs, std::mt19937& random) {
    const float spread = 1 / std::sqrt(float(inputs));
    std::uniform_real_distribution<float> weight(-spread, spread);
    DenseLayer layer{inputs, outputs, std::vector<float>(inputs * outputs), std::vector<float>(outputs)};
    for (float& w : layer.weights) w = weight(random);
    for (float& b : layer.bias) b = weight(random);
    return layer;
}

inline std::vector<double> plain_layer(const DenseLayer& layer, const double* x) {
    std::vector<double> y(layer.bias.begin(), layer.bias.end());
    for (std::size_t output = 0; output < layer.outputs; ++output)
        for (std::size_t input = 0; input < layer.inputs; ++input)
            y[output] += double(layer.weights[output * layer.inputs + input]) * x[input];
    return y;
}

inline void relu(std::vector<double>& numbers) {
    for (double& number : numbers) number = std::max(number, 0.0);
}

}  // namespace okapi::tests
