#include "okapi/search/picker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace okapi {

Picker::Picker(const Position& position, Histories& histories, const Heuristics& heuristics,
               const Continuations& continuations, Move from_table, Purpose purpose, int ply, const Danger& danger,
               const Priors* priors)
    : position_(position),
      histories_(histories),
      heuristics_(heuristics),
      continuations_(continuations),
      from_table_(from_table.exists() && position.is_legal(from_table) &&
                          (purpose != Purpose::Quiescence || position.is_noisy(from_table))
                      ? from_table
                      : Move::none()),
      purpose_(purpose),
      killers_(heuristics.killers ? histories.killers[std::size_t(ply)] : std::array<Move, 2>{}),
      danger_(danger),
      priors_(priors),
      stage_(Stage::Table) {}

Move Picker::next() {
    switch (stage_) {
        case Stage::Table:
            stage_ = priors_ ? Stage::Likely : heuristics_.ordering ? Stage::Captures : Stage::Plain;
            if (stage_ == Stage::Plain)
                add(legal_moves(position_, purpose_ == Purpose::Quiescence ? Which::Noisy : Which::All), false);
            if (from_table_.exists()) return from_table_;
            return next();

        case Stage::Captures:
            add(legal_moves(position_, Which::Noisy), false);
            stage_ = Stage::GoodCaptures;
            [[fallthrough]];
        case Stage::GoodCaptures:
            if (const Move move = next_capture(); move.exists()) return move;
            stage_ = purpose_ == Purpose::Quiescence ? Stage::Done : Stage::Killers;
            return next();

        case Stage::Killers:
            if (const Move move = next_killer(); move.exists()) return move;
            stage_ = Stage::Quiets;
            [[fallthrough]];
        case Stage::Quiets:
            if (!skip_quiet_) add(legal_moves(position_, Which::Quiet), true);
            stage_ = Stage::GoodQuiets;
            [[fallthrough]];
        case Stage::GoodQuiets:
            while (!skip_quiet_ && next_ < end_)
                if (const Move move = take_best(); !was_given(move)) return move;
            stage_ = Stage::BadCaptures;
            [[fallthrough]];
        case Stage::BadCaptures:
            if (next_bad_ < bad_) return moves_[std::size_t(next_bad_++)].move;
            stage_ = Stage::Done;
            return Move::none();

        case Stage::Likely:
            for (Move move : legal_moves(position_)) moves_[std::size_t(end_++)] = {move, score_likely(move)};
            stage_ = Stage::GoodLikely;
            [[fallthrough]];
        case Stage::GoodLikely:
            while (next_ < end_) {
                const Move move = take_best();
                if (move != from_table_ && !(skip_quiet_ && !position_.is_noisy(move))) return move;
            }
            stage_ = Stage::Done;
            return Move::none();

        case Stage::Plain:
            while (next_ < end_) {
                const Move move = moves_[std::size_t(next_++)].move;
                if (move != from_table_ && !(skip_quiet_ && !position_.is_noisy(move))) return move;
            }
            stage_ = Stage::Done;
            return Move::none();

        case Stage::Done:
            break;
    }
    return Move::none();
}

void Picker::add(const MoveList& moves, bool quiet) {
    // Quiet moves come after the bad captures at the front.
    next_ = end_ = bad_;
    if (quiet && heuristics_.escapes) threats_ = threats(position_);
    for (Move move : moves) {
        const int score = !heuristics_.ordering ? 0 : quiet ? score_quiet(move) : score_capture(move);
        moves_[std::size_t(end_++)] = {move, score};
    }
}

int Picker::score_capture(Move move) const {
    const Piece victim = position_.captured_by(move);
    int score = 16 * (victim.exists() ? kSeeValue[std::size_t(victim.kind())] : 0);
    if (move.promotes()) score += move.promotion() == Kind::Queen ? 16 * 900 : -16 * 900;
    score -= int(position_.at(move.from()).kind());
    if (heuristics_.capture_history) score += capture_score(histories_, position_, move);
    return score;
}

int Picker::score_quiet(Move move) const {
    const Piece piece = position_.at(move.from());
    int score = move.promotes() ? -30000 : 0;
    if (heuristics_.history) score += 2 * histories_.quiet_score(position_.turn(), danger_.attacked, move);
    if (heuristics_.pawn_history) score += histories_.score_among_pawns(position_, move);
    if (heuristics_.escapes) {
        constexpr std::array<int, 6> kTimes = {0, 2, 2, 3, 4, 0};
        const Bitboard feared = threats_[std::size_t(piece.kind())];
        const int better = bool(feared & bit(move.from())) - bool(feared & bit(move.to()));
        score += better * kTimes[std::size_t(piece.kind())] * danger_.escape_bonus;
    }
    if (heuristics_.continuation_history)
        for (const ByPieceTo* replies : continuations_)
            if (replies) score += (*replies)[piece.code][move.to().index];
    return score;
}

// The prior, adjusted by the histories: a history at its limit counts like a factor of two.
int Picker::score_likely(Move move) const {
    constexpr int kDouble = 4 * 16384;
    const int said = int(std::log2(std::max(priors_->probability(move), 1e-6f)) * kDouble);
    return said + (position_.is_noisy(move) ? 0 : score_quiet(move));
}

Move Picker::take_best() {
    int best = next_;
    for (int i = next_ + 1; i < end_; ++i)
        if (moves_[std::size_t(i)].score > moves_[std::size_t(best)].score) best = i;
    std::swap(moves_[std::size_t(best)], moves_[std::size_t(next_)]);
    return moves_[std::size_t(next_++)].move;
}

Move Picker::next_capture() {
    while (next_ < end_) {
        const Move move = take_best();
        if (move == from_table_) continue;
        // In quiescence the caller weighs the exchange itself.
        if (purpose_ == Purpose::Search && !position_.see_ge(move, 0)) {
            moves_[std::size_t(bad_++)] = {move, 0};
            continue;
        }
        return move;
    }
    return Move::none();
}

Move Picker::next_killer() {
    while (!skip_quiet_ && killer_ < 2) {
        const Move move = killers_[std::size_t(killer_++)];
        if (move.exists() && move != from_table_ && !position_.is_noisy(move) && position_.is_legal(move)) return move;
    }
    return Move::none();
}

bool Picker::was_given(Move move) const { return move == from_table_ || move == killers_[0] || move == killers_[1]; }

}  // namespace okapi
