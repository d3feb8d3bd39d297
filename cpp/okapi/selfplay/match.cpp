#include "okapi/selfplay/match.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

namespace okapi {

namespace {

bool is_endless(const Limits& limits) { return limits.depth <= 0 && limits.nodes == 0 && limits.movetime_ms <= 0; }

}  // namespace

Centipawns stored(int value) {
    constexpr int kMost = 20000;  // centipawns that are no mate
    if (!is_mate(value)) return Centipawns(std::clamp(value, -kMost, kMost));
    const int plies = kMate - std::abs(value);
    return Centipawns(value > 0 ? kMateValue - (plies + 1) / 2 : plies / 2 - kMateValue);
}

std::vector<Pairing> both_colors(const std::vector<Position>& starts) {
    std::vector<Pairing> pairings;
    for (const Position& start : starts)
        for (Color first : {Color::White, Color::Black}) pairings.push_back({start, first});
    return pairings;
}

GameRecord record(const MatchGame& played, const Position& start) {
    GameRecord game;
    game.start = start;
    if (played.ending != Ending::TooLong) game.result = played.result;
    bool any_lines = false;
    for (const MoveRecord& record : played.records) {
        game.moves.push_back(record.move);
        game.values.push_back(stored(record.value));
        game.lines.push_back(record.line);
        any_lines |= !record.line.empty();
    }
    if (game.moves.empty()) return game;
    game.values.push_back(kNoValue);
    if (any_lines)
        game.lines.emplace_back();
    else
        game.lines.clear();
    return game;
}

Match::Match(MatchPlayer first, MatchPlayer second, const MatchOptions& options)
    : players_{std::move(first), std::move(second)}, options_(options) {
    for (const MatchPlayer& player : players_)
        if (is_endless(player.limits))
            throw std::invalid_argument("a player needs a limit for each move: depth, nodes or time");
}

void Match::stop() {
    stopped_.store(true);
    const std::lock_guard lock(searches_mutex_);
    for (const SearchPair& searches : searches_)
        for (const std::unique_ptr<Search>& search : searches) search->stop();
}

const Match::SearchPair& Match::make_searches() {
    SearchPair searches;
    for (std::size_t i = 0; i < searches.size(); ++i) {
        const MatchPlayer& player = players_[i];
        searches[i] = std::make_unique<Search>(player.evaluator->clone(), player.table_mb);
        searches[i]->set_heuristics(player.heuristics);
        searches[i]->set_constants(player.constants);
        searches[i]->set_budget_rule(player.rule);
        if (player.prior) searches[i]->set_prior(player.prior->clone());
    }
    const std::lock_guard lock(searches_mutex_);
    return searches_.emplace_back(std::move(searches));
}

void Match::play(const std::vector<Pairing>& pairings, const OnGame& on_game) {
    std::exception_ptr error;
    const auto work_safely = [&] {
        try {
            work(pairings, on_game);
        } catch (...) {
            stop();
            const std::lock_guard lock(callback_mutex_);
            if (!error) error = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    const std::size_t threads = std::min(std::size_t(std::max(1, options_.threads)), pairings.size());
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work_safely);
    work_safely();
    for (std::thread& helper : helpers) helper.join();
    if (error) std::rethrow_exception(error);
}

void Match::work(const std::vector<Pairing>& pairings, const OnGame& on_game) {
    const SearchPair& searches = make_searches();
    for (std::size_t number; (number = next_++) < pairings.size();) {
        std::optional<MatchGame> played = play_one(searches, pairings[number]);
        if (!played) return;
        played->number = number;
        const std::lock_guard lock(callback_mutex_);
        on_game(std::move(*played));
    }
}

// Nothing, if the match was stopped.
std::optional<MatchGame> Match::play_one(const SearchPair& searches, const Pairing& pairing) const {
    for (const std::unique_ptr<Search>& search : searches) search->new_game();
    MatchGame played;
    played.first = pairing.first;
    Position position = pairing.start;
    Adjudicator adjudicator(options_.adjudication);
    std::optional<Verdict> verdict;
    while (!(verdict = adjudicator.verdict(position))) {
        const std::size_t who = position.turn() == pairing.first ? 0 : 1;
        std::optional<MoveRecord> record = search_move(*searches[who], players_[who].limits, position);
        if (!record) return std::nullopt;
        position.play(record->move);
        adjudicator.add(record->value, position);
        played.nodes[who] += record->nodes;
        played.records.push_back(std::move(*record));
    }
    played.result = verdict->result;
    played.ending = verdict->ending;
    return played;
}

// Nothing, if the match was stopped. A stop() that comes after arm() reaches the search; one that came before is seen
// here.
std::optional<MoveRecord> Match::search_move(Search& search, const Limits& limits, const Position& position) const {
    search.arm();
    if (stopped_.load()) return std::nullopt;
    const auto begun = std::chrono::steady_clock::now();
    Decision decision = search.run(position, limits);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    if (stopped_.load()) return std::nullopt;
    MoveRecord record{decision.move, decision.value, decision.depth, decision.nodes, taken.count()};
    if (options_.keep_lines) record.line = std::move(decision.lines.front().moves);
    return record;
}

std::vector<MatchGame> play_match(const MatchPlayer& first, const MatchPlayer& second,
                                  const std::vector<Pairing>& pairings, const MatchOptions& options) {
    std::vector<MatchGame> games;
    Match(first, second, options).play(pairings, [&](MatchGame played) { games.push_back(std::move(played)); });
    std::sort(games.begin(), games.end(), [](const MatchGame& a, const MatchGame& b) { return a.number < b.number; });
    return games;
}

}  // namespace okapi
