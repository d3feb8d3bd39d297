#include "okapi/uci/handicap.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "okapi/eval/evaluator.h"

namespace okapi::handicap {

namespace {

// A move this near the best, in centipawns, is a matter of taste, whatever it looks like at a glance.
constexpr int kSameWorth = 50;

double expected(int value) {
    return is_mate(value) ? double(value > 0) : expected_score(std::clamp(value, -kMaxEvaluation, kMaxEvaluation));
}

int moves_to_mate(int value) { return (kMate - std::abs(value) + 1) / 2; }

// What the best plain capture wins for the side to move.
int best_capture(const Position& position) {
    int best = 0;
    for (const Move move : legal_moves(position, Which::Noisy))
        if (position.is_capture(move)) best = std::max(best, position.see(move));
    return best;
}

// Material after `move` as one sees it at a glance: what it takes, less what it leaves to be taken.
int glance(const Position& position, Move move) {
    const int taken = position.is_capture(move) ? kSeeValue[std::size_t(index(position.captured_by(move).kind()))] : 0;
    Position after = position;
    after.play(move);
    return taken - best_capture(after);
}

bool is_visible_blunder(const Position& position, const Line& line, const Line& best, const Level& level) {
    if (best.value - line.value < kSameWorth) return false;
    const bool mated = is_mate(line.value) && line.value < 0 && !(is_mate(best.value) && best.value < 0);
    if (mated && moves_to_mate(line.value) <= level.visible_mate) return true;
    return glance(position, best.moves.front()) - glance(position, line.moves.front()) >= level.visible_loss;
}

}  // namespace

Level level(int elo) {
    const double above = std::clamp(elo, kLowest, kHighest) - kLowest;
    const double part = above / (kHighest - kLowest);
    Level level;
    level.nodes = std::uint64_t(600 * std::exp2(above / 250));  // 600 to 88,000
    level.lines = int(std::lround(8 - 4 * part));
    level.temperature = 0.08 * std::pow(0.01 / 0.08, part);    // 0.08 to 0.01
    level.visible_loss = std::max(100, int(500 - above / 3));  // a rook at 800, a piece at 1400, a pawn from 2000
    level.visible_mate = elo < 1000 ? 0 : 1 + (elo - 1000) / 300;
    return level;
}

std::size_t choose(const Position& position, const std::vector<Line>& lines, const Level& level, std::uint64_t seed) {
    const Line& best = lines.front();
    if (is_mate(best.value) && best.value > 0 && moves_to_mate(best.value) <= level.visible_mate) return 0;

    std::vector<double> weights;
    for (const Line& line : lines) {
        const bool refused = line.moves.empty() || (&line != &best && is_visible_blunder(position, line, best, level));
        const double loss = std::max(0.0, expected(best.value) - expected(line.value));
        weights.push_back(refused ? 0.0 : std::exp(-loss / level.temperature));
    }
    std::mt19937_64 random(seed);
    double drawn = double(random() >> 11) * 0x1p-53 * std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        drawn -= weights[i];
        if (drawn < 0 && weights[i] > 0) return i;
    }
    return 0;
}

std::optional<Move> mate_in_one(const Position& position) {
    for (const Move move : legal_moves(position)) {
        if (!position.gives_check(move)) continue;
        Position after = position;
        after.play(move);
        if (!has_legal_move(after)) return move;
    }
    return std::nullopt;
}

}  // namespace okapi::handicap
