// Opinions about moves. okapi.core.priors makes the arrays.
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>

#include "bindings.h"
#include "okapi/eval/giraffe/move_features.h"
#include "okapi/eval/prior.h"
#include "okapi/uci/predicted_moves.h"
#include "okapi/utils/parallel.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

std::vector<std::pair<Move, float>> probabilities(MovePrior& prior, const Position& position) {
    const MoveList moves = legal_moves(position);
    std::vector<float> said(std::size_t(moves.size()));
    if (!moves.empty()) prior.probabilities(position, {moves.begin(), moves.end()}, said);
    std::vector<std::pair<Move, float>> pairs;
    for (int i = 0; i < moves.size(); ++i) pairs.emplace_back(moves[i], said[std::size_t(i)]);
    return pairs;
}

using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bits = nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shares = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check(const Rows& rows, const Starts& starts, const Bits& bits, std::size_t written) {
    const std::size_t count = rows.shape(0);
    if (starts.shape(0) != count + 1 || bits.shape(0) != written || starts.data()[0] != 0 ||
        std::size_t(starts.data()[count]) != written || !std::is_sorted(starts.data(), starts.data() + starts.shape(0)))
        throw nb::value_error("the arrays have another shape");
}

std::vector<Move> moves_of(const Starts& starts, const Bits& bits, std::size_t row) {
    std::vector<Move> moves;
    for (auto i = starts.data()[row]; i < starts.data()[row + 1]; ++i) moves.emplace_back(bits.data()[i]);
    return moves;
}

void move_priors(const Brain& brain, const Rows& rows, const Starts& starts, const Bits& bits, const Shares& out,
                 int threads) {
    check(rows, starts, bits, out.shape(0));
    nb::gil_scoped_release release;
    const std::unique_ptr<MovePrior> prior = uci::make_prior(brain);
    parallel_ranges(rows.shape(0), threads, [&](std::size_t begin, std::size_t end) {
        const std::unique_ptr<MovePrior> own = prior->clone();
        for (std::size_t n = begin; n < end; ++n) {
            const std::vector<Move> moves = moves_of(starts, bits, n);
            if (!moves.empty())
                own->probabilities(unpack(packed_rows(rows), n), moves, {out.data() + starts.data()[n], moves.size()});
        }
    });
}

using Columns = nb::ndarray<std::uint16_t, nb::shape<-1, MoveQuestions::kQuestions>, nb::c_contig, nb::device::cpu>;

void move_columns(const Rows& rows, const Starts& starts, const Bits& bits, const Columns& out, int threads) {
    check(rows, starts, bits, out.shape(0));
    nb::gil_scoped_release release;
    parallel_ranges(rows.shape(0), threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const Position position = unpack(packed_rows(rows), n);
            const MoveQuestions questions(position);
            std::uint16_t* at = out.data() + std::size_t(starts.data()[n]) * MoveQuestions::kQuestions;
            for (const Move move : moves_of(starts, bits, n))
                for (const std::uint32_t column : questions.answers(move)) *at++ = std::uint16_t(column);
        }
    });
}

}  // namespace

void add_priors(nb::module_& m) {
    nb::class_<MovePrior>(m, "MovePrior",
                          "An opinion about moves before any is tried. Not for several threads at once.")
        .def_static("from_brain", &uci::make_prior, "brain"_a, "InvalidBrain if this brain has none.")
        .def("probabilities", &probabilities, "position"_a, "How likely each legal move is to be the best.");
    m.def("move_priors", &move_priors, "brain"_a, "rows"_a, "starts"_a, "bits"_a, "out"_a, "threads"_a,
          "Write how likely the legal moves of packed positions are to be the best ones.");
    m.attr("MOVE_QUESTIONS") = MoveQuestions::kQuestions;
    m.def("move_columns", &move_columns, "rows"_a, "starts"_a, "moves"_a, "out"_a, "threads"_a,
          "Write the features of the legal moves of packed positions, as columns of a move network's first layer.");
}

}  // namespace okapi::bindings
