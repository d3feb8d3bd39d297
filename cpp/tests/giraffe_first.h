// Giraffe's first layer by definition, from the encoding's numbers.
#pragma once

#include <array>
#include <vector>

#include "dense.h"
#include "okapi/encode/encode.h"
#include "okapi/eval/giraffe/giraffe_features.h"

namespace okapi::tests {

inline std::vector<double> plain_first(const std::array<DenseLayer, 3>& layers, bool mover, const Position& position) {
    std::vector<float> numbers(giraffe::kFeatures);
    for (const auto& encoder : encode::encoders<float>())
        if (encoder.name == (mover ? "giraffe-363-mover" : "giraffe-363"))
            encoder.write(encode::Board(pack(position)), numbers.data());
    const std::vector<double> features(numbers.begin(), numbers.end());
    std::vector<double> first;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto part = plain_layer(layers[i], features.data() + giraffe::kModalities[i].first);
        first.insert(first.end(), part.begin(), part.end());
    }
    return first;
}

}  // namespace okapi::tests
