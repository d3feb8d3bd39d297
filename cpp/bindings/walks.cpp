// Positions in bulk for learning from a teacher. okapi.core.labelling makes the arrays.
#include "okapi/selfplay/walks.h"

#include "packed.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

std::span<PackedPosition> room(const WritableRows& found) {
    return {reinterpret_cast<PackedPosition*>(found.data()), found.shape(0)};
}

void random_walks(const Rows& rows, const WritableRows& found, int plies, std::uint64_t seed, int threads) {
    nb::gil_scoped_release release;
    okapi::random_walks(packed_rows(rows), {plies, seed, threads}, room(found));
}

void evaluated_positions(const Evaluator& evaluator, const Rows& rows, const WritableRows& found, std::uint64_t nodes,
                         std::uint64_t one_in, std::uint64_t seed, int threads) {
    with_functions({&evaluator}, [&] {
        nb::gil_scoped_release release;
        okapi::evaluated_positions(evaluator, packed_rows(rows), {nodes, one_in, seed, threads}, room(found));
    });
}

}  // namespace

void add_walks(nb::module_& m) {
    m.def("random_walks", &random_walks, "rows"_a, "found"_a, nb::kw_only(), "plies"_a, "seed"_a, "threads"_a,
          "Fill an array with quiet positions on random walks from random rows.");
    m.def("evaluated_positions", &evaluated_positions, "evaluator"_a, "rows"_a, "found"_a, nb::kw_only(), "nodes"_a,
          "one_in"_a, "seed"_a, "threads"_a,
          "Fill an array with positions for which searches of random rows asked the evaluator.");
}

}  // namespace okapi::bindings
