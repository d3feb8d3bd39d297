#include "okapi/eval/evaluator.h"

#include <algorithm>
#include <cmath>

namespace okapi {

std::vector<int> Evaluator::values(const std::vector<Position>& positions) {
    std::vector<int> values;
    values.reserve(positions.size());
    for (const Position& position : positions) {
        reset(position);
        values.push_back(value(position));
    }
    return values;
}

double expected_score(int centipawns) { return 1.0 / (1.0 + std::pow(10.0, -centipawns / 400.0)); }

int centipawns(double expected_score) {
    constexpr double kMost = kMaxEvaluation;
    if (!(expected_score > 0.0)) return -kMaxEvaluation;
    if (expected_score >= 1.0) return kMaxEvaluation;
    const double value = 400.0 * std::log10(expected_score / (1.0 - expected_score));
    return int(std::lround(std::clamp(value, -kMost, kMost)));
}

}  // namespace okapi
