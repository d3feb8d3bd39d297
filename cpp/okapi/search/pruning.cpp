// Nodes that are decided without trying every move.
#include <algorithm>

#include "okapi/search/worker.h"

namespace okapi {

std::optional<int> Worker::prune(Node& node) {
    const Heuristics& on = shared_.heuristics;
    const Constants& by = shared_.constants;

    // Far below alpha near the horizon: only captures could help, so look at nothing else.
    if (on.razoring && node.depth <= by.razoring_depth &&
        node.estimate + by.razoring_base + by.razoring_step * node.depth <= node.alpha) {
        const int value = quiesce(node.alpha, node.alpha + 1, node.ply, 0);
        if (value <= node.alpha) return value;
    }
    // Far above beta near the horizon: the opponent's next move will not change that.
    if (on.reverse_futility && node.depth <= by.reverse_futility_depth && !is_mate(node.beta) &&
        node.estimate - by.reverse_futility_step * node.depth + by.reverse_futility_improving * node.improving >=
            node.beta)
        return (2 * node.beta + node.estimate) / 3;

    if (const auto value = try_null_move(node)) return value;
    return try_probcut(node);
}

// As prune() would, where already the range of the value decides.
std::optional<int> Worker::prune_by_range(Node& node) {
    const Heuristics& on = shared_.heuristics;
    const Constants& by = shared_.constants;
    if (node.depth > std::max(by.razoring_depth, by.reverse_futility_depth) ||
        (node.seen && node.seen->static_value != kNoStatic))
        return std::nullopt;
    const std::optional<Range> possible = range(node.ply);
    if (!possible) return std::nullopt;
    if (on.razoring && node.depth <= by.razoring_depth &&
        possible->high + by.razoring_base + by.razoring_step * node.depth <= node.alpha) {
        const int value = quiesce(node.alpha, node.alpha + 1, node.ply, 0);
        if (value <= node.alpha) return value;
    }
    if (on.reverse_futility && node.depth <= by.reverse_futility_depth && !is_mate(node.beta) &&
        possible->low - by.reverse_futility_step * node.depth >= node.beta)
        return (2 * node.beta + possible->low) / 3;
    return std::nullopt;
}

// If the side to move may pass and still be above beta, it will be above beta with a move as well. Not without pieces:
// there, having to move is what loses.
std::optional<int> Worker::try_null_move(Node& node) {
    const Constants& by = shared_.constants;
    const Color us = position_.turn();
    const Bitboard officers =
        position_.pieces(us) & ~position_.pieces(us, Kind::Pawn) & ~position_.pieces(us, Kind::King);
    if (!shared_.heuristics.null_move || node.depth < by.null_move_depth || node.estimate < node.beta || !officers ||
        position_.last_was_pass() || is_mate(node.beta) || node.ply < no_null_before_)
        return std::nullopt;

    const int less = by.null_move_base + node.depth / by.null_move_divisor +
                     std::min(by.null_move_value_most, (node.estimate - node.beta) / by.null_move_value);
    const Budget next = std::max(0, node.budget - less * kPly);
    frame(node.ply).move = Move::none();
    frame(node.ply).continuation = nullptr;
    evaluator_->push(position_, Move::none());
    position_.pass();
    const int value = -search(-node.beta, -node.beta + 1, next, node.ply + 1, !node.cut);
    position_.unpass();
    evaluator_->pop();
    if (stopped_ || value < node.beta) return std::nullopt;

    const int certain = is_mate(value) ? node.beta : value;
    if (node.depth < by.null_move_verified_depth || no_null_before_ > 0) return certain;
    // Deep nodes: verify without passing for a while.
    no_null_before_ = node.ply + 3 * plies(next) / 4;
    const int verified = search(node.beta - 1, node.beta, next, node.ply, false);
    no_null_before_ = 0;
    if (!stopped_ && verified >= node.beta) return certain;
    return std::nullopt;
}

// A capture that is good enough by a margin in a much shallower search is good enough.
std::optional<int> Worker::try_probcut(Node& node) {
    const Constants& by = shared_.constants;
    const int bar = node.beta + by.probcut_margin - by.probcut_improving * node.improving;
    if (!shared_.heuristics.probcut || node.depth < by.probcut_depth || is_mate(node.beta)) return std::nullopt;
    if (node.seen && node.seen->budget >= node.budget - 3 * kPly && node.seen->value < bar) return std::nullopt;

    const Continuations none{};
    Picker picker(position_, *histories_, shared_.heuristics, none, node.table_move, Picker::Purpose::Quiescence,
                  node.ply, {});
    for (Move move = picker.next(); move.exists(); move = picker.next()) {
        if (!position_.see_ge(move, bar - node.estimate)) continue;
        shared_.table.prefetch(position_.likely_key_after(move));
        play(move, node.ply);
        int value = -quiesce(-bar, -bar + 1, node.ply + 1, 0);
        if (value >= bar) value = -search(-bar, -bar + 1, node.budget - 4 * kPly, node.ply + 1, !node.cut);
        undo();
        if (stopped_) return std::nullopt;
        if (value >= bar) {
            shared_.table.store(position_.key(), node.ply,
                                {move, value, node.raw_value, node.budget - 3 * kPly, Bound::Lower, node.was_pv});
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace okapi
