// Searches with what was known after each depth. okapi.core.moments makes the arrays.
#include <nanobind/stl/array.h>

#include "asker.h"
#include "okapi/eval/brain.h"
#include "okapi/selfplay/depth_records.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

using Moments = nb::ndarray<std::uint8_t, nb::shape<-1, -1, sizeof(RecordedMoment)>, nb::c_contig, nb::device::cpu>;

void record_moments(const Evaluator& evaluator, const Rows& rows, const Moments& moments, std::uint64_t nodes,
                    int threads) {
    if (moments.shape(0) != rows.shape(0)) throw nb::value_error("the array to write to has another shape");
    with_askers({&evaluator}, [&] {
        nb::gil_scoped_release release;
        okapi::record_moments(evaluator, packed_rows(rows), {nodes, threads},
                              {reinterpret_cast<RecordedMoment*>(moments.data()), moments.shape(0) * moments.shape(1)});
    });
}

}  // namespace

void add_moments(nb::module_& m) {
    m.def("record_moments", &record_moments, "evaluator"_a, "rows"_a, "moments"_a, nb::kw_only(), "nodes"_a,
          "threads"_a, "Search each packed position; write what was known after each depth.");
    m.def(
        "moment_layout",
        []() -> Layout {
            return {OKAPI_FIELD(RecordedMoment, features), OKAPI_FIELD(RecordedMoment, nodes),
                    OKAPI_FIELD(RecordedMoment, usual),    OKAPI_FIELD(RecordedMoment, best),
                    OKAPI_FIELD(RecordedMoment, depth),    {"", sizeof(RecordedMoment)}};
        },
        "Name, offset and size of each field of a moment, for a test.");
    nb::class_<Patience>(m, "Patience", "A network that allots time.")
        .def(nb::init<const Brain&>(), "brain"_a, "InvalidBrain where the brain does something else.")
        .def(
            "doubts",
            [](const Patience& self, const std::vector<Moment::Features>& seen) {
                std::vector<double> doubts;
                for (const auto& features : seen) doubts.push_back(self.doubt(features));
                return doubts;
            },
            "features"_a, "How likely the best move is to change, by what is seen of each moment.");
}

}  // namespace okapi::bindings
