#include "okapi/eval/callback.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace okapi {

Callback::Callback(Opinion opinion) : opinion_(std::move(opinion)), memory_(kRemembered) {}

std::vector<int> Callback::ask(const std::vector<Position>& positions) {
    std::vector<int> values = opinion_(positions);
    if (values.size() != positions.size())
        throw std::runtime_error("the evaluator was asked about " + std::to_string(positions.size()) +
                                 " positions and answered with " + std::to_string(values.size()) +
                                 " values; return one value for each position");
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::clamp(values[i], -kMaxEvaluation, kMaxEvaluation);
        memory_of(positions[i].key()) = {positions[i].key(), values[i], true};
    }
    return values;
}

int Callback::value(const Position& position) {
    const Memory& memory = memory_of(position.key());
    return memory.holds(position.key()) ? memory.value : ask({position}).front();
}

void Callback::expect(Position& position, const MoveList& moves) {
    std::vector<Position> children;
    for (Move move : moves) {
        position.play(move);
        if (!memory_of(position.key()).holds(position.key())) children.push_back(position);
        position.undo();
    }
    if (!children.empty()) ask(children);
}

}  // namespace okapi
