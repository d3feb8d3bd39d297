// Brains, evaluators, and the two doors between expected score and centipawns.
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings.h"
#include "okapi/eval/bounded.h"
#include "okapi/eval/brain.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

Brain brain_from_bytes(nb::bytes data) {
    return Brain::read({static_cast<const std::byte*>(data.data()), data.size()});
}

// On Python's own thread an error may be thrown at once.
std::vector<int> values_of(Evaluator& evaluator, const std::vector<Position>& positions) {
    auto* asking = dynamic_cast<PythonEvaluator*>(&evaluator);
    if (asking) asking->function().begin({});
    std::vector<int> values;
    {
        nb::gil_scoped_release release;
        values = evaluator.values(positions);
    }
    if (asking) asking->function().end();
    return values;
}

int centipawns_for(Evaluator& evaluator, const Position& position) { return values_of(evaluator, {position}).front(); }

std::vector<double> expected_scores(Evaluator& evaluator, const std::vector<Position>& positions) {
    std::vector<double> scores;
    for (int value : values_of(evaluator, positions)) scores.push_back(expected_score(value));
    return scores;
}

template <PythonFunction::Manner manner> std::unique_ptr<Evaluator> from_function(nb::object function) {
    return std::make_unique<PythonEvaluator>(std::make_shared<PythonFunction>(function, manner), function);
}

std::unique_ptr<Evaluator> bounded(const Evaluator& evaluator, const Evaluator& bounds,
                                   std::shared_ptr<RangeTally> tally) {
    if (dynamic_cast<const PythonEvaluator*>(&evaluator))
        throw nb::value_error("a function of Python's is asked in batches, and bounds would come too late");
    const std::unique_ptr<Evaluator> asked = bounds.clone();
    const Position start = Position::start();
    asked->reset(start);
    if (!asked->range(start))
        throw InvalidBrain("this brain gives values, not bounds. `okapi train bounds` makes some");
    return std::make_unique<Bounded>(evaluator.clone(), bounds.clone(), std::move(tally));
}

// For the garbage collector: a Python function may refer to the evaluator that calls it.
int traverse_evaluator(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    if (auto* asking = dynamic_cast<PythonEvaluator*>(nb::inst_ptr<Evaluator>(self))) Py_VISIT(asking->owned().ptr());
    return 0;
}

int clear_evaluator(PyObject* self) {
    if (auto* asking = dynamic_cast<PythonEvaluator*>(nb::inst_ptr<Evaluator>(self))) asking->owned().reset();
    return 0;
}

PyType_Slot kEvaluatorSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_evaluator)},
                                 {Py_tp_clear, reinterpret_cast<void*>(clear_evaluator)},
                                 {0, nullptr}};

}  // namespace

void add_evaluators(nb::module_& m) {
    m.def("expected_score", &expected_score, "centipawns"_a, "0 to 1. 400 centipawns count like 400 Elo: ten to one.");
    m.def("centipawns_of", &centipawns, "expected_score"_a, "The way back, within ± 20000.");

    nb::class_<Brain>(m, "RawBrain", "Trained weights and their model card. Use okapi.Brain.")
        .def_static("open", &Brain::open, "path"_a, "Read a safetensors file. InvalidBrain says what is wrong with it.")
        .def_static("from_bytes", &brain_from_bytes, "data"_a)
        .def_static(
            "default", [] { return default_brain(); }, "The brain that is compiled into the core.")
        .def_prop_ro("name", &Brain::name)
        .def_prop_ro("kind", &Brain::kind)
        .def_ro("card", &Brain::card);

    nb::class_<RangeTally>(m, "RangeTally", "How often bounds saved an evaluation, and how often they were wrong.")
        .def(nb::init<>())
        .def_prop_ro("asked", [](const RangeTally& self) { return self.asked.load(); })
        .def_prop_ro("needed", [](const RangeTally& self) { return self.needed.load(); })
        .def_prop_ro("outside", [](const RangeTally& self) { return self.outside.load(); });

    nb::class_<Evaluator>(m, "Evaluator", nb::type_slots(kEvaluatorSlots),
                          "Evaluates positions: by a brain, or by a function of yours. Not thread-safe.\n\n"
                          ">>> from okapi import Position\n"
                          ">>> Evaluator.from_function(lambda positions: [0.5] * len(positions))([Position()])\n"
                          "[0.5]\n")
        .def_static("from_brain", &make_evaluator, "brain"_a,
                    "The evaluator of a brain; InvalidBrain if this build has none for it.")
        .def_static("bounded", &bounded, "evaluator"_a, "bounds"_a, "tally"_a.none() = nb::none(),
                    "An evaluator that is used only where bounds do not already decide; InvalidBrain where the "
                    "second has no bounds. A tally counts, and computes every value.")
        .def_static("from_function", &from_function<call_for_scores>, "function"_a,
                    nb::sig("def from_function(function: collections.abc.Callable[[list[Position]], "
                            "collections.abc.Iterable[float]]) -> Evaluator"),
                    "Call a function: many positions in, the expected score of each one's side to move out, 0 to 1.")
        .def_static(
            "from_packed", &from_function<call_for_centipawns>, "function"_a,
            nb::sig("def from_packed(function: collections.abc.Callable[[NDArray[numpy.uint8], NDArray[numpy.int32]], "
                    "object]) -> Evaluator"),
            "Call a function that gets rows of packed positions and fills an array of centipawns.")
        .def("centipawns", &centipawns_for, "position"_a, "For the side to move.")
        .def("__call__", &expected_scores, "positions"_a, "The expected score of each one's side to move, 0 to 1.");
}

}  // namespace okapi::bindings
