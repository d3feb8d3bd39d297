// In-process matches: the same games whatever the number of threads, right results for the right reasons, and nothing
// left hanging.
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

MatchPlayer okapi_at(const Limits& limits) { return {make_evaluator(tests::linear_brain()), limits}; }

// Thinks that every move leads to a position of this value for itself.
MatchPlayer of_one_opinion(int value) {
    const auto opinion = [value](const std::vector<Position>& positions) {
        return std::vector<int>(positions.size(), -value);
    };
    MatchPlayer player{std::make_shared<Callback>(opinion), to_depth(1)};
    player.heuristics = Heuristics::none();
    return player;
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

// Everything about some games that may not depend on chance.
std::string written(const std::vector<MatchGame>& games) {
    std::ostringstream text;
    for (const MatchGame& played : games) {
        text << played.number << ' ' << int(played.first) << ' ' << name(played.result) << ' ' << name(played.ending);
        for (const MoveRecord& record : played.records)
            text << ' ' << to_uci(record.move) << ' ' << record.value << ' ' << record.depth << ' ' << record.nodes;
        text << '\n';
    }
    return text.str();
}

MatchOptions with_threads(int threads) {
    MatchOptions options;
    options.threads = threads;
    return options;
}

MatchGame play_from(const char* fen, const MatchPlayer& both, const Adjudication& adjudication = {}) {
    MatchOptions options;
    options.adjudication = adjudication;
    return play_match(both, both, {{Position::from_fen(fen)}}, options).at(0);
}

// White's opinion and Black's, both in White's view.
MatchGame play_opinions(const char* fen, int white, int black, const Adjudication& adjudication) {
    MatchOptions options;
    options.adjudication = adjudication;
    return play_match(of_one_opinion(white), of_one_opinion(-black), {{Position::from_fen(fen)}}, options).at(0);
}

constexpr const char* kRooks = "r3k3/8/8/8/8/8/8/R3K3 w - - 0 50";

}  // namespace

TEST(any_number_of_threads_plays_the_same_games) {
    const std::vector<Pairing> pairings = both_colors(random_openings(6));
    Limits nodes;
    nodes.nodes = 300;
    const MatchPlayer first = okapi_at(to_depth(3)), second = okapi_at(nodes);
    const std::string alone = written(play_match(first, second, pairings, with_threads(1)));
    CHECK_EQUAL(alone, written(play_match(first, second, pairings, with_threads(2))));
    CHECK_EQUAL(alone, written(play_match(first, second, pairings, with_threads(5))));
}

TEST(a_game_does_not_depend_on_those_before_it) {
    const std::vector<Pairing> pairings = both_colors(random_openings(3));
    const MatchPlayer both = okapi_at(to_depth(3));
    std::vector<MatchGame> together = play_match(both, both, pairings);
    std::vector<MatchGame> alone = play_match(both, both, {pairings.back()});
    alone[0].number = pairings.size() - 1;
    CHECK_EQUAL(written(alone), written({together.back()}));
}

TEST(games_are_legal_and_end_as_they_say) {
    const std::vector<Pairing> pairings = both_colors(random_openings(10));
    const MatchPlayer first = okapi_at(to_depth(2)), second = okapi_at(to_depth(1));
    std::map<Result, int> results;
    for (const MatchGame& played : play_match(first, second, pairings, with_threads(2))) {
        Position position = pairings[played.number].start;
        std::array<std::uint64_t, 2> nodes{};
        for (const MoveRecord& record : played.records) {
            CHECK(!ending(position));
            CHECK(position.is_legal(record.move));
            nodes[position.turn() == played.first ? 0 : 1] += record.nodes;
            position.play(record.move);
        }
        if (played.ending != Ending::TooLong) {
            CHECK(ending(position) == played.ending);
            CHECK(result(position, played.ending) == played.result);
        }
        CHECK(nodes == played.nodes);
        CHECK(nodes[0] > nodes[1]);
        ++results[played.result];
    }
    CHECK_EQUAL(20, results[Result::WhiteWins] + results[Result::Draw] + results[Result::BlackWins]);
}

