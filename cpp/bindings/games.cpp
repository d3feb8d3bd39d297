// Games between two searches. They are played on threads of their own, while Python takes what is finished.
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "asker.h"
#include "bindings.h"
#include "okapi/selfplay/match.h"

namespace okapi::bindings {

namespace {

// A duel as something to iterate over: next() waits for a game, and Ctrl-C is heard meanwhile.
class PyDuel {
public:
    PyDuel(const Duellist& first, const Duellist& second, std::vector<Fixture> fixtures, const DuelOptions& options,
           bool in_order)
        : first_(first),
          second_(second),
          fixtures_(std::move(fixtures)),
          in_order_(in_order),
          duel_(first, second, options) {}

    ~PyDuel() {
        nb::gil_scoped_release release;  // a thread may have to ask Python before it can stop
        duel_.stop();
        if (thread_.joinable()) thread_.join();
    }

    // Nothing when all games were given or the duel was stopped. Throws, once, what a function that judges threw.
    std::optional<Bout> next() {
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

    void stop() { duel_.stop(); }

private:
    void begin() {
        begun_ = true;
        for (Asker* asker : askers()) asker->begin([this] { duel_.stop(); });
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
            duel_.play(fixtures_, [this](Bout bout) {
                const std::lock_guard lock(mutex_);
                finished_.emplace(bout.number, std::move(bout));
                changed_.notify_all();
            });
        });
        for (Asker* asker : askers()) keep_first([asker] { asker->end(); });
        const std::lock_guard lock(mutex_);
        error_ = error;
        over_ = true;
        changed_.notify_all();
    }

    // When nothing more will come, what is there is given in order, but perhaps with gaps.
    bool is_ready() const { return !finished_.empty() && (!in_order_ || finished_.begin()->first == given_); }

    std::vector<Asker*> askers() const {
        std::vector<Asker*> found;
        for (const Duellist* duellist : {&first_, &second_})
            if (const auto* asking = dynamic_cast<const AskingEvaluator*>(duellist->evaluator.get()))
                found.push_back(&asking->asker());
        return found;
    }

    const Duellist first_, second_;
    const std::vector<Fixture> fixtures_;
    const bool in_order_;
    Duel duel_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::map<std::size_t, Bout> finished_;  // and not given yet
    std::size_t given_ = 0;
    bool begun_ = false;
    bool over_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

Duellist duellist(const Evaluator& evaluator, int depth, std::uint64_t nodes, std::int64_t movetime_ms,
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
            Shape::parse(shape),         moves ? moves->clone() : nullptr,
            constants(changes)};
}

std::vector<Move> moves(const Bout& bout) {
    std::vector<Move> moves;
    for (const Thought& thought : bout.thoughts) moves.push_back(thought.move);
    return moves;
}

GameRecord bout_record(const Bout& bout, const Position& start, const std::vector<GameRecord::Tag>& tags) {
    GameRecord game = record(bout, start);
    game.tags = tags;
    return game;
}

void make_duel(PyDuel* self, const Duellist& first, const Duellist& second,
               const std::vector<std::pair<Position, Color>>& fixtures, const Adjudication& adjudication,
               bool keep_lines, int threads, bool in_order) {
    std::vector<Fixture> games;
    for (const auto& [start, side] : fixtures) games.push_back({start, side});
    new (self) PyDuel(first, second, std::move(games), {adjudication, keep_lines, threads}, in_order);
}

void add_records(nb::module_& m) {
    nb::class_<Duellist>(m, "RawDuellist", "One side of a duel. Use okapi.core.Duellist.")
        .def(nb::new_(&duellist), "evaluator"_a, nb::kw_only(), "depth"_a, "nodes"_a, "movetime_ms"_a, "overhead_ms"_a,
             "table_mb"_a, "without"_a, "extras"_a, "shape"_a, "moves"_a.none(), "constants"_a,
             nb::keep_alive<0, 2>());  // the function that an evaluator may ask is its own
    nb::class_<Adjudication>(m, "RawAdjudication", "What ends a game that the rules let go on.")
        .def(nb::init<std::optional<int>, int, std::optional<int>, int, int, bool, int>(), nb::kw_only(),
             "resign_score"_a.none(), "resign_moves"_a, "draw_score"_a.none(), "draw_moves"_a, "draw_after"_a,
             "tablebases"_a, "max_plies"_a);
    nb::class_<Thought>(m, "RawThought", "What was thought before one move: a value in centipawns, as in RawLine.")
        .def_ro("move", &Thought::move)
        .def_ro("value", &Thought::value)
        .def_ro("depth", &Thought::depth)
        .def_ro("nodes", &Thought::nodes)
        .def_ro("seconds", &Thought::seconds)
        .def_ro("line", &Thought::line);
    nb::class_<Bout>(m, "RawBout", "A finished game of a duel.")
        .def_ro("number", &Bout::number)
        .def_ro("first", &Bout::first, "The first duellist's side.")
        .def_prop_ro("result", [](const Bout& bout) { return name(bout.result); })
        .def_prop_ro("ending", [](const Bout& bout) { return name(bout.ending); })
        .def_prop_ro("moves", &moves)
        .def_prop_ro(
            "nodes", [](const Bout& bout) { return std::pair(bout.nodes[0], bout.nodes[1]); },
            "What the first and the second duellist searched.")
        .def_ro("thoughts", &Bout::thoughts)
        .def("record", &bout_record, "start"_a, "tags"_a, "The game as it is stored, with values and lines.");
}

}  // namespace

void add_games(nb::module_& m) {
    add_records(m);
    nb::class_<PyDuel>(m, "RawDuel", "Games between two searches. Use okapi.core.Duel.")
        .def("__init__", &make_duel, "first"_a, "second"_a, "fixtures"_a, nb::kw_only(), "adjudication"_a,
             "keep_lines"_a, "threads"_a, "in_order"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("next", &PyDuel::next, "Wait for the next finished game; None when there is none left.")
        .def("stop", &PyDuel::stop, nb::call_guard<nb::gil_scoped_release>(),
             "From any thread: leave all games that are not over.");
}

}  // namespace okapi::bindings
