// Searches in bulk for learning. okapi.core.tdleaf makes the arrays.
#include "okapi/selfplay/tdleaf.h"

#include "okapi/selfplay/labelling.h"
#include "packed.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

using Plies = nb::ndarray<std::uint8_t, nb::shape<-1, -1, sizeof(TdLeafPly)>, nb::c_contig, nb::device::cpu>;

void play_tdleaf_games(const Evaluator& evaluator, const Rows& starts, const Plies& plies, std::uint64_t nodes,
                       std::uint64_t seed, int random_moves, const std::vector<std::string>& without, int threads) {
    if (plies.shape(0) != starts.shape(0)) throw nb::value_error("the array to write to has another shape");
    const TdLeafOptions options{int(plies.shape(1)), nodes, seed, random_moves, heuristics(without), threads};
    with_functions({&evaluator}, [&] {
        nb::gil_scoped_release release;
        okapi::play_tdleaf_games(evaluator, packed_rows(starts), options,
                                 {reinterpret_cast<TdLeafPly*>(plies.data()), plies.shape(0) * plies.shape(1)});
    });
}

using Moves = nb::ndarray<std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using NodeCounts = nb::ndarray<std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<std::uint8_t, nb::shape<-1, -1, sizeof(PackedPosition)>, nb::c_contig, nb::device::cpu>;

void best_moves(const Evaluator& evaluator, const Rows& rows, const Moves& moves, const Values& values,
                std::uint64_t nodes, int threads) {
    if (moves.size() != rows.shape(0) || values.size() != rows.shape(0))
        throw nb::value_error("the array to write to has another shape");
    static_assert(sizeof(Move) == sizeof(std::uint16_t));
    with_functions({&evaluator}, [&] {
        nb::gil_scoped_release release;
        okapi::best_moves(evaluator, packed_rows(rows), {nodes, threads},
                          {reinterpret_cast<Move*>(moves.data()), moves.size()}, {values.data(), values.size()});
    });
}

void inner_nodes(const Evaluator& evaluator, const Rows& rows, const Nodes& drawn, const NodeCounts& counts,
                 std::uint64_t nodes, std::uint64_t seed, int threads) {
    if (drawn.shape(0) != rows.shape(0) || counts.size() != rows.shape(0))
        throw nb::value_error("the array to write to has another shape");
    with_functions({&evaluator}, [&] {
        nb::gil_scoped_release release;
        okapi::inner_nodes(evaluator, packed_rows(rows), {nodes, threads}, {drawn.shape(1), seed},
                           {reinterpret_cast<PackedPosition*>(drawn.data()), drawn.shape(0) * drawn.shape(1)},
                           {counts.data(), counts.size()});
    });
}

}  // namespace

void add_tdleaf(nb::module_& m) {
    m.def("play_tdleaf_games", &play_tdleaf_games, "evaluator"_a, "starts"_a, "plies"_a, nb::kw_only(), "nodes"_a,
          "seed"_a, "random_moves"_a, "without"_a, "threads"_a,
          "Play a game from each start; write what each search found and the end of its line.");
    m.def("best_moves", &best_moves, "evaluator"_a, "rows"_a, "moves"_a, "values"_a, nb::kw_only(), "nodes"_a,
          "threads"_a, "Write Move.bits of what a search finds best in each packed position, and its value.");
    m.def("inner_nodes", &inner_nodes, "evaluator"_a, "rows"_a, "drawn"_a, "counts"_a, nb::kw_only(), "nodes"_a,
          "seed"_a, "threads"_a,
          "Write positions drawn among those that a search of each packed position looked into, and how many.");
    m.def(
        "ply_layout",
        []() -> Layout {
            return {
                OKAPI_FIELD(TdLeafPly, position),   OKAPI_FIELD(TdLeafPly, leaf),       OKAPI_FIELD(TdLeafPly, value),
                OKAPI_FIELD(TdLeafPly, leaf_value), OKAPI_FIELD(TdLeafPly, kind),       OKAPI_FIELD(TdLeafPly, turned),
                OKAPI_FIELD(TdLeafPly, unused),     OKAPI_FIELD(TdLeafPly, unused_too), {"", sizeof(TdLeafPly)}};
        },
        "The fields of a ply that was studied, with their offsets; last, its size.");
}

}  // namespace okapi::bindings
