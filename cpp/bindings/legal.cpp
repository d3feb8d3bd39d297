// The legal moves of many positions at once. okapi.core.legal makes the arrays.
#include <algorithm>

#include "okapi/utils/parallel.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

// As many as a MoveList can hold.
constexpr std::size_t kMost = 256;

using Counts = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Lists = nb::ndarray<std::uint16_t, nb::shape<-1, kMost>, nb::c_contig, nb::device::cpu>;

void legal_move_lists(const Rows& rows, const Counts& counts, const Lists& lists, int threads) {
    const std::size_t count = rows.shape(0);
    if (counts.shape(0) != count || lists.shape(0) != count)
        throw nb::value_error("the arrays to write to have another shape");
    nb::gil_scoped_release release;
    parallel_ranges(count, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const MoveList moves = legal_moves(unpack(packed_rows(rows), n));
            counts.data()[n] = moves.size();
            std::ranges::transform(moves, lists.data() + n * kMost, &Move::bits);
        }
    });
}

}  // namespace

void add_legal(nb::module_& m) {
    m.attr("MOST_LEGAL_MOVES") = kMost;
    m.def("legal_move_lists", &legal_move_lists, "rows"_a, "counts"_a, "lists"_a, "threads"_a,
          "Write how many legal moves each packed position has, and the Move.bits of each.");
}

}  // namespace okapi::bindings