TEST(both_ways_gives_each_duellist_each_side) {
    const std::vector<Pairing> pairings = both_colors(random_openings(2));
    CHECK_EQUAL(4u, pairings.size());
    CHECK(pairings[0].first == Color::White && pairings[1].first == Color::Black);
    CHECK_EQUAL(pairings[0].start.fen(), pairings[1].start.fen());
    CHECK_EQUAL(pairings[2].start.fen(), pairings[3].start.fen());
}

TEST(the_rules_end_games) {
    const MatchPlayer both = okapi_at(to_depth(4));
    const MatchGame mate = play_from("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", both);
    CHECK(mate.ending == Ending::Checkmate && mate.result == Result::WhiteWins);
    CHECK_EQUAL(1u, mate.records.size());
    CHECK_EQUAL(kMate - 1, mate.records[0].value);
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
    MatchPlayer both = of_one_opinion(0);
    both.limits.only = {*parse_uci(position, "f6g8")};
    const MatchGame played = play_match(both, both, {{position}}).at(0);
    CHECK(played.ending == Ending::Repetition && played.result == Result::Draw);
    CHECK_EQUAL(1u, played.records.size());
}

TEST(too_long_is_drawn) {
    Adjudication adjudication;
    adjudication.max_plies = 7;
    const MatchGame played = play_from(kStartFen.data(), okapi_at(to_depth(1)), adjudication);
    CHECK(played.ending == Ending::TooLong && played.result == Result::Draw);
    CHECK_EQUAL(7u, played.records.size());
}

TEST(a_game_that_both_see_decided_is_over) {
    Adjudication adjudication;
    adjudication.resign_score = 500;
    adjudication.resign_moves = 3;
    const MatchGame white = play_opinions(kRooks, 500, 600, adjudication);
    CHECK(white.ending == Ending::AgreedWin && white.result == Result::WhiteWins);
    CHECK_EQUAL(6u, white.records.size());
    const MatchGame black = play_opinions(kRooks, -501, -9000, adjudication);
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
    const MatchGame played = play_opinions(kRooks, 10, -10, adjudication);
    CHECK(played.ending == Ending::AgreedDraw && played.result == Result::Draw);
    // Move 51 is over after three plies; eight more are counted.
    CHECK_EQUAL(3u + 8u, played.records.size());
    CHECK(play_opinions(kRooks, 11, 0, adjudication).ending != Ending::AgreedDraw);
    CHECK(play_opinions(kRooks, 0, 0, {}).ending != Ending::AgreedDraw);
}

TEST(lines_are_kept_if_wanted) {
    MatchOptions options;
    options.adjudication.max_plies = 4;
    const MatchPlayer both = okapi_at(to_depth(4));
    for (bool keep : {false, true}) {
        options.keep_lines = keep;
        const std::vector<MatchGame> games = play_match(both, both, {{Position::start()}}, options);
        for (const MoveRecord& record : games.at(0).records) {
            CHECK_EQUAL(keep, !record.line.empty());
            if (keep) CHECK_EQUAL(to_uci(record.move), to_uci(record.line.front()));
        }
    }
}

TEST(players_may_search_differently) {
    MatchPlayer naive = okapi_at(to_depth(3));
    naive.heuristics = Heuristics::none();
    const MatchGame played = play_match(okapi_at(to_depth(3)), naive, {{Position::start()}}).at(0);
    CHECK(played.nodes[1] > played.nodes[0]);
}

TEST(time_for_a_move_is_kept) {
    Limits limits;
    limits.movetime_ms = 20;
    Adjudication adjudication;
    adjudication.max_plies = 5;
    const MatchGame played = play_from(kStartFen.data(), okapi_at(limits), adjudication);
    double seconds = 0;
    for (const MoveRecord& record : played.records) seconds += record.seconds;
    CHECK(seconds > 0.05 && seconds < 5);
}

TEST(a_duellist_without_limits_is_refused) {
    CHECK_THROWS(std::invalid_argument, Match(okapi_at({}), okapi_at(to_depth(1)), {}));
    CHECK_THROWS(std::invalid_argument, Match(okapi_at(to_depth(1)), okapi_at({}), {}));
}

TEST(no_games_are_soon_played) { CHECK(play_match(okapi_at(to_depth(1)), okapi_at(to_depth(1)), {}).empty()); }

