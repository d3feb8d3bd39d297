// Searches in bulk for learning. okapi.core.tdleaf makes the arrays.
#include "okapi/games/tdleaf.h"

#include "asker.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

using Plies = nb::ndarray<std::uint8_t, nb::shape<-1, -1, sizeof(StudiedPly)>, nb::c_contig, nb::device::cpu>;

void study_games(const Evaluator& evaluator, const Rows& starts, const Plies& plies, std::uint64_t nodes,
                 std::uint64_t seed, int random_moves, const std::vector<std::string>& without, int threads) {
    if (plies.shape(0) != starts.shape(0)) throw nb::value_error("the array to write to has another shape");
    const StudyOptions options{int(plies.shape(1)), nodes, seed, random_moves, heuristics(without), threads};
    with_askers({&evaluator}, [&] {
        nb::gil_scoped_release release;
        okapi::study_games(evaluator, packed_rows(starts), options,
                           {reinterpret_cast<StudiedPly*>(plies.data()), plies.shape(0) * plies.shape(1)});
    });
}

}  // namespace

void add_tdleaf(nb::module_& m) {
    m.def("study_games", &study_games, "evaluator"_a, "starts"_a, "plies"_a, nb::kw_only(), "nodes"_a, "seed"_a,
          "random_moves"_a, "without"_a, "threads"_a,
          "Play a game from each start; write what each search found and the end of its line.");
    m.def(
        "ply_layout",
        []() -> Layout {
            return {OKAPI_FIELD(StudiedPly, position), OKAPI_FIELD(StudiedPly, leaf),
                    OKAPI_FIELD(StudiedPly, value),    OKAPI_FIELD(StudiedPly, leaf_value),
                    OKAPI_FIELD(StudiedPly, kind),     OKAPI_FIELD(StudiedPly, turned),
                    OKAPI_FIELD(StudiedPly, unused),   OKAPI_FIELD(StudiedPly, unused_too),
                    {"", sizeof(StudiedPly)}};
        },
        "The fields of a ply that was studied, with their offsets; last, its size.");
}

}  // namespace okapi::bindings
