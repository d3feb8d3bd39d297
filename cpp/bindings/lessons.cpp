// Lessons with another program, and random moves in bulk. okapi.core.lessons makes the arrays.
#include <nanobind/stl/array.h>

#include "okapi/samples/random_move.h"
#include "okapi/uci/labeller.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

using Labels = nb::ndarray<std::uint8_t, nb::shape<-1, sizeof(uci::Label)>, nb::c_contig, nb::device::cpu>;
using Lines = nb::ndarray<std::uint8_t, nb::shape<-1, -1, sizeof(uci::LabelLine)>, nb::c_contig, nb::device::cpu>;

template <class T> using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

uci::Lesson hold_lesson(std::array<int, 3> streams, const Rows& rows, const std::string& go, bool chess960, bool forget,
                        std::size_t ahead, double patience, const Labels& labels, const Lines& lines) {
    nb::gil_scoped_release release;
    std::vector<PackedPosition> positions(rows.shape(0));
    for (std::size_t n = 0; n < positions.size(); ++n) positions[n] = row(rows, n);
    const uci::LessonPlan plan{
        go, chess960, forget, lines.shape(1), ahead, std::chrono::milliseconds(std::int64_t(patience * 1000))};
    return uci::hold_lesson({streams[0], streams[1], streams[2]}, positions, plan,
                            {reinterpret_cast<uci::Label*>(labels.data()), labels.shape(0)},
                            {reinterpret_cast<uci::LabelLine*>(lines.data()), lines.shape(0) * lines.shape(1)});
}

// Which positions had a move; the others are left as they are.
void play_random_moves(const WritableRows& rows, const Array<const std::uint64_t>& dice, const Array<bool>& moved) {
    nb::gil_scoped_release release;
    for (std::size_t n = 0; n < rows.shape(0); ++n) {
        PackedPosition packed;
        std::memcpy(&packed, rows.data() + n * sizeof(packed), sizeof(packed));
        const std::optional<PackedPosition> after = after_random_move(packed, dice.data()[n]);
        moved.data()[n] = after.has_value();
        if (after) set_row(rows, n, *after);
    }
}

}  // namespace

void add_lessons(nb::module_& m) {
    nb::enum_<uci::Trouble>(m, "Trouble", "Why another program could not be asked any further.")
        .value("NONE", uci::Trouble::None)
        .value("ENDED", uci::Trouble::Ended)
        .value("SILENT", uci::Trouble::Silent)
        .value("CHEATED", uci::Trouble::Cheated);
    nb::class_<uci::Lesson>(m, "RawLesson", "How far a lesson went. Use okapi.core.lessons.")
        .def_ro("answered", &uci::Lesson::answered)
        .def_ro("trouble", &uci::Lesson::trouble)
        .def_prop_ro("words",
                     [](const uci::Lesson& lesson) { return nb::bytes(lesson.words.data(), lesson.words.size()); });
    m.def("hold_lesson", &hold_lesson, "streams"_a, "rows"_a, nb::kw_only(), "go"_a, "chess960"_a, "forget"_a,
          "ahead"_a, "patience"_a, "labels"_a, "lines"_a,
          "Put positions to the program behind three pipes; write its answers.");
    m.def("play_random_moves", &play_random_moves, "rows"_a, "dice"_a, "moved"_a,
          "Play the move that the dice choose in each row, where there is one.");
}

}  // namespace okapi::bindings
