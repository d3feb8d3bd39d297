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

// One side of a match: its evaluator, its limits for each move, and its search settings.
struct MatchPlayer {
    std::shared_ptr<const Evaluator> evaluator;  // each thread has its own clone
    Limits limits;                               // depth, nodes, movetime_ms
    Heuristics heuristics{};
    std::size_t table_mb = 1;  // wiped before every game, so no larger than the limits can fill
    BudgetRule rule{};
    std::shared_ptr<const MovePrior> prior{};  // or none; each thread has its own clone
    Constants constants{};
};

// A game to be played.
struct Pairing {
    Position start;
    Color first = Color::White;  // the first player's side
};
// Two games from each start: the first player has White, then Black.
std::vector<Pairing> both_colors(const std::vector<Position>& starts);

struct MatchOptions {
    Adjudication adjudication{};
    bool keep_lines = false;  // MoveRecord::line
    int threads = 1;
};

// The search result of one move.
struct MoveRecord {
    Move move;
    int value = 0;  // centipawns for the side to move
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Move> line{};  // beginning with `move`, if lines are kept
};

// A game that was played.
struct MatchGame {
    std::size_t number = 0;      // of its pairing, from 0
    Color first = Color::White;  // the first player's side
    Result result = Result::Draw;
    Ending ending = Ending::TooLong;
    std::vector<MoveRecord> records{};     // one for each move
    std::array<std::uint64_t, 2> nodes{};  // searched by the first and by the second player
};

// A search's value as records and samples keep it: the search counts a mate in plies, everybody else in moves.
Centipawns stored(int value);

// The game as a record to be stored: with the values and, if they were kept, the lines. One without an end has no
// result.
GameRecord record(const MatchGame& played, const Position& start);

// Every game begins with empty tables and histories, so a played depends on its pairing and its players alone and,
// unless they look at the clock, is the same again with any number of threads.
class Match {
public:
    using OnGame = std::function<void(MatchGame)>;

    // Throws std::invalid_argument if no limit would end a search.
    Match(MatchPlayer first, MatchPlayer second, const MatchOptions& options);

    // Plays all games and calls `on_game` after each: one call at a time, but from several threads and in no order.
    // Throws what an evaluator or `on_game` threw. Once only.
    void play(const std::vector<Pairing>& pairings, const OnGame& on_game);
    // Ends play() soon, now or later. Unfinished games are dropped. From any thread, also from `on_game`.
    void stop();

private:
    // The two searches of one thread.
    using SearchPair = std::array<std::unique_ptr<Search>, 2>;

    const SearchPair& make_searches();
    void work(const std::vector<Pairing>& pairings, const OnGame& on_game);
    std::optional<MatchGame> play_one(const SearchPair& searches, const Pairing& pairing) const;
    std::optional<MoveRecord> search_move(Search& search, const Limits& limits, const Position& position) const;

    const std::array<MatchPlayer, 2> players_;
    const MatchOptions options_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::size_t> next_{0};
    std::mutex callback_mutex_;
    std::mutex searches_mutex_;  // guards searches_; never held during a search or a call of `on_game`
    std::deque<SearchPair> searches_;
};

// All games, in order.
std::vector<MatchGame> play_match(const MatchPlayer& first, const MatchPlayer& second,
                                  const std::vector<Pairing>& pairings, const MatchOptions& options = {});

}  // namespace okapi
