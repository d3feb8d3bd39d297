#include "okapi/uci/handicap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <random>

#include "okapi/eval/evaluator.h"

namespace okapi::handicap {

namespace {

struct Point {
    int elo;
    Level level;
};

// What the champion needs for a rating. docs/reference/uci_elo.json has the games of bench/uci_elo.py that measure it.
constexpr std::array kTable = std::to_array<Point>({
    // elo, nodes, lines, temperature, visible loss, visible mate
    {800, {400, 10, 0.11, 309, 1}},
    {1000, {443, 9, 0.068, 229, 1}},
    {1200, {562, 7, 0.042, 162, 2}},
    {1400, {746, 6, 0.03, 132, 3}},
    {1600, {938, 5, 0.024, 116, 3}},
    {1800, {1238, 4, 0.018, 104, 4}},
    {2000, {1724, 4, 0.013, 100, 4}},
    {2200, {2379, 3, 0.0098, 100, 5}},
    {2400, {3109, 2, 0.0077, 100, 6}},
    {2600, {5590, 2, 0.0045, 100, 6}},
    {2800, {10500, 2, 0.0025, 100, 6}},
    {3000, {18000, 2, 0.0015, 100, 6}},
    {3200, {46500, 2, 0.0006, 100, 6}},
});

// A move this near the best, in centipawns, is a matter of taste, whatever it looks like at a glance.
constexpr int kSameWorth = 50;

// The expected score that a move worth `value` instead of `best` would lose in a balanced game; 0 to ½.
double loss(int best, int value) { return expected_score(std::clamp(best - value, 0, kMaxEvaluation)) - 0.5; }

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
    elo = std::clamp(elo, kLowest, kHighest);
    const auto above = std::ranges::find_if(kTable, [&](const Point& point) { return point.elo >= elo; });
    const auto below = above == kTable.begin() ? above : std::prev(above);
    const double part = above == below ? 0.0 : double(elo - below->elo) / (above->elo - below->elo);
    const auto mixed = [&](auto Level::* field) {
        return std::lerp(double(below->level.*field), double(above->level.*field), part);
    };
    const auto mixed_logs = [&](auto Level::* field) {
        return std::exp(std::lerp(std::log(double(below->level.*field)), std::log(double(above->level.*field)), part));
    };
    Level level;
    level.nodes = std::uint64_t(std::llround(mixed_logs(&Level::nodes)));
    level.lines = int(std::lround(mixed(&Level::lines)));
    level.temperature = mixed_logs(&Level::temperature);
    level.visible_loss = int(std::lround(mixed(&Level::visible_loss)));
    level.visible_mate = int(mixed(&Level::visible_mate));
    return level;
}

std::size_t choose(const Position& position, const std::vector<Line>& lines, const Level& level, std::uint64_t seed) {
    const Line& best = lines.front();
    if (is_mate(best.value) && best.value > 0 && moves_to_mate(best.value) <= level.visible_mate) return 0;

    std::vector<double> weights;
    for (const Line& line : lines) {
        const bool refused = line.moves.empty() || (&line != &best && is_visible_blunder(position, line, best, level));
        weights.push_back(refused ? 0.0 : std::exp(-loss(best.value, line.value) / level.temperature));
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
