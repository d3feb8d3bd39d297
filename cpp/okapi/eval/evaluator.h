// The interface between search and evaluation. Search uses nothing else of eval/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "okapi/chess/position.h"

namespace okapi {

// Values inside search are centipawns for the side to move.
inline constexpr int kDraw = 0;
inline constexpr int kMaxEvaluation = 20000;  // an evaluator stays within ± this; above lie tablebase wins and mates

// Values from `low` to `high`, both included.
struct Range {
    int low;
    int high;
};

// Evaluates positions. One object serves one thread; clone() makes another for the next.
class Evaluator {
public:
    virtual ~Evaluator() = default;

    // The value of `position` for the side to move, in centipawns, within ± kMaxEvaluation.
    virtual int value(const Position& position) = 0;
    virtual std::unique_ptr<Evaluator> clone() const = 0;
    // Bounds of the value, if they cost much less than the value itself.
    virtual std::optional<Range> range(const Position& /*position*/) { return std::nullopt; }

    // A new tree begins at `position`.
    virtual void reset(const Position& /*position*/) {}
    // `move` is about to be played in `before` / was taken back. For evaluators that are updated move by move.
    virtual void push(const Position& /*before*/, Move /*move*/) {}
    virtual void pop() {}
    // The positions after `moves` will probably be evaluated next. For evaluators that are cheaper in batches; search
    // calls it only if wants_batches().
    virtual bool wants_batches() const { return false; }
    virtual void expect(Position& /*position*/, const MoveList& /*moves*/) {}
    // The value of each position, as if a new tree began there.
    virtual std::vector<int> values(const std::vector<Position>& positions);
};

// Expected score (0 lost, 1/2 drawn, 1 won) and centipawns: 400 centipawns count like 400 Elo, ten to one.
double expected_score(int centipawns);
int centipawns(double expected_score);

}  // namespace okapi
