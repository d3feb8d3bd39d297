// What search learns from its own cuts.
#include <algorithm>

#include "okapi/search/worker.h"

namespace okapi {

Continuations Worker::continuations(int ply) {
    return {frame(ply - 1).continuation, frame(ply - 2).continuation, frame(ply - 4).continuation};
}

int Worker::quiet_history(const Node& node, Move move) const {
    const Piece piece = position_.at(move.from());
    int score = 0;
    if (shared_.heuristics.history) score += histories_->quiet_score(position_.turn(), frame(node.ply).attacked, move);
    if (shared_.heuristics.pawn_history) score += histories_->score_among_pawns(position_, move);
    if (shared_.heuristics.continuation_history)
        for (int back : {1, 2})
            if (const ByPieceTo* replies = frame(node.ply - back).continuation)
                score += (*replies)[piece.code][move.to().index];
    return score;
}

void Worker::reward_quiet(const Node& node, Move move, int bonus) {
    histories_->quiet_score(position_.turn(), frame(node.ply).attacked, move).add(bonus);
    histories_->reward_among_pawns(position_, move, bonus);
    reward_replies(node.ply, position_.at(move.from()), move.to(), bonus);
}

void Worker::reward_replies(int ply, Piece piece, Square to, int bonus) {
    for (int back : {1, 2, 4})
        if (ByPieceTo* replies = frame(ply - back).continuation) histories_->reward_reply(*replies, piece, to, bonus);
}

// The quiet move that led here turned out well for the opponent, or badly.
void Worker::reward_previous(const Node& node, int bonus) {
    if (node.ply == 0) return;
    const Frame& before = frame(node.ply - 1);
    if (!before.move.exists() || !before.quiet || before.move.castles() || before.move.promotes()) return;
    histories_->quiet_score(~position_.turn(), before.attacked, before.move).add(bonus);
    reward_replies(node.ply - 1, position_.at(before.move.to()), before.move.to(), bonus);
}

// `best` refuted; the moves tried before it did not.
void Worker::reward(const Node& node, Move best, bool quiet, const Tried& quiets, const Tried& captures) {
    const Constants& by = shared_.constants;
    const int bonus = std::min(by.bonus_step * node.depth - by.bonus_less, by.bonus_most);
    const int malus = -std::min(by.malus_step * node.depth - by.malus_less, by.malus_most);
    if (quiet) {
        auto& killers = histories_->killers[std::size_t(node.ply)];
        if (killers[0] != best) killers = {best, killers[0]};
        // A single shallow try teaches little.
        if (quiets.size > 0 || node.depth > 2) reward_quiet(node, best, bonus);
        for (int i = 0; i < quiets.size; ++i) reward_quiet(node, quiets.moves[std::size_t(i)], malus);
    } else {
        capture_score(*histories_, position_, best).add(bonus);
    }
    for (int i = 0; i < captures.size; ++i)
        capture_score(*histories_, position_, captures.moves[std::size_t(i)]).add(malus);
}

// A number for the last two moves, by pieces and targets.
std::size_t Worker::last_two_moves(int ply) const {
    const auto number = [this](const ByPieceTo* replies) {
        return replies ? std::size_t(replies - histories_->continuation.data()) : histories_->continuation.size();
    };
    constexpr std::size_t kScatter = 40503;  // near 65536 times the golden section: neighbours end up far apart
    return number(frame(ply - 1).continuation) * kScatter + number(frame(ply - 2).continuation);
}

int Worker::correction(int ply) const {
    if (!shared_.heuristics.correction_history) return 0;
    const auto at = [&](const Histories::Corrections& table, Key key) {
        return int(table[std::size_t(position_.turn())][key % Histories::kCorrections]);
    };
    const int pieces = at(histories_->piece_correction[0], position_.piece_key(Color::White)) +
                       at(histories_->piece_correction[1], position_.piece_key(Color::Black));
    const Constants& by = shared_.constants;
    const int replies = at(histories_->reply_correction, last_two_moves(ply));
    return (by.correction_replies * replies +
            by.correction_pawns * at(histories_->pawn_correction, position_.pawn_key()) +
            by.correction_pieces * pieces) /
           3200;
}

void Worker::learn_correction(const Node& node, int value, Move best, Bound bound) {
    if (!shared_.heuristics.correction_history || node.in_check || is_mate(value)) return;
    if (best.exists() && position_.is_noisy(best)) return;
    const int believed = std::clamp(node.raw_value + correction(node.ply), -kMaxEvaluation, kMaxEvaluation);
    if ((bound == Bound::Lower && value <= believed) || (bound == Bound::Upper && value >= believed)) return;
    const Constants& by = shared_.constants;
    const int bonus =
        std::clamp((value - believed) * node.depth * by.correction_rate / 100, -by.correction_most, by.correction_most);
    const auto learn = [&](Histories::Corrections& table, Key key) {
        table[std::size_t(position_.turn())][key % Histories::kCorrections].add(bonus);
    };
    learn(histories_->reply_correction, last_two_moves(node.ply));
    learn(histories_->pawn_correction, position_.pawn_key());
    learn(histories_->piece_correction[0], position_.piece_key(Color::White));
    learn(histories_->piece_correction[1], position_.piece_key(Color::Black));
}

}  // namespace okapi
