// The search. It runs on its own thread while Python's waits, so that Ctrl-C works.
#include "okapi/search/search.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "bindings.h"
#include "okapi/search/heuristics.h"
#include "okapi/uci/bench.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

using Clock = std::pair<std::int64_t, std::int64_t>;  // time and increment in ms

std::optional<Limits::Clock> clock(const std::optional<Clock>& pair) {
    return pair ? std::optional(Limits::Clock{pair->first, pair->second}) : std::nullopt;
}

// Runs `work` on another thread. When Python wants to raise something meanwhile, calls `stop`, waits and raises it.
template <class Work, class Stop> void run_interruptibly(Work work, Stop stop) {
    nb::gil_scoped_release release;
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false;
    std::exception_ptr error;
    std::thread thread([&] {
        try {
            work();
        } catch (...) {
            error = std::current_exception();
        }
        std::lock_guard lock(mutex);
        done = true;
        finished.notify_all();
    });
    std::exception_ptr interruption;
    for (std::unique_lock lock(mutex); !done;) {
        if (finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) break;
        lock.unlock();
        try {
            if (!interruption) check_signals();
        } catch (...) {
            interruption = std::current_exception();
        }
        if (interruption) stop();
        lock.lock();
    }
    thread.join();
    if (interruption) std::rethrow_exception(interruption);
    if (error) std::rethrow_exception(error);
}

class PySearch {
public:
    PySearch(Evaluator& evaluator, std::size_t table_mb, int threads)
        : evaluator_(evaluator.clone()), search_(evaluator.clone(), table_mb, threads) {
        if (auto* asking = dynamic_cast<PythonEvaluator*>(&evaluator)) function_ = asking->owned();
    }

    Decision run(const Position& position, const Limits& limits, nb::object on_progress) {
        if (!running_.try_lock()) throw std::runtime_error("this search is already running");
        std::lock_guard lock(running_, std::adopt_lock);
        Listener listener;
        std::exception_ptr failure;
        if (!on_progress.is_none())
            listener.on_progress = [&](const Progress& progress) {
                if (failure) return;
                nb::gil_scoped_acquire gil;
                try {
                    on_progress(progress);
                } catch (...) {
                    failure = std::current_exception();
                    search_.stop();
                }
            };
        auto* asking = dynamic_cast<PythonEvaluator*>(evaluator_.get());
        if (asking) asking->function().begin([this] { search_.stop(); });
        Decision decision;
        run_interruptibly([&] { decision = search_.run(position, limits, listener); }, [&] { search_.stop(); });
        if (asking) asking->function().end();
        if (failure) std::rethrow_exception(failure);
        return decision;
    }

    Search& search() { return search_; }
    nb::object& function() { return function_; }

private:
    nb::object function_;                   // that the evaluator calls, if it is a PythonEvaluator
    std::unique_ptr<Evaluator> evaluator_;  // kept to find its PythonFunction, which all clones share
    Search search_;
    std::mutex running_;
};

void add_search_records(nb::module_& m) {
    nb::class_<Line>(m, "RawLine", "A line as the core has it: values in centipawns, mates as ± 32000 less the plies.")
        .def_ro("moves", &Line::moves)
        .def_ro("value", &Line::value)
        .def_prop_ro("is_exact", [](const Line& line) { return line.bound == Bound::Exact; })
        .def_ro("depth", &Line::depth)
        .def_ro("selective_depth", &Line::selective_depth);
    nb::class_<Progress>(m, "RawProgress", "What a running search reports.")
        .def_ro("rank", &Progress::rank)
        .def_ro("line", &Progress::line)
        .def_ro("nodes", &Progress::nodes)
        .def_ro("elapsed_ms", &Progress::elapsed_ms)
        .def_ro("table_permille", &Progress::table_permille);
    nb::class_<Decision>(m, "RawDecision", "A decision as the core has it.")
        .def_ro("move", &Decision::move)
        .def_ro("value", &Decision::value)
        .def_ro("lines", &Decision::lines)
        .def_ro("nodes", &Decision::nodes)
        .def_ro("elapsed_ms", &Decision::elapsed_ms)
        .def_ro("depth", &Decision::depth);
}

Decision run(PySearch& self, const Position& position, int depth, std::uint64_t nodes, std::int64_t movetime_ms,
             int mate, bool infinite, std::optional<Clock> white, std::optional<Clock> black, int moves_to_go,
             std::int64_t overhead_ms, std::vector<Move> only, nb::object on_progress) {
    Limits limits;
    limits.depth = depth;
    limits.nodes = nodes;
    limits.movetime_ms = movetime_ms;
    limits.mate = mate;
    limits.infinite = infinite;
    limits.clocks = {clock(white), clock(black)};
    limits.moves_to_go = moves_to_go;
    limits.overhead_ms = overhead_ms;
    limits.only = std::move(only);
    return self.run(position, limits, std::move(on_progress));
}

void set_heuristics(PySearch& self, const std::vector<std::string>& without, const std::vector<std::string>& extras) {
    self.search().set_heuristics(heuristics(without, extras));
}