TEST(stop_reaches_searches_that_would_take_forever) {
    const std::vector<Pairing> pairings = both_colors(random_openings(4));
    for (int delay_ms : {0, 1, 20}) {
        Match match(okapi_at(to_depth(100)), okapi_at(to_depth(100)), with_threads(3));
        int told = 0;
        std::thread player([&] { match.play(pairings, [&](MatchGame) { ++told; }); });
        std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
        match.stop();
        player.join();
        CHECK_EQUAL(0, told);
    }
}

TEST(a_stop_before_the_beginning_counts) {
    Match match(okapi_at(to_depth(100)), okapi_at(to_depth(100)), with_threads(2));
    match.stop();
    match.play(both_colors(random_openings(1)), [](MatchGame) { CHECK(false); });
}

TEST(stop_may_come_from_whoever_is_told) {
    const std::vector<Pairing> pairings = both_colors(random_openings(50));
    Match match(okapi_at(to_depth(1)), okapi_at(to_depth(1)), with_threads(2));
    std::size_t told = 0;
    match.play(pairings, [&](MatchGame) {
        if (++told == 3) match.stop();
    });
    CHECK(told >= 3 && told < pairings.size());
}

TEST(what_an_evaluator_or_a_listener_throws_arrives) {
    const auto fails = [](const std::vector<Position>&) -> std::vector<int> { throw std::runtime_error("on purpose"); };
    const MatchPlayer broken{std::make_shared<Callback>(fails), to_depth(2)};
    const std::vector<Pairing> pairings = both_colors(random_openings(3));
    CHECK_THROWS(std::runtime_error, play_match(okapi_at(to_depth(1)), broken, pairings, with_threads(2)));
    Match match(okapi_at(to_depth(1)), okapi_at(to_depth(1)), with_threads(2));
    CHECK_THROWS(std::runtime_error, match.play(pairings, [](MatchGame) { throw std::runtime_error("on purpose"); }));
}

TEST(endgame_tables_decide_where_they_are_loaded) {
    if (tablebase::load("../shared/data/syzygy34") == 0) return;
    Adjudication adjudication;
    adjudication.tablebases = true;
    const MatchPlayer both = okapi_at(to_depth(1));
    const MatchGame won = play_from("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", both, adjudication);
    CHECK(won.ending == Ending::Tablebase && won.result != Result::BlackWins);
    const MatchGame queen = play_from("7k/8/8/8/8/8/8/KQ6 b - - 0 1", both, adjudication);
    CHECK(queen.ending == Ending::Tablebase && queen.result == Result::WhiteWins);
    CHECK(queen.records.empty());
    tablebase::load("");
}

TEST(a_bout_is_stored_with_what_was_thought) {
    MatchOptions options;
    options.keep_lines = true;
    const Position mate_soon = Position::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    const MatchGame played = play_match(okapi_at(to_depth(3)), okapi_at(to_depth(3)), {{mate_soon}}, options).front();
    const GameRecord game = record(played, mate_soon);

    CHECK(game.result == Result::WhiteWins);
    CHECK_EQUAL(played.records.size(), game.moves.size());
    CHECK_EQUAL(game.moves.size() + 1, game.values.size());
    CHECK_EQUAL(game.moves.size() + 1, game.lines.size());
    CHECK(game.best.empty());
    CHECK_EQUAL(kMateValue - 1, game.values[game.moves.size() - 1]);
    CHECK_EQUAL(kNoValue, game.values.back());
    for (std::size_t i = 0; i < game.moves.size(); ++i) CHECK(game.moves[i] == game.lines[i].front());
}

TEST(a_bout_that_nobody_finished_is_stored_without_a_result) {
    MatchOptions options;
    options.adjudication.max_plies = 3;
    const MatchGame played =
        play_match(okapi_at(to_depth(1)), okapi_at(to_depth(1)), {{Position::start()}}, options).front();
    const GameRecord game = record(played, Position::start());

    CHECK(!game.result);
    CHECK_EQUAL(3u, game.moves.size());
    CHECK(game.lines.empty());
}

int main() { return okapi::tests::run(); }
