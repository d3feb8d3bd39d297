// Opinions about moves.
#include <nanobind/stl/unique_ptr.h>

#include "bindings.h"
#include "okapi/eval/prior.h"

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

}  // namespace

void add_priors(nb::module_& m) {
    nb::class_<MovePrior>(m, "MovePrior",
                          "An opinion about moves before any is tried. Not for several threads at once.")
        .def_static("from_brain", &make_prior, "brain"_a, "InvalidBrain if this brain has none.")
        .def("probabilities", &probabilities, "position"_a, "How likely each legal move is to be the best.");
}

}  // namespace okapi::bindings