void set_constants(PySearch& self, const std::map<std::string, int>& changes) {
    self.search().set_constants(constants(changes));
}

void set_shape(PySearch& self, std::string_view shape, const MovePrior* moves) {
    self.search().set_budget_rule(BudgetRule::parse(shape));
    self.search().set_prior(moves ? moves->clone() : nullptr);
}

std::vector<std::string> heuristic_names(bool usual) {
    const Heuristics from_the_beginning;
    std::vector<std::string> names;
    for (const auto& [name, member] : Heuristics::names())
        if (!usual || from_the_beginning.*member) names.emplace_back(name);
    return names;
}

// For the garbage collector, as in evaluators.cpp.
int traverse_search(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PySearch>(self)->function().ptr());
    return 0;
}

int clear_search(PyObject* self) {
    nb::inst_ptr<PySearch>(self)->function().reset();
    return 0;
}

PyType_Slot kSearchSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_search)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear_search)},
                              {0, nullptr}};

}  // namespace

Heuristics heuristics(const std::vector<std::string>& without, const std::vector<std::string>& extras) {
    Heuristics heuristics;
    const auto set = [&](const std::string& name, bool on) {
        if (!heuristics.set(name, on)) throw nb::value_error(("there is no heuristic `" + name + "`").c_str());
    };
    for (const std::string& name : without) set(name, false);
    for (const std::string& name : extras) set(name, true);
    return heuristics;
}

Constants constants(const std::map<std::string, int>& changes) {
    Constants constants;
    for (const auto& [name, value] : changes)
        if (!constants.set(name, value))
            throw nb::value_error(("no constant `" + name + "` can be " + std::to_string(value)).c_str());
    return constants;
}

void add_search(nb::module_& m) {
    m.attr("MATE") = kMate;
    m.attr("MATE_BOUND") = kMateBound;
    m.attr("BENCH_DEPTH") = kBenchDepth;
    m.def(
        "bench_positions", [] { return std::vector<std::string>(bench_positions().begin(), bench_positions().end()); },
        "The FENs that `bench` searches.");
    m.def("heuristics", &heuristic_names, nb::kw_only(), "usual"_a = false,
          "The names of the heuristics of the search; or only of those that are on by default.");
    nb::class_<Constant>(m, "RawConstant", "A number in the search that games can tune. Use okapi.core.search.")
        .def_prop_ro("name", [](const Constant& constant) { return std::string(constant.name); })
        .def_prop_ro("usual", &Constant::usual)
        .def_ro("least", &Constant::least)
        .def_ro("most", &Constant::most)
        .def_ro("step", &Constant::step);
    m.def(
        "constants", [] { return std::vector<Constant>(Constant::all().begin(), Constant::all().end()); },
        "Every number in the search that games can tune.");
    m.def("shapes", &BudgetRule::names, "The names of the budget rules.");
    m.def(
        "check_shape", [](std::string_view text) { BudgetRule::parse(text); }, "text"_a,
        "ValueError if this is no budget rule with its settings.");
    add_search_records(m);
    nb::class_<PySearch>(m, "RawSearch", nb::type_slots(kSearchSlots),
                         "A search with everything it owns. Use okapi.core.Search.")
        .def(nb::init<Evaluator&, std::size_t, int>(), "evaluator"_a, "table_mb"_a, "threads"_a)
        .def("run", &run, "position"_a, nb::kw_only(), "depth"_a, "nodes"_a, "movetime_ms"_a, "mate"_a, "infinite"_a,
             "white"_a.none(), "black"_a.none(), "moves_to_go"_a, "overhead_ms"_a, "only"_a, "on_progress"_a.none(),
             nb::sig("def run(self, position: Position, *, depth: int, nodes: int, movetime_ms: int, mate: int, "
                     "infinite: bool, white: tuple[int, int] | None, black: tuple[int, int] | None, moves_to_go: int, "
                     "overhead_ms: int, only: collections.abc.Sequence[Move], on_progress: "
                     "collections.abc.Callable[[RawProgress], object] | None) "
                     "-> RawDecision"),
             "Search within these limits; 0 means no limit of that kind. Other Python threads run meanwhile.")
        .def("set_heuristics", &set_heuristics, "without"_a, "extras"_a,
             "Use the default heuristics without the first, and with the second.")
        .def("set_constants", &set_constants, "changes"_a, "Use the default constants with these changes.")
        .def("set_shape", &set_shape, "shape"_a, "moves"_a.none(),
             "Set the budget rule, and the move network if there is one.")
        .def(
            "set_time_network",
            [](PySearch& self, const TimeNetwork& time_network) {
                self.search().set_time_network(std::make_shared<const TimeNetwork>(time_network));
            },
            "time_network"_a, "Let a network manage the time.")
        .def(
            "set_multipv", [](PySearch& self, int lines) { self.search().set_multipv(lines); }, "lines"_a)
        .def(
            "new_game", [](PySearch& self) { self.search().new_game(); }, "Clear the table and the histories.")
        .def("stop", [](PySearch& self) { self.search().stop(); }, "From any thread: stop the search.");
}

}  // namespace okapi::bindings
