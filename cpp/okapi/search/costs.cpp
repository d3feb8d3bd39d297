// What each move of a node costs of the budget.
#include <algorithm>
#include <cmath>

#include "okapi/search/worker.h"

namespace okapi {

void Worker::set_costs(const Node& node, Priors& priors) {
    const BudgetRule& rule = shared_.rule;
    const bool orders = shared_.heuristics.learned_ordering && rule.kind != BudgetRule::Kind::Shares;
    const bool learned = rule.kind == BudgetRule::Kind::Learned;
    const bool asks = prior_ && (learned || orders) && node.budget >= Budget(rule.ask * kPly);
    if (asks) ask_prior(node, priors);
    if (asks && orders) priors.order_by_probability();

    if (rule.kind == BudgetRule::Kind::Even)
        priors.charge_all(cost_of_one_in(std::max(1, legal_moves(position_).size())));
    if (!rule.by_probability()) return;
    if (!(learned && asks)) set_heuristic_costs(node, priors);
    priors.charge_by_probability();
}

// Does a MovePrior reduce unlikely moves here?
bool Worker::reduces_by_prior(const Node& node, const Priors& priors) const {
    const Heuristics& on = shared_.heuristics;
    return prior_ && on.learned_reductions && on.late_move_reductions && shared_.rule.kind == BudgetRule::Kind::Depth &&
           priors.empty() && node.budget >= Budget(shared_.rule.ask * kPly);
}

// The probabilities of a MovePrior, mixed: a part is uniform, and a part goes to the move that was best when
// this position was searched before.
void Worker::ask_prior(const Node& node, Priors& priors) {
    const BudgetRule& rule = shared_.rule;
    const MoveList moves = legal_moves(position_);
    if (moves.empty()) return;
    std::array<float, 256> said;
    const std::span<float> probabilities(said.data(), std::size_t(moves.size()));
    prior_->probabilities(position_, {moves.begin(), moves.end()}, probabilities);
    if (rule.temperature != 1) {
        float sum = 0;
        for (float& p : probabilities) sum += p = std::pow(p, float(1 / rule.temperature));
        for (float& p : probabilities) p /= sum;
    }
    const float doubt = float(rule.floor), trust = moves.contains(node.table_move) ? float(rule.trust) : 0.0f;
    const float least = (1 - trust) * doubt / float(moves.size());
    for (int i = 0; i < moves.size(); ++i) {
        const float known = moves[i] == node.table_move ? trust : 0.0f;
        priors.add(moves[i], known + least + (1 - trust) * (1 - doubt) * said[std::size_t(i)]);
    }
}

// The weights of Giraffe's program where its network was too slow.
void Worker::set_heuristic_costs(const Node& node, Priors& priors) {
    for (Move move : legal_moves(position_)) priors.add(move, heuristic_weight(node, move));
    priors.normalise();
}

float Worker::heuristic_weight(const Node& node, Move move) const {
    if (move == node.table_move) return 3.0f;
    if (move.promotes() && move.promotion() != Kind::Queen) return 0.01f;
    const bool sound = position_.see_ge(move, 0);
    if (position_.is_noisy(move)) return sound ? 2.0f : 0.1f;
    if (!sound) return 0.01f;
    const auto& killers = histories_->killers[std::size_t(node.ply)];
    if (shared_.heuristics.killers && (move == killers[0] || move == killers[1])) return 1.1f;
    // History is what is left of rewards: between nothing and twice as likely as an unknown move.
    constexpr float kMost = 2 * 16384.0f;
    return std::clamp(1.0f + float(quiet_history(node, move)) / kMost, 0.1f, 2.0f);
}

}  // namespace okapi
