// Games between two searches inside one process, without text between: for evolution, self-play, tuning and matches.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "okapi/chess/ending.h"
#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/search/heuristics.h"
#include "okapi/search/limits.h"
#include "okapi/search/thinker.h"

namespace okapi {

// One side of a duel: how it judges, how it searches, and how long it thinks about a move.
struct Duellist {
    std::shared_ptr<const Evaluator> evaluator;  // each thread has its own clone
    Limits limits;                               // of every move: depth, nodes, movetime_ms
    Heuristics heuristics{};
    std::size_t table_mb = 1;  // wiped before every game, so no larger than the limits can fill
};

// What ends a game that the rules let go on. A number of plies of 0 means never.
struct Adjudication {
    int win_plies = 0;    // so many plies in a row, both players see the same side ahead
    int win_value = 0;    // by so many centipawns
    int draw_plies = 0;   // so many plies in a row, without a capture or pawn move, both see hardly a difference:
    int draw_value = 0;   // at most so many centipawns,
    int draw_after = 0;   // counted only from this ply of the game on
    int max_plies = 400;  // drawn as too long
    bool tablebases = false;
};

struct Rules {
    Adjudication adjudication{};
    bool swap_colors = true;  // two games from each start: the first duellist has White, then Black
    bool keep_lines = false;  // Thought::line
    int threads = 1;
};

// What was thought before one move.
struct Thought {
    Move move;
    int value = 0;  // centipawns for the side to move
    int depth = 0;
    std::uint64_t nodes = 0;
    std::vector<Move> line{};  // beginning with `move`, if lines are kept
};

// A finished game of a duel.
struct Bout {
    std::size_t number = 0;  // from 0
    std::size_t start = 0;   // where it began
    bool first_is_white = true;
    Result result = Result::Draw;
    Ending ending = Ending::TooLong;
    std::vector<Thought> thoughts{};  // one for each move
};

// Every game begins with empty tables and histories, so a bout depends on its start and its duellists alone and, unless
// they look at the clock, is the same again with any number of threads.
class Duel {
public:
    // Throws std::invalid_argument if nothing would ever end the thinking about a move.
    Duel(Duellist first, Duellist second, const Rules& rules);

    // Plays all games and tells of each when it is over: one at a time, but from several threads and in no order. Throws
    // what an evaluator or `on_bout` threw. Once only.
    void play(const std::vector<Position>& starts, const std::function<void(Bout)>& on_bout);
    // Ends play() soon, now or later. Games that are not over are not told of. From any thread, also from `on_bout`.
    void stop();

private:
    // The two searches of one thread.
    struct Seats {
        std::unique_ptr<Thinker> first, second;
    };

    Seats seats() const;
    void work(const Seats& seats, const std::vector<Position>& starts, const std::function<void(Bout)>& on_bout);
    std::optional<Bout> play_one(const Seats& seats, const Position& start, std::size_t number) const;
    std::optional<Thought> ask(Thinker& thinker, const Limits& limits, const Position& position) const;

    const Duellist first_, second_;
    const Rules rules_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::size_t> next_{0};
    std::mutex telling_;
    std::mutex seating_;  // guards seats_; never held while anybody is told or thinks
    std::vector<Seats> seats_;
};

// All games, in order.
std::vector<Bout> play_duel(const Duellist& first, const Duellist& second, const std::vector<Position>& starts,
                            const Rules& rules = {});

}  // namespace okapi
