// How far a move is looked at: less, further, or not at all.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "okapi/search/worker.h"

namespace okapi {

// Hundredths of a ply by which a move is looked at less far (or further) than its number alone would have it, for what
// a MovePrior finds it. A late move has a probability of about 1/20.
static double unlikeliness(float probability) {
    return std::clamp(35 * std::log2(0.05 / double(probability)), -150.0, 150.0);
}

int Worker::reduction(const Node& node, const Try& tried) const {
    static const auto kBase = [] {
        std::array<std::array<double, 64>, 64> table{};
        for (int d = 1; d < 64; ++d)
            for (int n = 1; n < 64; ++n) table[std::size_t(d)][std::size_t(n)] = 1e4 * std::log(d) * std::log(n);
        return table;
    }();
    if (!shared_.heuristics.late_move_reductions || node.depth < 2 || tried.number <= 1 + (node.ply == 0)) return 0;
    const Constants& by = shared_.constants;
    const double base = kBase[std::size_t(std::min(node.depth, 63))][std::size_t(std::min(tried.number, 63))];
    double less = tried.quiet ? by.reduction_quiet_base + base / by.reduction_quiet_divisor
                              : by.reduction_noisy_base + base / by.reduction_noisy_divisor;
    less += node.cut ? by.reduction_cut : 0;
    less += node.improving ? 0 : by.reduction_not_improving;
    less += node.table_noisy ? by.reduction_table_noisy : 0;
    less += frame(node.ply + 1).cutoffs > 3 ? by.reduction_cutoffs : 0;
    less -= node.was_pv ? by.reduction_was_pv : 0;
    less -= node.in_check ? 0 : by.reduction_correction * std::abs(node.static_value - node.raw_value);
    less -= node.in_check ? by.reduction_in_check : 0;
    less -= tried.check ? by.reduction_check : 0;
    less += tried.again ? by.reduction_again : 0;
    if (tried.probability > 0) less += unlikeliness(tried.probability);
    if (tried.quiet) {
        less -= 100.0 * quiet_history(node, tried.move) / by.reduction_history;
        const auto& killers = histories_->killers[std::size_t(node.ply)];
        if (tried.move == killers[0] || tried.move == killers[1]) less -= by.reduction_killer;
    }
    return std::max(0, int(less / 100));
}

// How many plies to look further (or less far, if negative). Fills `cut_value` if so many moves refute that none is
// needed.
int Worker::extension(const Node& node, const Try& tried, std::optional<int>& cut_value) {
    const Heuristics& on = shared_.heuristics;
    const Constants& by = shared_.constants;
    if (node.ply == 0 || node.ply >= 2 * root_plies_) return 0;

    // Is the table's move the only good one? Search the others with half the budget.
    if (on.singular_extensions && node.depth >= by.singular_depth && tried.move == node.table_move &&
        !node.excluded.exists() && node.seen &&
        (node.seen->bound == Bound::Lower || node.seen->bound == Bound::Exact) && !is_mate(node.seen->value) &&
        node.seen->budget >= node.budget - 3 * kPly) {
        const int bar = node.seen->value - by.singular_margin * node.depth;
        frame(node.ply).excluded = tried.move;
        const int value = search(bar - 1, bar, (node.budget - kPly) / 2, node.ply, node.cut);
        frame(node.ply).excluded = Move::none();
        if (stopped_) return 0;
        if (value < bar) {
            const bool twice = !node.pv && value < bar - by.singular_double_margin &&
                               frame(node.ply).double_extensions < by.singular_double_most;
            return twice ? 2 : 1;
        }
        if (value >= node.beta && !is_mate(value)) cut_value = value;
        return node.seen->value >= node.beta ? -2 : node.cut ? -1 : 0;
    }
    if (on.check_extensions && node.depth <= by.check_extension_depth && tried.check && position_.see_ge(tried.move, 0))
        return 1;
    return 0;
}

// Is a move near the horizon not worth searching? May make the picker skip all further quiet moves.
bool Worker::is_hopeless(const Node& node, const Try& tried, int alpha, Picker& picker) const {
    const Heuristics& on = shared_.heuristics;
    const Constants& by = shared_.constants;
    constexpr int kHistoryACentipawn = 80;
    if (node.depth > 12) return false;
    const int left = std::max(0, node.depth - plies(tried.cost + tried.less - kPly));
    if (tried.quiet && !node.in_check) {
        if (on.late_move_pruning && !node.pv &&
            tried.number > (by.late_move_base + node.depth * node.depth) / (node.improving ? 1 : 2))
            picker.skip_quiet();
        if (on.futility && left <= by.futility_depth &&
            node.static_value + by.futility_base + by.futility_step * left <= alpha && !tried.check) {
            if (!node.pv) picker.skip_quiet();
            return true;
        }
        if (on.history && on.late_move_pruning && left <= by.history_pruning_depth && !node.pv &&
            quiet_history(node, tried.move) < -by.history_pruning_step * node.depth)
            return true;
    }
    if (on.futility && !tried.quiet && !node.in_check && !node.pv && !tried.check && !tried.move.promotes() &&
        node.depth <= by.noisy_futility_depth) {
        const int won = kSeeValue[std::size_t(position_.captured_by(tried.move).kind())] +
                        capture_score(*histories_, position_, tried.move) / kHistoryACentipawn;
        if (node.static_value + by.noisy_futility_base + by.noisy_futility_step * node.depth + won <= alpha)
            return true;
    }
    if (!on.see_pruning || node.depth > by.see_pruning_depth) return false;
    const int loss = tried.quiet ? by.see_quiet * left * left : by.see_noisy * node.depth;
    return !position_.see_ge(tried.move, -loss);
}

}  // namespace okapi
