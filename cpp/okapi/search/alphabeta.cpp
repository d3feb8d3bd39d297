// One alpha-beta for every budget rule.
#include <algorithm>
#include <cstdlib>

#include "okapi/chess/zobrist.h"
#include "okapi/search/similarity.h"
#include "okapi/search/tablebase.h"
#include "okapi/search/tree.h"
#include "okapi/search/worker.h"

namespace okapi {

// The value of the position for the side to move, as far as `budget` reaches. Fail-soft:
//   v <= alpha          the true value is at most v
//   alpha < v < beta    v is the true value
//   v >= beta           the true value is at least v
int Worker::search(int alpha, int beta, Budget budget, int ply, bool cut) {
    Node node{alpha, beta, budget, ply, cut, beta - alpha > 1, shared_.rule.whole_plies(budget)};
    Frame& here = frame(ply);
    node.excluded = here.excluded;
    node.in_check = here.in_check = position_.in_check();
    here.line_length = 0;
    frame(ply + 2).cutoffs = 0;
    selective_depth_ = std::max(selective_depth_, ply);

    // 1. Return: time is up, a draw by the rules, a nearer mate is known, or the budget is used up.
    if (const auto value = ends_here(node)) return *value;

    // 2. Ask the table and the endgame tables.
    if (const auto value = ask_table(node)) return *value;
    if (const auto value = ask_tablebase(node)) return *value;

    // 3. Static value; is it better than two plies ago?
    const bool plain = !node.pv && !node.in_check && !node.excluded.exists();
    fetch_ahead(node);
    if (plain)
        if (const auto value = prune_by_range(node)) return *value;
    judge(node);

    // 4. Nodes that need no moves: hopelessly bad, or so good that even passing holds.
    if (plain)
        if (const auto value = prune(node)) return *value;
    if (stopped_) return 0;

    // 5. Without a table move, search less deep.
    if (shared_.heuristics.internal_reductions && node.depth >= shared_.constants.internal_reduction_depth &&
        !node.table_move.exists() && (node.pv || node.cut)) {
        node.budget -= kPly;
        node.depth -= 1;
    }

    // 6. Try the moves.
    return search_moves(node);
}

std::optional<int> Worker::ends_here(Node& node) {
    if (node.ply > 0) {
        if (stopped_) return 0;
        if (position_.repeats_within(node.ply - 1) || position_.is_insufficient_material()) return kDraw;
        if (position_.is_fifty_moves()) return kDraw;
        if (node.ply >= kMaxPly - 1) return node.in_check ? kDraw : evaluate();
    }
    if (node.budget <= 0 && node.ply > 0) {
        if (shared_.heuristics.quiescence) return quiesce(node.alpha, node.beta, node.ply, 0);
        if (!has_legal_move(position_)) return node.in_check ? -kMate + node.ply : kDraw;
        return evaluate();
    }
    if (shared_.heuristics.mate_distance && node.ply > 0) {
        node.alpha = std::max(node.alpha, -kMate + node.ply);
        node.beta = std::min(node.beta, kMate - node.ply - 1);
        if (node.alpha >= node.beta) return node.alpha;
    }
    return std::nullopt;
}

std::optional<int> Worker::ask_table(Node& node) {
    node.was_pv = node.pv;
    if (!shared_.heuristics.table) return std::nullopt;
    node.seen = shared_.table.find(position_.key(), node.ply);
    if (node.ply == 0) {
        node.table_move = root_moves_[root_index_].line.front();
    } else if (node.seen) {
        node.table_move = node.seen->move;
    }
    node.table_noisy = node.table_move.exists() && position_.is_noisy(node.table_move);
    if (!node.seen) return std::nullopt;
    node.was_pv |= node.seen->on_pv;
    const Constants& by = shared_.constants;
    const bool may_cut = node.pv ? !shared_.heuristics.pvs && node.ply > 0 : true;
    // Near the fifty-move limit what was found on another path may not hold here.
    if (may_cut && !node.excluded.exists() && node.seen->budget >= node.budget - shared_.rule.slack() &&
        position_.halfmove_clock() < 90 && node.seen->decides(node.alpha, node.beta)) {
        if (node.seen->value >= node.beta && node.table_move.exists() && position_.is_legal(node.table_move) &&
            !position_.is_noisy(node.table_move)) {
            frame(node.ply).attacked = attacked_by(position_, ~position_.turn());
            reward_quiet(node, node.table_move, std::min(by.table_bonus_step * node.depth, by.table_bonus_most));
        }
        return node.seen->value;
    }
    return std::nullopt;
}

// Prefetch the table entries after a null move and the first move while the evaluator runs.
void Worker::fetch_ahead(const Node& node) const {
    if (!node.pv && !node.in_check && node.depth >= shared_.constants.null_move_depth)
        shared_.table.prefetch(position_.key() ^ zobrist::white_to_move());
    // The table's move may belong to another position.
    if (node.table_move.exists() && position_.at(node.table_move.from()).exists())
        shared_.table.prefetch(position_.likely_key_after(node.table_move));
}

std::optional<int> Worker::ask_tablebase(Node& node) {
    if (!shared_.heuristics.tablebases || node.ply == 0 || node.excluded.exists()) return std::nullopt;
    const int pieces = count(position_.pieces());
    const int most = std::min(tablebase::max_pieces(), shared_.limits.tablebase_pieces);
    if (pieces > most || (pieces == most && node.depth < shared_.limits.tablebase_depth)) return std::nullopt;
    const auto verdict = tablebase::probe(position_);
    if (!verdict) return std::nullopt;
    tablebase_hits_.store(tablebase_hits() + 1, std::memory_order_relaxed);

    int score = int(*verdict);
    if (shared_.limits.tablebase_fifty && std::abs(score) < 2) score = 0;
    const int value = score > 0 ? kTablebaseWin - node.ply : score < 0 ? -kTablebaseWin + node.ply : kDraw;
    const Bound bound = score > 0 ? Bound::Lower : score < 0 ? Bound::Upper : Bound::Exact;
    if (bound == Bound::Exact || (bound == Bound::Lower ? value >= node.beta : value <= node.alpha)) {
        shared_.table.store(
            position_.key(), node.ply,
            {Move::none(), value, kNoStatic, std::min(node.budget + 6 * kPly, 100 * kPly), bound, node.was_pv});
        return value;
    }
    return std::nullopt;
}

void Worker::judge(Node& node) {
    Frame& here = frame(node.ply);
    if (node.in_check) {
        here.static_value = kNoStatic;
        return;
    }
    node.raw_value = node.seen && node.seen->static_value != kNoStatic ? node.seen->static_value : evaluate();
    node.static_value = std::clamp(node.raw_value + correction(node.ply), -kMaxEvaluation, kMaxEvaluation);
    // A value from the table is better than a static value, where it bounds on the right side.
    node.estimate = node.static_value;
    if (node.seen && !node.excluded.exists() && !is_mate(node.seen->value)) {
        const Bound helpful = node.seen->value > node.static_value ? Bound::Lower : Bound::Upper;
        if (node.seen->bound == helpful || node.seen->bound == Bound::Exact) node.estimate = node.seen->value;
    }
    here.static_value = node.static_value;
    const int before = node.ply >= 2 ? frame(node.ply - 2).static_value : kNoStatic;
    const int earlier = before != kNoStatic ? before : node.ply >= 4 ? frame(node.ply - 4).static_value : kNoStatic;
    node.improving = earlier != kNoStatic && node.static_value > earlier;

    const int theirs = node.ply >= 1 ? frame(node.ply - 1).static_value : kNoStatic;
    if (shared_.heuristics.swings && theirs != kNoStatic && !node.excluded.exists()) {
        const Constants& by = shared_.constants;
        const int won = -(theirs + node.static_value);  // by the opponent's last move
        reward_previous(node, std::clamp(by.swing_factor * won, -by.swing_most, by.swing_most));
    }
}

int Worker::search_moves(Node& node) {
    if (on_inner_node_ && !node.excluded.exists()) on_inner_node_(position_);
    const Continuations replies = continuations(node.ply);
    const Bitboard attacked = frame(node.ply).attacked = attacked_by(position_, ~position_.turn());
    Priors priors;
    if (shared_.rule.kind != BudgetRule::Kind::Depth || prior_) set_costs(node, priors);
    Picker picker(position_, *histories_, shared_.heuristics, replies, node.table_move, Picker::Purpose::Search,
                  node.ply, {attacked, shared_.constants.escape_bonus}, priors.orders() ? &priors : nullptr);
    Tried quiets, captures;
    Failures failures;
    int alpha = node.alpha, best = -kInfinity, number = 0;
    Move best_move;

    for (Move move = picker.next(); move.exists(); move = picker.next()) {
        if (move == node.excluded || (node.ply == 0 && !is_allowed_at_root(move))) continue;
        shared_.table.prefetch(position_.likely_key_after(move));
        // At the root all moves are looked at; elsewhere most are, once the first has not refuted.
        if (evaluator_->wants_batches() && number == (node.ply > 0))
            expect_moves(node, priors, move, picker, number, alpha, best);
        // Most cut nodes fail high with the first move: the prior is computed only after that failed.
        if (number == 1 && reduces_by_prior(node, priors)) ask_prior(node, priors);
        const bool compared = shared_.heuristics.similarity && number > 0 && !position_.is_noisy(move);
        const std::uint64_t effect = compared ? signature(position_, move) : 0;
        const Try tried = about(node, priors, move, ++number, compared && failures.contain(effect));
        if (node.ply > 0 && best > -kMateBound && is_hopeless(node, tried, alpha, picker)) continue;
        if (node.ply == 0 && on_move_) on_move_(move, number + int(root_index_), root_depth_);

        std::optional<int> cut_value;
        const int longer = extension(node, tried, cut_value);
        if (stopped_) return 0;
        if (cut_value) return *cut_value;
        const Budget next = node.budget - tried.cost + longer * kPly;
        frame(node.ply + 1).double_extensions = frame(node.ply).double_extensions + (longer >= 2);

        const std::uint64_t nodes_before = nodes();
        const int value = search_child(node, tried, alpha, best, next);
        if (stopped_) return 0;
        if (node.ply == 0) {
            Node window = node;
            window.alpha = alpha;
            keep_root_move(window, move, value, number, nodes_before);
        }

        if (value > best) {
            best = value;
            if (value > alpha) {
                alpha = value;
                best_move = move;
                if (node.pv) update_line(node.ply, move);
                if (value >= node.beta) {
                    reward(node, move, tried.quiet, quiets, captures);
                    ++frame(node.ply).cutoffs;
                    break;
                }
            }
        }
        (tried.quiet ? quiets : captures).add(move);
        if (compared && best_move != move) failures.add(effect);
    }

    // No legal move: a mate nearer the root is worth more, so the winner hurries.
    if (number == 0) return node.excluded.exists() ? node.alpha : node.in_check ? -kMate + node.ply : kDraw;

    const Bound bound = best >= node.beta ? Bound::Lower : best_move.exists() ? Bound::Exact : Bound::Upper;
    if (shared_.heuristics.soft_bounds && bound == Bound::Lower && !is_mate(best) && !is_mate(node.beta) && !node.pv)
        best = (best * node.depth + node.beta) / (node.depth + 1);
    if (bound == Bound::Upper && !node.excluded.exists()) {
        const Constants& by = shared_.constants;
        reward_previous(node, std::min(by.previous_bonus_step * node.depth, by.previous_bonus_most));
    }
    remember(node, best, best_move, bound);
    return best;
}

Worker::Try Worker::about(const Node& node, const Priors& priors, Move move, int number, bool again) const {
    Try tried{move,
              number,
              !position_.is_noisy(move),
              position_.gives_check(move),
              again,
              priors.cost(move),
              0,
              priors.probability(move)};
    if (!priors.by_probability()) {
        tried.less = reduction(node, tried) * kPly;
    } else if (shared_.heuristics.late_move_reductions && tried.cost > kPly) {
        // An unlikely move that turns out to be good was not so unlikely.
        tried.less = tried.cost - kPly;
        tried.cost = kPly;
    }
    return tried;
}

// Tells the evaluator which moves are about to be searched: `next` and those that the picker has behind it.
void Worker::expect_moves(const Node& node, const Priors& priors, Move next, Picker behind, int number, int alpha,
                          int best) {
    MoveList moves;
    for (; next.exists(); next = behind.next()) {
        const Try tried = about(node, priors, next, ++number);
        const bool hopeless = node.ply > 0 && best > -kMateBound && is_hopeless(node, tried, alpha, behind);
        // Quiescence does not evaluate positions in check.
        const bool unasked = tried.check && shared_.heuristics.quiescence;
        if (!hopeless && !unasked && next != node.excluded) moves.add(next);
    }
    evaluator_->expect(position_, moves);
}

// Searches the position after `move`: late moves with less budget and a null window first, and again in full if they
// turn out better than expected. `best` is what the moves before came to.
int Worker::search_child(const Node& node, const Try& tried, int alpha, int best, Budget next) {
    const Constants& by = shared_.constants;
    const bool pvs = shared_.heuristics.pvs;
    const int narrow = pvs ? alpha + 1 : node.beta;
    // Null-move and singular searches are not part of the tree.
    const bool drawn = tree_ && tree_->ply() == node.ply && !node.excluded.exists();
    if (drawn) tree_->enter(tried.move, next);
    play(tried.move, node.ply);
    int value = -kInfinity;
    bool again = false;  // looked at once more, because it turned out better than expected
    bool fresh = true;   // still to be searched with the null window and the whole budget

    if (tried.less > 0) {
        const Budget least = shared_.rule.by_probability() ? 0 : kPly;
        const Budget less = std::clamp(next - tried.less, std::min(least, next), next);
        value = -search(-narrow, -alpha, less, node.ply + 1, true);
        again = value > alpha && less < next;
        if (again && node.ply > 0) {
            if (value > best + by.research_deeper + by.research_step * node.depth)
                next += kPly;
            else if (value < best + by.research_shallower)
                next -= kPly;
        }
        fresh = again && less < next;
    }
    const bool full_window = !pvs || (node.pv && tried.number == 1);
    if (fresh && !full_window) value = -search(-narrow, -alpha, next, node.ply + 1, !node.cut);
    if (full_window ? fresh : (node.pv && value > alpha))
        value = -search(-node.beta, -alpha, next, node.ply + 1, false);
    undo();
    if (again && tried.quiet && !stopped_) {
        const int bonus = std::min(by.research_bonus_step * node.depth, by.research_bonus_most);
        reward_replies(node.ply, position_.at(tried.move.from()), tried.move.to(), value > alpha ? bonus : -bonus);
    }
    if (drawn) tree_->leave(value);
    return value;
}

void Worker::remember(const Node& node, int value, Move best, Bound bound) {
    if (node.excluded.exists()) return;
    learn_correction(node, value, best, bound);
    // Of several root lines only the first belongs to the position itself.
    if (!shared_.heuristics.table || (node.ply == 0 && root_index_ > 0)) return;
    shared_.table.store(position_.key(), node.ply, {best, value, node.raw_value, node.budget, bound, node.was_pv});
}

}  // namespace okapi
