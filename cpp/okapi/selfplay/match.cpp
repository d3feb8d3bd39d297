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

std::vector<Fixture> both_ways(const std::vector<Position>& starts) {
    std::vector<Fixture> fixtures;
    for (const Position& start : starts)
        for (Color first : {Color::White, Color::Black}) fixtures.push_back({start, first});
    return fixtures;
}

GameRecord record(const Bout& bout, const Position& start) {
    GameRecord game;
    game.start = start;
    if (bout.ending != Ending::TooLong) game.result = bout.result;
    bool any_lines = false;
    for (const Thought& thought : bout.thoughts) {
        game.moves.push_back(thought.move);
        game.values.push_back(stored(thought.value));
        game.lines.push_back(thought.line);
        any_lines |= !thought.line.empty();
    }
    if (game.moves.empty()) return game;
    game.values.push_back(kNoValue);
    if (any_lines)
        game.lines.emplace_back();
    else
        game.lines.clear();
    return game;
}

Duel::Duel(Duellist first, Duellist second, const DuelOptions& options)
    : duellists_{std::move(first), std::move(second)}, options_(options) {
    for (const Duellist& duellist : duellists_)
        if (is_endless(duellist.limits))
            throw std::invalid_argument("a duellist needs a limit for each move: depth, nodes or time");
}

void Duel::stop() {
    stopped_.store(true);
    const std::lock_guard lock(seating_);
    for (const Seats& seats : seats_)
        for (const std::unique_ptr<Thinker>& thinker : seats) thinker->stop();
}

const Duel::Seats& Duel::sit_down() {
    Seats seats;
    for (std::size_t i = 0; i < seats.size(); ++i) {
        const Duellist& duellist = duellists_[i];
        seats[i] = std::make_unique<Thinker>(duellist.evaluator->clone(), duellist.table_mb);
        seats[i]->set_heuristics(duellist.heuristics);
        seats[i]->set_constants(duellist.constants);
        seats[i]->set_shape(duellist.shape);
        if (duellist.prior) seats[i]->set_prior(duellist.prior->clone());
    }
    const std::lock_guard lock(seating_);
    return seats_.emplace_back(std::move(seats));
}

void Duel::play(const std::vector<Fixture>& fixtures, const OnBout& on_bout) {
    std::exception_ptr error;
    const auto work_safely = [&] {
        try {
            work(fixtures, on_bout);
        } catch (...) {
            stop();
            const std::lock_guard lock(telling_);
            if (!error) error = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    const std::size_t threads = std::min(std::size_t(std::max(1, options_.threads)), fixtures.size());
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work_safely);
    work_safely();
    for (std::thread& helper : helpers) helper.join();
    if (error) std::rethrow_exception(error);
}

void Duel::work(const std::vector<Fixture>& fixtures, const OnBout& on_bout) {
    const Seats& seats = sit_down();
    for (std::size_t number; (number = next_++) < fixtures.size();) {
        std::optional<Bout> bout = play_one(seats, fixtures[number]);
        if (!bout) return;
        bout->number = number;
        const std::lock_guard lock(telling_);
        on_bout(std::move(*bout));
    }
}

// Nothing, if the duel was stopped.
std::optional<Bout> Duel::play_one(const Seats& seats, const Fixture& fixture) const {
    for (const std::unique_ptr<Thinker>& thinker : seats) thinker->new_game();
    Bout bout;
    bout.first = fixture.first;
    Position position = fixture.start;
    Adjudicator adjudicator(options_.adjudication);
    std::optional<Verdict> verdict;
    while (!(verdict = adjudicator.judge(position))) {
        const std::size_t who = position.turn() == fixture.first ? 0 : 1;
        std::optional<Thought> thought = ask(*seats[who], duellists_[who].limits, position);
        if (!thought) return std::nullopt;
        position.play(thought->move);
        adjudicator.hear(thought->value, position);
        bout.nodes[who] += thought->nodes;
        bout.thoughts.push_back(std::move(*thought));
    }
    bout.result = verdict->result;
    bout.ending = verdict->ending;
    return bout;
}

// Nothing, if the duel was stopped. A stop() that comes after arm() reaches the thinker; one that came before is seen
// here.
std::optional<Thought> Duel::ask(Thinker& thinker, const Limits& limits, const Position& position) const {
    thinker.arm();
    if (stopped_.load()) return std::nullopt;
    const auto begun = std::chrono::steady_clock::now();
    Decision decision = thinker.think(position, limits);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    if (stopped_.load()) return std::nullopt;
    Thought thought{decision.move, decision.value, decision.depth, decision.nodes, taken.count()};
    if (options_.keep_lines) thought.line = std::move(decision.lines.front().moves);
    return thought;
}

std::vector<Bout> play_duel(const Duellist& first, const Duellist& second, const std::vector<Fixture>& fixtures,
                            const DuelOptions& options) {
    std::vector<Bout> bouts;
    Duel(first, second, options).play(fixtures, [&](Bout bout) { bouts.push_back(std::move(bout)); });
    std::sort(bouts.begin(), bouts.end(), [](const Bout& a, const Bout& b) { return a.number < b.number; });
    return bouts;
}

}  // namespace okapi
