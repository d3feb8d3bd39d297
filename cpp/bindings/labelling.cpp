// Labels by another engine, and random moves in bulk. okapi.core.labelling makes the arrays.
#include <nanobind/stl/array.h>

#include "okapi/samples/traits.h"
#include "okapi/uci/labeller.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

using Labels = nb::ndarray<std::uint8_t, nb::shape<-1, sizeof(uci::Label)>, nb::c_contig, nb::device::cpu>;
using Lines = nb::ndarray<std::uint8_t, nb::shape<-1, -1, sizeof(uci::LabelLine)>, nb::c_contig, nb::device::cpu>;

uci::LabelRun label_positions(std::array<int, 3> streams, const Rows& rows, const std::string& go, bool chess960,
                              bool forget, std::size_t ahead, double timeout, const Labels& labels,
                              const Lines& lines) {
    nb::gil_scoped_release release;
    std::vector<PackedPosition> positions(rows.shape(0));
    for (std::size_t n = 0; n < positions.size(); ++n) positions[n] = row(rows, n);
    const uci::EngineLabelOptions options{
        go, chess960, forget, lines.shape(1), ahead, std::chrono::milliseconds(std::int64_t(timeout * 1000))};
    return uci::label_positions({streams[0], streams[1], streams[2]}, positions, options,
                                {reinterpret_cast<uci::Label*>(labels.data()), labels.shape(0)},
                                {reinterpret_cast<uci::LabelLine*>(lines.data()), lines.shape(0) * lines.shape(1)});
}

// Which positions had a move; the others are left as they are.
void play_random_moves(const WritableRows& rows, const Column<const std::uint64_t>& choices,
                       const Column<bool>& moved) {
    nb::gil_scoped_release release;
    for (std::size_t n = 0; n < rows.shape(0); ++n) {
        PackedPosition packed;
        std::memcpy(&packed, rows.data() + n * sizeof(packed), sizeof(packed));
        const std::optional<PackedPosition> after = after_random_move(packed, choices.data()[n]);
        moved.data()[n] = after.has_value();
        if (after) set_row(rows, n, *after);
    }
}

}  // namespace

void add_labelling(nb::module_& m) {
    nb::enum_<uci::EngineFailure>(m, "EngineFailure", "Why another program could not be asked any further.")
        .value("NONE", uci::EngineFailure::None)
        .value("CLOSED", uci::EngineFailure::Closed)
        .value("TIMEOUT", uci::EngineFailure::Timeout)
        .value("ILLEGAL_MOVE", uci::EngineFailure::IllegalMove);
    nb::class_<uci::LabelRun>(m, "RawLabelRun", "How far a run of labelling went. Use okapi.core.labelling.")
        .def_ro("answered", &uci::LabelRun::answered)
        .def_ro("failure", &uci::LabelRun::failure)
        .def_prop_ro("message",
                     [](const uci::LabelRun& run) { return nb::bytes(run.message.data(), run.message.size()); });
    m.def("label_positions", &label_positions, "streams"_a, "rows"_a, nb::kw_only(), "go"_a, "chess960"_a, "forget"_a,
          "ahead"_a, "timeout"_a, "labels"_a, "lines"_a,
          "Put positions to the program behind three pipes; write its answers.");
    m.def("play_random_moves", &play_random_moves, "rows"_a, "choices"_a, "moved"_a,
          "Play one legal move in each row: number choices[n], modulo their count.");
}

}  // namespace okapi::bindings
