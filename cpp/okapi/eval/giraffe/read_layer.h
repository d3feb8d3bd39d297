// The dense layers of Giraffe's networks, out of a brain.
#pragma once

#include <array>
#include <string>

#include "okapi/eval/brain.h"
#include "okapi/eval/mlp/first_layer.h"

namespace okapi {

inline constexpr std::array<const char*, 3> kModalityNames = {"position", "pieces", "squares"};

inline constexpr std::int64_t kWidestLayer = 512;

// NAME.weight and NAME.bias; relu stands behind a layer that may have more than one output. Throws InvalidBrain.
DenseLayer read_layer(const Brain& brain, const std::string& name, std::size_t inputs,
                      std::int64_t most = kWidestLayer);

}  // namespace okapi
