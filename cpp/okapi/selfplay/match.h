// Games between two searches inside one process, without text between: for evolution, self-play, tuning and matches.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "okapi/chess/ending.h"
#include "okapi/chess/game_record.h"
#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/search/constants.h"
#include "okapi/search/heuristics.h"
#include "okapi/search/limits.h"
#include "okapi/search/search.h"
#include "okapi/selfplay/adjudication.h"

namespace okapi {

// One side of a duel: how it judges, how long it thinks about a move, and how it searches.
struct Duellist {
    std::shared_ptr<const Evaluator> evaluator;  // each thread has its own clone
    Limits limits;                               // depth, nodes, movetime_ms
    Heuristics heuristics{};
    std::size_t table_mb = 1;  // wiped before every game, so no larger than the limits can fill
    Shape shape{};
    std::shared_ptr<const MovePrior> prior{};  // or none; each thread has its own clone
    Constants constants{};
};

// A game to be played.
struct Fixture {
    Position start;
    Color first = Color::White;  // the first duellist's side
};
// Two games from each start: the first duellist has White, then Black.
std::vector<Fixture> both_ways(const std::vector<Position>& starts);

struct DuelOptions {
    Adjudication adjudication{};
    bool keep_lines = false;  // Thought::line
    int threads = 1;
};

// What was thought before one move.
struct Thought {
    Move move;
    int value = 0;  // centipawns for the side to move
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Move> line{};  // beginning with `move`, if lines are kept
};

// A game that was played.
struct Bout {
    std::size_t number = 0;      // of its fixture, from 0
    Color first = Color::White;  // the first duellist's side
    Result result = Result::Draw;
    Ending ending = Ending::TooLong;
    std::vector<Thought> thoughts{};       // one for each move
    std::array<std::uint64_t, 2> nodes{};  // searched by the first and by the second duellist
};

// A search's value as records and samples keep it: the search counts a mate in plies, everybody else in moves.
Centipawns stored(int value);

// The bout as a game to be stored: with the values and, if they were kept, the lines. One that nobody finished has no
// result.
GameRecord record(const Bout& bout, const Position& start);

// Every game begins with empty tables and histories, so a bout depends on its fixture and its duellists alone and,
// unless they look at the clock, is the same again with any number of threads.
class Duel {
public:
    using OnBout = std::function<void(Bout)>;

    // Throws std::invalid_argument if nothing would ever end the thinking about a move.
    Duel(Duellist first, Duellist second, const DuelOptions& options);

    // Plays all games and tells of each when it is over: one at a time, but from several threads and in no order.
    // Throws what an evaluator or `on_bout` threw. Once only.
    void play(const std::vector<Fixture>& fixtures, const OnBout& on_bout);
    // Ends play() soon, now or later. Games that are not over are not told of. From any thread, also from `on_bout`.
    void stop();

private:
    // The two searches of one thread.
    using Seats = std::array<std::unique_ptr<Thinker>, 2>;

    const Seats& sit_down();
    void work(const std::vector<Fixture>& fixtures, const OnBout& on_bout);
    std::optional<Bout> play_one(const Seats& seats, const Fixture& fixture) const;
    std::optional<Thought> ask(Thinker& thinker, const Limits& limits, const Position& position) const;

    const std::array<Duellist, 2> duellists_;
    const DuelOptions options_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::size_t> next_{0};
    std::mutex telling_;
    std::mutex seating_;  // guards seats_; never held while anybody thinks or is told
    std::deque<Seats> seats_;
};

// All bouts, in order.
std::vector<Bout> play_duel(const Duellist& first, const Duellist& second, const std::vector<Fixture>& fixtures,
                            const DuelOptions& options = {});

}  // namespace okapi
