// Moves in the order worth trying: the table's, good captures, killers, quiet moves by history, bad captures; where
// there are prior probabilities, the table's and then by these.
#pragma once

#include <array>

#include "okapi/chess/position.h"
#include "okapi/search/heuristics.h"
#include "okapi/search/history.h"
#include "okapi/search/priors.h"
#include "okapi/search/threats.h"

namespace okapi {

// What the last moves on the way here were, as far as the continuation history knows them; null where there is none.
using Continuations = std::array<ByPieceTo*, 3>;  // one, two and four plies ago

// What the opponent attacks, and what it is worth to leave or to avoid that.
struct Danger {
    Bitboard attacked = 0;
    int escape_bonus = 0;
};

class Picker {
public:
    enum class Purpose { Search, Quiescence, Evasions };

    Picker(const Position& position, Histories& histories, const Heuristics& heuristics,
           const Continuations& continuations, Move from_table, Purpose purpose, int ply, const Danger& danger,
           const Priors* priors = nullptr);

    // The next move, or none. After skip_quiet() quiet moves are left out.
    Move next();
    void skip_quiet() { skip_quiet_ = true; }

private:
    enum class Stage {
        Table,
        Captures,
        GoodCaptures,
        Killers,
        Quiets,
        GoodQuiets,
        BadCaptures,
        Likely,
        GoodLikely,
        Plain,
        Done
    };
    struct Scored {
        Move move;
        int score;
    };

    void add(const MoveList& moves, bool quiet);
    int score_capture(Move move) const;
    int score_quiet(Move move) const;
    int score_likely(Move move) const;
    Move take_best();
    Move next_capture();
    Move next_killer();
    bool was_given(Move move) const;

    const Position& position_;
    Histories& histories_;
    const Heuristics& heuristics_;
    const Continuations& continuations_;
    const Move from_table_;
    const Purpose purpose_;
    const std::array<Move, 2> killers_;
    const Danger danger_;
    Threats threats_{};
    const Priors* const priors_;
    Stage stage_;
    bool skip_quiet_ = false;
    int killer_ = 0;
    int next_ = 0, end_ = 0;
    int bad_ = 0;  // bad captures are collected at the front
    int next_bad_ = 0;
    union {
        std::array<Scored, 256> moves_;  // in a union, so that it is not zeroed
    };
};

}  // namespace okapi
