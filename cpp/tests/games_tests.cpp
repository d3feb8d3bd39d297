// Duels: the same games whatever the number of threads, right results for the right reasons, and nothing left hanging.
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "linear_brain.h"
#include "okapi/chess/text.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/callback.h"
#include "okapi/search/tablebase.h"
#include "okapi/selfplay/match.h"

using namespace okapi;

namespace {

Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

Duellist okapi_at(const Limits& limits) { return {make_evaluator(tests::linear_brain()), limits}; }

// Thinks that every move leads to a position of this value for itself.
Duellist of_one_opinion(int value) {
    const auto opinion = [value](const std::vector<Position>& positions) {
        return std::vector<int>(positions.size(), -value);
    };
    Duellist duellist{std::make_shared<Callback>(opinion), to_depth(1)};
    duellist.heuristics = Heuristics::none();
    return duellist;
}

std::vector<Position> random_openings(int count) {
    std::mt19937 random(1);
    std::vector<Position> openings;
    while (int(openings.size()) < count) {
        Position position = Position::start();
        for (int ply = 0; ply < 8 && !ending(position); ++ply) {
            const MoveList moves = legal_moves(position);
            position.play(moves[int(random() % unsigned(moves.size()))]);
        }
        if (!ending(position)) openings.push_back(position);
    }
    return openings;
}

// Everything about some bouts that may not depend on chance.
std::string written(const std::vector<Bout>& bouts) {
    std::ostringstream text;
    for (const Bout& bout : bouts) {
        text << bout.number << ' ' << int(bout.first) << ' ' << name(bout.result) << ' ' << name(bout.ending);
        for (const Thought& thought : bout.thoughts)
            text << ' ' << to_uci(thought.move) << ' ' << thought.value << ' ' << thought.depth << ' ' << thought.nodes;
        text << '\n';
    }
    return text.str();
}

DuelOptions with_threads(int threads) {
    DuelOptions options;
    options.threads = threads;
    return options;
}

Bout play_from(const char* fen, const Duellist& both, const Adjudication& adjudication = {}) {
    DuelOptions options;
    options.adjudication = adjudication;
    return play_duel(both, both, {{Position::from_fen(fen)}}, options).at(0);
}

// White's opinion and Black's, both in White's view.
Bout play_opinions(const char* fen, int white, int black, const Adjudication& adjudication) {
    DuelOptions options;
    options.adjudication = adjudication;
    return play_duel(of_one_opinion(white), of_one_opinion(-black), {{Position::from_fen(fen)}}, options).at(0);
}

constexpr const char* kRooks = "r3k3/8/8/8/8/8/8/R3K3 w - - 0 50";

}  // namespace

TEST(any_number_of_threads_plays_the_same_games) {
    const std::vector<Fixture> fixtures = both_ways(random_openings(6));
    Limits nodes;
    nodes.nodes = 300;
    const Duellist first = okapi_at(to_depth(3)), second = okapi_at(nodes);
    const std::string alone = written(play_duel(first, second, fixtures, with_threads(1)));
    CHECK_EQUAL(alone, written(play_duel(first, second, fixtures, with_threads(2))));
    CHECK_EQUAL(alone, written(play_duel(first, second, fixtures, with_threads(5))));
}

TEST(a_game_does_not_depend_on_those_before_it) {
    const std::vector<Fixture> fixtures = both_ways(random_openings(3));
    const Duellist both = okapi_at(to_depth(3));
    std::vector<Bout> together = play_duel(both, both, fixtures);
    std::vector<Bout> alone = play_duel(both, both, {fixtures.back()});
    alone[0].number = fixtures.size() - 1;
    CHECK_EQUAL(written(alone), written({together.back()}));
}

TEST(bouts_are_legal_games_that_end_as_they_say) {
    const std::vector<Fixture> fixtures = both_ways(random_openings(10));
    const Duellist first = okapi_at(to_depth(2)), second = okapi_at(to_depth(1));
    std::map<Result, int> results;
    for (const Bout& bout : play_duel(first, second, fixtures, with_threads(2))) {
        Position position = fixtures[bout.number].start;
        std::array<std::uint64_t, 2> nodes{};
        for (const Thought& thought : bout.thoughts) {
            CHECK(!ending(position));
            CHECK(position.is_legal(thought.move));
            nodes[position.turn() == bout.first ? 0 : 1] += thought.nodes;
            position.play(thought.move);
        }
        if (bout.ending != Ending::TooLong) {
            CHECK(ending(position) == bout.ending);
            CHECK(result(position, bout.ending) == bout.result);
        }
        CHECK(nodes == bout.nodes);
        CHECK(nodes[0] > nodes[1]);
        ++results[bout.result];
    }
    CHECK_EQUAL(20, results[Result::WhiteWins] + results[Result::Draw] + results[Result::BlackWins]);
}

