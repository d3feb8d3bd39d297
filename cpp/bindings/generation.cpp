// Whole games in bulk for learning. okapi.core.generation has the numpy side.
#include "okapi/selfplay/generation.h"

#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

nb::bytes play_generation(const Evaluator& evaluator, std::uint32_t first, std::size_t games, std::uint64_t nodes,
                          int random_plies, int balanced, const Adjudication& adjudication, std::uint64_t seed,
                          int threads) {
    std::vector<Sample> samples;
    with_functions({&evaluator}, [&] {
        nb::gil_scoped_release release;
        samples = okapi::play_generation(evaluator,
                                         {first, games, nodes, random_plies, balanced, adjudication, seed, threads});
    });
    return nb::bytes(samples.data(), samples.size() * sizeof(Sample));
}

}  // namespace

void add_generation(nb::module_& m) {
    m.def("play_generation", &play_generation, "evaluator"_a, nb::kw_only(), "first"_a, "games"_a, "nodes"_a,
          "random_plies"_a, "balanced"_a, "adjudication"_a, "seed"_a, "threads"_a,
          "Play games of an evaluator against itself: samples as bytes, game after game.");
}

}  // namespace okapi::bindings
