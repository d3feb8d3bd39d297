// The end of the line: only captures, promotions, checks and answers to checks, until the position is quiet.
#include <algorithm>

#include "okapi/chess/position.h"
#include "okapi/eval/endgame.h"
#include "okapi/search/worker.h"

namespace okapi {

// The evaluator's value, with the adjustments for every evaluator.
int Worker::evaluate() {
    if (shared_.heuristics.known_endings && is_known_draw(position_)) return kDraw;
    return adjusted(evaluator_->value(position_));
}

int Worker::adjusted(int value) const {
    if (shared_.heuristics.known_endings) value += mop_up(position_);
    if (shared_.heuristics.fading) value -= value * position_.halfmove_clock() / 256;
    return std::clamp(value, -kMaxEvaluation, kMaxEvaluation);
}

// A cheap range of evaluate() with its correction, if the evaluator has one.
std::optional<Range> Worker::range(int ply) {
    if (!knows_ranges_) return std::nullopt;
    const std::optional<Range> range = evaluator_->range(position_);
    if (!range || (shared_.heuristics.known_endings && is_known_draw(position_))) return std::nullopt;
    const int off = correction(ply);
    return Range{adjusted(range->low) + off, adjusted(range->high) + off};
}

// A bound of the value, where that already decides that it lies outside the window.
std::optional<int> Worker::beyond_window(int alpha, int beta, int ply) {
    const std::optional<Range> possible = range(ply);
    if (possible && possible->low >= beta) return possible->low;
    if (possible && possible->high <= alpha) return possible->high;
    return std::nullopt;
}

// As search() with no budget. `depth` counts plies of quiescence.
int Worker::quiesce(int alpha, int beta, int ply, int depth) {
    Frame& here = frame(ply);
    here.line_length = 0;
    const bool pv = beta - alpha > 1;
    selective_depth_ = std::max(selective_depth_, ply);

    // 1. Return: time is up, or a draw by the rules.
    if (stopped_) return 0;
    if (depth > 0 && (position_.repeats_within(ply - 1) || position_.is_insufficient_material())) return kDraw;
    const bool in_check = here.in_check = position_.in_check();
    if (ply >= kMaxPly - 1) return in_check ? kDraw : evaluate();

    // 2. Ask the table.
    std::optional<Entry> seen;
    if (shared_.heuristics.table) seen = shared_.table.find(position_.key(), ply);
    if (seen && !pv && seen->decides(alpha, beta) && position_.halfmove_clock() < 90) return seen->value;

    // 3. The side to move may decline to capture, unless it is in check.
    int raw = kNoStatic, best = -kInfinity;
    const int first_alpha = alpha;
    if (!in_check) {
        const bool known = seen && seen->static_value != kNoStatic;
        const std::optional<int> beyond = known || pv ? std::nullopt : beyond_window(alpha, beta, ply);
        raw = known ? seen->static_value : beyond ? kNoStatic : evaluate();
        best = beyond ? *beyond : std::clamp(raw + correction(ply), -kMaxEvaluation, kMaxEvaluation);
        if (seen && shared_.heuristics.stand_by_table && !is_mate(seen->value) && seen->decides(best, best))
            best = seen->value;
        here.static_value = best;
        if (best >= beta) {
            if (shared_.heuristics.soft_bounds && !pv && !is_mate(best) && !is_mate(beta)) best = (best + beta) / 2;
            return best;
        }
        alpha = std::max(alpha, best);
    }

    // 4. Try the moves.
    const int stand = best;
    const Continuations replies = continuations(ply);
    here.attacked = in_check ? attacked_by(position_, ~position_.turn()) : 0;
    const auto purpose = in_check ? Picker::Purpose::Evasions : Picker::Purpose::Quiescence;
    Picker picker(position_, *histories_, shared_.heuristics, replies, seen ? seen->move : Move::none(), purpose, ply,
                  {here.attacked, shared_.constants.escape_bonus});
    Move best_move;
    int number = 0;
    for (Move move = picker.next(); move.exists(); move = picker.next()) {
        ++number;
        shared_.table.prefetch(position_.likely_key_after(move));
        if (best > -kMateBound) {
            if (shared_.heuristics.late_move_pruning && in_check && number > 1 && !position_.is_noisy(move))
                picker.skip_quiet();
            // Even winning this for nothing does not reach alpha.
            const Piece victim = position_.captured_by(move);
            const int hope = stand + shared_.constants.quiescence_margin +
                             (victim.exists() ? kSeeValue[std::size_t(victim.kind())] : 0);
            if (shared_.heuristics.futility && !in_check && hope <= alpha && !move.promotes() &&
                !position_.gives_check(move)) {
                best = std::max(best, hope);
                continue;
            }
            const int loss = in_check ? shared_.constants.quiescence_evasion : 0;
            if (shared_.heuristics.see_pruning && !position_.see_ge(move, -loss)) continue;
        }
        play(move, ply);
        const int value = -quiesce(-beta, -alpha, ply + 1, depth + 1);
        undo();
        if (stopped_) return 0;
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        alpha = value;
        best_move = move;
        if (pv) update_line(ply, move);
        if (value >= beta) break;
    }
    if (in_check && number == 0) return -kMate + ply;
    if (!in_check && depth == 0 && best < beta && shared_.heuristics.quiescence_checks)
        if (!quiesce_quiet_checks(best, best_move, alpha, beta, ply)) return 0;

    // 5. Remember.
    if (shared_.heuristics.table) {
        const Bound bound = best >= beta ? Bound::Lower : best > first_alpha && pv ? Bound::Exact : Bound::Upper;
        shared_.table.store(position_.key(), ply, {best_move, best, raw, 0, bound, pv || (seen && seen->on_pv)});
    }
    return best;
}

// Quiet moves that check and, with see_pruning, do not lose material. False if the search was stopped.
bool Worker::quiesce_quiet_checks(int& best, Move& best_move, int alpha, int beta, int ply) {
    for (Move move : quiet_checks(position_)) {
        if (shared_.heuristics.see_pruning && !position_.see_ge(move, 0)) continue;
        play(move, ply);
        const int value = -quiesce(-beta, -alpha, ply + 1, 1);
        undo();
        if (stopped_) return false;
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        alpha = value;
        best_move = move;
        update_line(ply, move);
        if (value >= beta) break;
    }
    return true;
}

}  // namespace okapi