TEST(both_ways_gives_each_duellist_each_side) {
    const std::vector<Fixture> fixtures = both_ways(random_openings(2));
    CHECK_EQUAL(4u, fixtures.size());
    CHECK(fixtures[0].first == Color::White && fixtures[1].first == Color::Black);
    CHECK_EQUAL(fixtures[0].start.fen(), fixtures[1].start.fen());
    CHECK_EQUAL(fixtures[2].start.fen(), fixtures[3].start.fen());
}

TEST(the_rules_end_games) {
    const Duellist both = okapi_at(to_depth(4));
    const Bout mate = play_from("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", both);
    CHECK(mate.ending == Ending::Checkmate && mate.result == Result::WhiteWins);
    CHECK_EQUAL(1u, mate.thoughts.size());
    CHECK_EQUAL(kMate - 1, mate.thoughts[0].value);
    CHECK(play_from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", both).ending == Ending::Stalemate);
    CHECK(play_from("8/8/4k3/8/3b4/4K3/8/8 w - - 0 1", both).ending == Ending::InsufficientMaterial);
    CHECK(play_from("4k3/8/8/8/8/8/1r6/4K2R w - - 99 90", of_one_opinion(0)).ending == Ending::FiftyMoves);
    for (const char* fen : {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/4k3/8/3b4/4K3/8/8 w - - 0 1"})
        CHECK(play_from(fen, both).result == Result::Draw);
}

TEST(a_position_that_stood_before_the_duel_counts_for_repetition) {
    Position position = Position::start();
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"})
        position.play(*parse_uci(position, move));
    Duellist both = of_one_opinion(0);
    both.limits.only = {*parse_uci(position, "f6g8")};
    const Bout bout = play_duel(both, both, {{position}}).at(0);
    CHECK(bout.ending == Ending::Repetition && bout.result == Result::Draw);
    CHECK_EQUAL(1u, bout.thoughts.size());
}

TEST(too_long_is_drawn) {
    Adjudication adjudication;
    adjudication.max_plies = 7;
    const Bout bout = play_from(kStartFen.data(), okapi_at(to_depth(1)), adjudication);
    CHECK(bout.ending == Ending::TooLong && bout.result == Result::Draw);
    CHECK_EQUAL(7u, bout.thoughts.size());
}

TEST(a_game_that_both_see_decided_is_over) {
    Adjudication adjudication;
    adjudication.resign_score = 500;
    adjudication.resign_moves = 3;
    const Bout white = play_opinions(kRooks, 500, 600, adjudication);
    CHECK(white.ending == Ending::AgreedWin && white.result == Result::WhiteWins);
    CHECK_EQUAL(6u, white.thoughts.size());
    const Bout black = play_opinions(kRooks, -501, -9000, adjudication);
    CHECK(black.ending == Ending::AgreedWin && black.result == Result::BlackWins);
    // One is not enough, nor is a side that only itself believes in.
    CHECK(play_opinions(kRooks, 499, 9000, adjudication).ending != Ending::AgreedWin);
    CHECK(play_opinions(kRooks, 9000, -9000, adjudication).ending != Ending::AgreedWin);
    CHECK(play_opinions(kRooks, 9000, 9000, {}).ending != Ending::AgreedWin);
}

TEST(a_game_that_both_see_drawn_is_over) {
    Adjudication adjudication;
    adjudication.draw_score = 10;
    adjudication.draw_moves = 4;
    adjudication.draw_after = 52;
    const Bout bout = play_opinions(kRooks, 10, -10, adjudication);
    CHECK(bout.ending == Ending::AgreedDraw && bout.result == Result::Draw);
    // Move 51 is over after three plies; eight more are counted.
    CHECK_EQUAL(3u + 8u, bout.thoughts.size());
    CHECK(play_opinions(kRooks, 11, 0, adjudication).ending != Ending::AgreedDraw);
    CHECK(play_opinions(kRooks, 0, 0, {}).ending != Ending::AgreedDraw);
}

TEST(lines_are_kept_if_wanted) {
    DuelOptions options;
    options.adjudication.max_plies = 4;
    const Duellist both = okapi_at(to_depth(4));
    for (bool keep : {false, true}) {
        options.keep_lines = keep;
        const std::vector<Bout> bouts = play_duel(both, both, {{Position::start()}}, options);
        for (const Thought& thought : bouts.at(0).thoughts) {
            CHECK_EQUAL(keep, !thought.line.empty());
            if (keep) CHECK_EQUAL(to_uci(thought.move), to_uci(thought.line.front()));
        }
    }
}

TEST(duellists_may_search_differently) {
    Duellist naive = okapi_at(to_depth(3));
    naive.heuristics = Heuristics::none();
    const Bout bout = play_duel(okapi_at(to_depth(3)), naive, {{Position::start()}}).at(0);
    CHECK(bout.nodes[1] > bout.nodes[0]);
}

TEST(time_for_a_move_is_kept) {
    Limits limits;
    limits.movetime_ms = 20;
    Adjudication adjudication;
    adjudication.max_plies = 5;
    const Bout bout = play_from(kStartFen.data(), okapi_at(limits), adjudication);
    double seconds = 0;
    for (const Thought& thought : bout.thoughts) seconds += thought.seconds;
    CHECK(seconds > 0.05 && seconds < 5);
}

TEST(a_duellist_without_limits_is_refused) {
    CHECK_THROWS(std::invalid_argument, Duel(okapi_at({}), okapi_at(to_depth(1)), {}));
    CHECK_THROWS(std::invalid_argument, Duel(okapi_at(to_depth(1)), okapi_at({}), {}));
}

TEST(no_games_are_soon_played) { CHECK(play_duel(okapi_at(to_depth(1)), okapi_at(to_depth(1)), {}).empty()); }

TEST(stop_reaches_searches_that_would_take_forever) {
    const std::vector<Fixture> fixtures = both_ways(random_openings(4));
    for (int delay_ms : {0, 1, 20}) {
        Duel duel(okapi_at(to_depth(100)), okapi_at(to_depth(100)), with_threads(3));
        int told = 0;
        std::thread player([&] { duel.play(fixtures, [&](Bout) { ++told; }); });
        std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
        duel.stop();
        player.join();
        CHECK_EQUAL(0, told);
    }
}

TEST(a_stop_before_the_beginning_counts) {
    Duel duel(okapi_at(to_depth(100)), okapi_at(to_depth(100)), with_threads(2));
    duel.stop();
    duel.play(both_ways(random_openings(1)), [](Bout) { CHECK(false); });
}

TEST(stop_may_come_from_whoever_is_told) {
    const std::vector<Fixture> fixtures = both_ways(random_openings(50));
    Duel duel(okapi_at(to_depth(1)), okapi_at(to_depth(1)), with_threads(2));
    std::size_t told = 0;
    duel.play(fixtures, [&](Bout) {
        if (++told == 3) duel.stop();
    });
    CHECK(told >= 3 && told < fixtures.size());
}

TEST(what_an_evaluator_or_a_listener_throws_arrives) {
    const auto fails = [](const std::vector<Position>&) -> std::vector<int> { throw std::runtime_error("on purpose"); };
    const Duellist broken{std::make_shared<Callback>(fails), to_depth(2)};
    const std::vector<Fixture> fixtures = both_ways(random_openings(3));
    CHECK_THROWS(std::runtime_error, play_duel(okapi_at(to_depth(1)), broken, fixtures, with_threads(2)));
    Duel duel(okapi_at(to_depth(1)), okapi_at(to_depth(1)), with_threads(2));
    CHECK_THROWS(std::runtime_error, duel.play(fixtures, [](Bout) { throw std::runtime_error("on purpose"); }));
}

TEST(endgame_tables_decide_where_they_are_loaded) {
    if (tablebase::load("../shared/data/syzygy34") == 0) return;
    Adjudication adjudication;
    adjudication.tablebases = true;
    const Duellist both = okapi_at(to_depth(1));
    const Bout won = play_from("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", both, adjudication);
    CHECK(won.ending == Ending::Tablebase && won.result != Result::BlackWins);
    const Bout queen = play_from("7k/8/8/8/8/8/8/KQ6 b - - 0 1", both, adjudication);
    CHECK(queen.ending == Ending::Tablebase && queen.result == Result::WhiteWins);
    CHECK(queen.thoughts.empty());
    tablebase::load("");
}

TEST(a_bout_is_stored_with_what_was_thought) {
    DuelOptions options;
    options.keep_lines = true;
    const Position mate_soon = Position::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    const Bout bout = play_duel(okapi_at(to_depth(3)), okapi_at(to_depth(3)), {{mate_soon}}, options).front();
    const GameRecord game = record(bout, mate_soon);

    CHECK(game.result == Result::WhiteWins);
    CHECK_EQUAL(bout.thoughts.size(), game.moves.size());
    CHECK_EQUAL(game.moves.size() + 1, game.values.size());
    CHECK_EQUAL(game.moves.size() + 1, game.lines.size());
    CHECK(game.best.empty());
    CHECK_EQUAL(kMateValue - 1, game.values[game.moves.size() - 1]);
    CHECK_EQUAL(kNoValue, game.values.back());
    for (std::size_t i = 0; i < game.moves.size(); ++i) CHECK(game.moves[i] == game.lines[i].front());
}

TEST(a_bout_that_nobody_finished_is_stored_without_a_result) {
    DuelOptions options;
    options.adjudication.max_plies = 3;
    const Bout bout = play_duel(okapi_at(to_depth(1)), okapi_at(to_depth(1)), {{Position::start()}}, options).front();
    const GameRecord game = record(bout, Position::start());

    CHECK(!game.result);
    CHECK_EQUAL(3u, game.moves.size());
    CHECK(game.lines.empty());
}

int main() { return okapi::tests::run(); }
