// When games are over: by the rules, or because both players have long agreed.
#pragma once

#include <optional>

#include "okapi/chess/ending.h"
#include "okapi/chess/position.h"

namespace okapi {

// What ends a game that the rules let go on. Without a score, there is no such rule.
struct Adjudication {
    std::optional<int> resign_score;  // centipawns by which both see the same side ahead,
    int resign_moves = 4;             // so many moves of each in a row
    std::optional<int> draw_score;    // centipawns at most, for either side, that both see,
    int draw_moves = 8;               // so many moves of each in a row, without a capture or pawn move,
    int draw_after = 40;              // counted from this move of the game on
    bool tablebases = false;          // where the loaded tables reach, they decide
    int max_plies = 400;              // drawn as too long; 0: never
};

struct Verdict {
    Result result;
    Ending ending;
};

// Watches one game.
class Adjudicator {
public:
    explicit Adjudicator(const Adjudication& adjudication) : asked_(adjudication) {}

    // The move that led to `position` was played, with a search value of `value` centipawns.
    void add(int value, const Position& position);
    // Is the game over?
    std::optional<Verdict> verdict(const Position& position) const;

private:
    const Adjudication asked_;
    int plies_ = 0;
    int ahead_ = 0;  // plies for which White was seen far ahead; negative for Black
    int even_ = 0;   // plies for which neither side was
};

}  // namespace okapi
