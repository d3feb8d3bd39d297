// Syzygy endgame tables through Fathom, where the build found it.
#include "okapi/search/tablebase.h"

#include <nanobind/stl/tuple.h>

#include "bindings.h"

namespace okapi::bindings {

namespace {

std::vector<std::tuple<Move, int, int>> probe_root(const Position& position) {
    std::vector<std::tuple<Move, int, int>> moves;
    for (const tablebase::RankedMove& root : tablebase::probe_root(position))
        moves.emplace_back(root.move, int(root.verdict), root.distance);
    return moves;
}

}  // namespace

void add_tablebase(nb::module_& m) {
    m.def("tablebase_available", &tablebase::available, "Was the core built with the Fathom library?");
    m.def("tablebase_load", &tablebase::load, "path"_a,
          "Read the tables below `path`; the number of pieces they cover. Not while a search runs.");
    m.def("tablebase_root", &probe_root, "position"_a,
          "Each legal move with its verdict (-2 lost to 2 won) and distance; empty where the tables do not reach.");
}

}  // namespace okapi::bindings
