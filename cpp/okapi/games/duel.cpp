#include "okapi/games/duel.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

#include "okapi/search/tablebase.h"

namespace okapi {

namespace {

bool ends(const Limits& limits) { return limits.depth > 0 || limits.nodes > 0 || limits.movetime_ms > 0; }

struct Verdict {
    Result result;
    Ending ending;
};

// Watches one game: the rules, what the players agree on, and for how long.
class Referee {
public:
    explicit Referee(const Adjudication& adjudication) : asked_(adjudication) {}

    // What was thought before the move that led to `position`.
    void hear(int value, const Position& position);
    // Is the game over?
    std::optional<Verdict> judge(const Position& position) const;

private:
    std::optional<Verdict> look_up(const Position& position) const;

    const Adjudication& asked_;
    int plies_ = 0;
    int ahead_ = 0;  // plies for which White was seen ahead; negative for Black
    int even_ = 0;
};

void Referee::hear(int value, const Position& position) {
    const int whites = position.turn() == Color::Black ? value : -value;
    ahead_ = whites >= asked_.win_value ? std::max(ahead_, 0) + 1 : whites <= -asked_.win_value ? std::min(ahead_, 0) - 1 : 0;
    const bool even = std::abs(value) <= asked_.draw_value && plies_ >= asked_.draw_after && position.halfmove_clock() > 0;
    even_ = even ? even_ + 1 : 0;
    ++plies_;
}

std::optional<Verdict> Referee::judge(const Position& position) const {
    if (const std::optional<Ending> by_rule = ending(position)) return Verdict{result(position, *by_rule), *by_rule};
    if (asked_.tablebases)
        if (const std::optional<Verdict> known = look_up(position)) return known;
    if (asked_.win_plies > 0 && std::abs(ahead_) >= asked_.win_plies)
        return Verdict{ahead_ > 0 ? Result::WhiteWins : Result::BlackWins, Ending::AgreedWin};
    if (asked_.draw_plies > 0 && even_ >= asked_.draw_plies) return Verdict{Result::Draw, Ending::AgreedDraw};
    if (asked_.max_plies > 0 && plies_ >= asked_.max_plies) return Verdict{Result::Draw, Ending::TooLong};
    return std::nullopt;
}

std::optional<Verdict> Referee::look_up(const Position& position) const {
    if (count(position.pieces()) > tablebase::max_pieces()) return std::nullopt;
    const std::optional<tablebase::Verdict> known = tablebase::probe(position);
    if (!known) return std::nullopt;
    const bool white = position.turn() == Color::White;
    const bool won = *known == tablebase::Verdict::Win, lost = *known == tablebase::Verdict::Loss;
    const Result result = !won && !lost ? Result::Draw : won == white ? Result::WhiteWins : Result::BlackWins;
    return Verdict{result, Ending::Tablebase};
}

}  // namespace

Duel::Duel(Duellist first, Duellist second, const Rules& rules)
    : first_(std::move(first)), second_(std::move(second)), rules_(rules) {
    if (!ends(first_.limits) || !ends(second_.limits))
        throw std::invalid_argument("a duellist needs a limit: depth, nodes or time for each move");
}

Duel::Seats Duel::seats() const {
    const auto seat = [](const Duellist& duellist) {
        auto thinker = std::make_unique<Thinker>(duellist.evaluator->clone(), duellist.table_mb);
        thinker->set_heuristics(duellist.heuristics);
        return thinker;
    };
    return {seat(first_), seat(second_)};
}

void Duel::stop() {
    stopped_.store(true);
    const std::lock_guard lock(seating_);
    for (const Seats& seats : seats_) {
        seats.first->stop();
        seats.second->stop();
    }
}

void Duel::play(const std::vector<Position>& starts, const std::function<void(Bout)>& on_bout) {
    {
        const std::lock_guard lock(seating_);
        for (int i = 0; i < std::max(1, rules_.threads); ++i) seats_.push_back(seats());
    }
    std::exception_ptr error;
    const auto work_safely = [&](const Seats& seats) {
        try {
            work(seats, starts, on_bout);
        } catch (...) {
            stop();
            const std::lock_guard lock(telling_);
            if (!error) error = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < seats_.size(); ++i) helpers.emplace_back(work_safely, std::cref(seats_[i]));
    work_safely(seats_.front());
    for (std::thread& helper : helpers) helper.join();
    if (error) std::rethrow_exception(error);
}

void Duel::work(const Seats& seats, const std::vector<Position>& starts, const std::function<void(Bout)>& on_bout) {
    const std::size_t games_a_start = rules_.swap_colors ? 2 : 1;
    for (std::size_t number; (number = next_++) < starts.size() * games_a_start;) {
        std::optional<Bout> bout = play_one(seats, starts[number / games_a_start], number);
        if (!bout) return;
        const std::lock_guard lock(telling_);
        on_bout(std::move(*bout));
    }
}

std::optional<Bout> Duel::play_one(const Seats& seats, const Position& start, std::size_t number) const {
    Bout bout;
    bout.number = number;
    bout.start = rules_.swap_colors ? number / 2 : number;
    bout.first_is_white = !rules_.swap_colors || number % 2 == 0;
    seats.first->new_game();
    seats.second->new_game();

    Position position = start;
    Referee referee(rules_.adjudication);
    std::optional<Verdict> verdict;
    while (!(verdict = referee.judge(position))) {
        const bool firsts_turn = (position.turn() == Color::White) == bout.first_is_white;
        const Limits& limits = (firsts_turn ? first_ : second_).limits;
        std::optional<Thought> thought = ask(firsts_turn ? *seats.first : *seats.second, limits, position);
        if (!thought) return std::nullopt;
        position.play(thought->move);
        referee.hear(thought->value, position);
        bout.thoughts.push_back(std::move(*thought));
    }
    bout.result = verdict->result;
    bout.ending = verdict->ending;
    return bout;
}

// Nothing, if the duel was stopped. Arming first makes sure that a stop() from now on reaches the thinker.
std::optional<Thought> Duel::ask(Thinker& thinker, const Limits& limits, const Position& position) const {
    thinker.arm();
    if (stopped_.load()) return std::nullopt;
    Decision decision = thinker.think(position, limits);
    if (stopped_.load()) return std::nullopt;
    Thought thought{decision.move, decision.value, decision.depth, decision.nodes};
    if (rules_.keep_lines) thought.line = std::move(decision.lines.front().moves);
    return thought;
}

std::vector<Bout> play_duel(const Duellist& first, const Duellist& second, const std::vector<Position>& starts,
                            const Rules& rules) {
    std::vector<Bout> bouts;
    Duel(first, second, rules).play(starts, [&](Bout bout) { bouts.push_back(std::move(bout)); });
    std::sort(bouts.begin(), bouts.end(), [](const Bout& a, const Bout& b) { return a.number < b.number; });
    return bouts;
}

}  // namespace okapi
