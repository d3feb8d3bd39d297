// Searches with what was known after each depth. okapi.core.labelling makes the arrays.
#include <nanobind/stl/array.h>

#include "okapi/eval/brain.h"
#include "okapi/selfplay/labelling.h"
#include "packed.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

using Iterations =
    nb::ndarray<std::uint8_t, nb::shape<-1, -1, sizeof(RecordedIteration)>, nb::c_contig, nb::device::cpu>;

void record_iterations(const Evaluator& evaluator, const Rows& rows, const Iterations& iterations, std::uint64_t nodes,
                       int threads) {
    if (iterations.shape(0) != rows.shape(0)) throw nb::value_error("the array to write to has another shape");
    with_functions({&evaluator}, [&] {
        nb::gil_scoped_release release;
        okapi::record_iterations(
            evaluator, packed_rows(rows), {nodes, threads},
            {reinterpret_cast<RecordedIteration*>(iterations.data()), iterations.shape(0) * iterations.shape(1)});
    });
}

}  // namespace

void add_time_network(nb::module_& m) {
    m.def("record_iterations", &record_iterations, "evaluator"_a, "rows"_a, "iterations"_a, nb::kw_only(), "nodes"_a,
          "threads"_a, "Search each packed position; write what was known after each depth.");
    m.def(
        "iteration_layout",
        []() -> Layout {
            return {OKAPI_FIELD(RecordedIteration, features), OKAPI_FIELD(RecordedIteration, nodes),
                    OKAPI_FIELD(RecordedIteration, usual),    OKAPI_FIELD(RecordedIteration, best),
                    OKAPI_FIELD(RecordedIteration, depth),    {"", sizeof(RecordedIteration)}};
        },
        "Name, offset and size of each field of a stats, for a test.");
    nb::class_<TimeNetwork>(m, "TimeNetwork", "A network that allots time.")
        .def(nb::init<const Brain&>(), "brain"_a, "InvalidBrain where the brain does something else.")
        .def(
            "doubts",
            [](const TimeNetwork& self, const std::vector<IterationStats::Features>& seen) {
                std::vector<double> doubts;
                for (const auto& features : seen) doubts.push_back(self.doubt(features));
                return doubts;
            },
            "features"_a, "The probability that the best move changes, by the features of each iteration.");
}

}  // namespace okapi::bindings
