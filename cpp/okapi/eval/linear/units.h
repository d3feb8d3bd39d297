// Weights as integers: evaluators add up 1/256ths of a centipawn, so that a rounded weight is as good as the real one.
#pragma once

#include <algorithm>
#include <cmath>

#include "okapi/eval/evaluator.h"

namespace okapi {

inline constexpr int kUnit = 256;
// The most one weight may be worth, in centipawns: 16 such pieces still fit an int many times over.
inline constexpr double kMaxWeight = 20000.0;

inline int to_units(double centipawns) {
    return int(std::lround(std::clamp(centipawns, -kMaxWeight, kMaxWeight) * kUnit));
}

// Rounded to whole centipawns, and kept where evaluations belong.
inline int from_units(int units) { return std::clamp((units + kUnit / 2) >> 8, -kMaxEvaluation, kMaxEvaluation); }

}  // namespace okapi
