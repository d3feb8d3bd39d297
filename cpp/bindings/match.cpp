// Games between two searches. They are played on threads of their own, while Python takes what is finished.
#include "okapi/selfplay/match.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "bindings.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

// A match as something to iterate over: next() waits for a game; Ctrl-C works meanwhile.
class PyMatch {
public:
    PyMatch(const MatchPlayer& first, const MatchPlayer& second, std::vector<Pairing> pairings,
            const MatchOptions& options, bool in_order)
        : first_(first),
          second_(second),
          pairings_(std::move(pairings)),
          in_order_(in_order),
          match_(first, second, options) {}

    ~PyMatch() {
        nb::gil_scoped_release release;  // a thread may have to call Python before it can stop
        match_.stop();
        if (thread_.joinable()) thread_.join();
    }

    // Nothing when all games were given or the match was stopped. Throws, once, what a function that judges threw.
    std::optional<MatchGame> next() {
        nb::gil_scoped_release release;
        std::unique_lock lock(mutex_);
        if (!begun_) begin();
        while (!changed_.wait_for(lock, std::chrono::milliseconds(50), [this] { return over_ || is_ready(); })) {
            lock.unlock();
            check_signals();
            lock.lock();
        }
        if (finished_.empty()) {
            if (const std::exception_ptr error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
            return std::nullopt;
        }
        ++given_;
        return std::move(finished_.extract(finished_.begin()).mapped());
    }

    void stop() { match_.stop(); }

private:
    void begin() {
        begun_ = true;
        for (PythonFunction* function : functions()) function->begin([this] { match_.stop(); });
        thread_ = std::thread([this] { run(); });
    }

    void run() {
        std::exception_ptr error;
        const auto keep_first = [&error](auto&& work) {
            try {
                work();
            } catch (...) {
                if (!error) error = std::current_exception();
            }
        };
        keep_first([this] {
            match_.play(pairings_, [this](MatchGame played) {
                const std::lock_guard lock(mutex_);
                finished_.emplace(played.number, std::move(played));
                changed_.notify_all();
            });
        });
        for (PythonFunction* function : functions()) keep_first([function] { function->end(); });
        const std::lock_guard lock(mutex_);
        error_ = error;
        over_ = true;
        changed_.notify_all();
    }

    // When nothing more will come, what is there is given in order, but perhaps with gaps.
    bool is_ready() const { return !finished_.empty() && (!in_order_ || finished_.begin()->first == given_); }

    std::vector<PythonFunction*> functions() const {
        std::vector<PythonFunction*> found;
        for (const MatchPlayer* player : {&first_, &second_})
            if (const auto* asking = dynamic_cast<const PythonEvaluator*>(player->evaluator.get()))
                found.push_back(&asking->function());
        return found;
    }

    const MatchPlayer first_, second_;
    const std::vector<Pairing> pairings_;
    const bool in_order_;
    Match match_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::map<std::size_t, MatchGame> finished_;  // and not given yet
    std::size_t given_ = 0;
    bool begun_ = false;
    bool over_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

MatchPlayer player(const Evaluator& evaluator, int depth, std::uint64_t nodes, std::int64_t movetime_ms,
                   std::int64_t overhead_ms, std::size_t table_mb, const std::vector<std::string>& without,
                   const std::vector<std::string>& extras, std::string_view shape, const MovePrior* moves,
                   const std::map<std::string, int>& changes) {
    Limits limits;
    limits.depth = depth;
    limits.nodes = nodes;
    limits.movetime_ms = movetime_ms;
    limits.overhead_ms = overhead_ms;
    return {evaluator.clone(),           limits,
            heuristics(without, extras), table_mb,
            BudgetRule::parse(shape),    moves ? moves->clone() : nullptr,
            constants(changes)};
}

std::vector<Move> played_moves(const MatchGame& played) {
    std::vector<Move> moves;
    for (const MoveRecord& record : played.records) moves.push_back(record.move);
    return moves;
}

GameRecord match_game_record(const MatchGame& played, const Position& start, const std::vector<GameRecord::Tag>& tags) {
    GameRecord game = record(played, start);
    game.tags = tags;
    return game;
}

void make_match(PyMatch* self, const MatchPlayer& first, const MatchPlayer& second,
                const std::vector<std::pair<Position, Color>>& pairings, const Adjudication& adjudication,
                bool keep_lines, int threads, bool in_order) {
    std::vector<Pairing> games;
    for (const auto& [start, side] : pairings) games.push_back({start, side});
    new (self) PyMatch(first, second, std::move(games), {adjudication, keep_lines, threads}, in_order);
}

void add_match_records(nb::module_& m) {
    nb::class_<MatchPlayer>(m, "RawMatchPlayer", "One side of a match. Use okapi.core.MatchPlayer.")
        .def(nb::new_(&player), "evaluator"_a, nb::kw_only(), "depth"_a, "nodes"_a, "movetime_ms"_a, "overhead_ms"_a,
             "table_mb"_a, "without"_a, "extras"_a, "shape"_a, "moves"_a.none(), "constants"_a,
             nb::keep_alive<0, 2>());  // the evaluator owns the function that it calls
    nb::class_<Adjudication>(m, "RawAdjudication", "What ends a game that the rules let go on.")
        .def(nb::init<std::optional<int>, int, std::optional<int>, int, int, bool, int>(), nb::kw_only(),
             "resign_score"_a.none(), "resign_moves"_a, "draw_score"_a.none(), "draw_moves"_a, "draw_after"_a,
             "tablebases"_a, "max_plies"_a);
    nb::class_<MoveRecord>(m, "RawMoveRecord", "The search result of one move: a value in centipawns, as in RawLine.")
        .def_ro("move", &MoveRecord::move)
        .def_ro("value", &MoveRecord::value)
        .def_ro("depth", &MoveRecord::depth)
        .def_ro("nodes", &MoveRecord::nodes)
        .def_ro("seconds", &MoveRecord::seconds)
        .def_ro("line", &MoveRecord::line);
    nb::class_<MatchGame>(m, "RawMatchGame", "A finished game of a match.")
        .def_ro("number", &MatchGame::number)
        .def_ro("first", &MatchGame::first, "The first player's side.")
        .def_prop_ro("result", [](const MatchGame& played) { return name(played.result); })
        .def_prop_ro("ending", [](const MatchGame& played) { return name(played.ending); })
        .def_prop_ro("moves", &played_moves)
        .def_prop_ro(
            "nodes", [](const MatchGame& played) { return std::pair(played.nodes[0], played.nodes[1]); },
            "What the first and the second player searched.")
        .def_ro("records", &MatchGame::records)
        .def("record", &match_game_record, "start"_a, "tags"_a, "The game as it is stored, with values and lines.");
}

}  // namespace

void add_match(nb::module_& m) {
    add_match_records(m);
    nb::class_<PyMatch>(m, "RawMatch", "Games between two searches. Use okapi.core.InProcessMatch.")
        .def("__init__", &make_match, "first"_a, "second"_a, "pairings"_a, nb::kw_only(), "adjudication"_a,
             "keep_lines"_a, "threads"_a, "in_order"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("next", &PyMatch::next, "Wait for the next finished game; None when there is none left.")
        .def("stop", &PyMatch::stop, nb::call_guard<nb::gil_scoped_release>(),
             "From any thread: leave all games that are not over.");
}

}  // namespace okapi::bindings
