// What the binding files share. One add_...() a topic; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "okapi/chess/move.h"
#include "okapi/chess/position.h"
#include "okapi/chess/text.h"
#include "okapi/chess/types.h"
#include "okapi/search/heuristics.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace okapi {
struct Constants;
}

namespace okapi::bindings {

// C++ exceptions as those of okapi.errors.
void add_errors(nb::module_& m);
// Color, Kind, Wing, Square, Piece, Move.
void add_types(nb::module_& m);
void add_position(nb::module_& m);
// Brain, Evaluator, and the two doors between expected score and centipawns.
void add_evaluators(nb::module_& m);
// MovePrior.
void add_priors(nb::module_& m);
// Search, and what it is made of.
void add_search(nb::module_& m);
// Trees: what a search grows.
void add_trees(nb::module_& m);
// Match: games between two searches.
void add_match(nb::module_& m);
// Games as records, and the store that keeps them.
void add_store(nb::module_& m);
// PGN in and out, import and export.
void add_pgn(nb::module_& m);
// Positions in bulk, as rows of numpy arrays.
void add_packed(nb::module_& m);
// The legal moves of packed positions.
void add_legal(nb::module_& m);
// Keys and traits of packed positions, and sets of keys.
void add_keys(nb::module_& m);
// Moves of samples as text, and .binpack.
void add_samples(nb::module_& m);
// Many positions put to another program, and positions one random move away.
void add_labelling(nb::module_& m);
// Positions as arrays for learning.
void add_encodings(nb::module_& m);
// What evaluators choose in many positions, and the factors of positions.
void add_evaluation(nb::module_& m);
// Searches in bulk for learning.
void add_tdleaf(nb::module_& m);
void add_walks(nb::module_& m);
// Whole games in bulk for learning.
void add_generation(nb::module_& m);
void add_time_network(nb::module_& m);
// Convolutional networks.
void add_networks(nb::module_& m);
// Playing weaker on purpose.
void add_handicap(nb::module_& m);
// Syzygy tables through Fathom.
void add_tablebase(nb::module_& m);

// A move that was handed in as a Move or as text, checked. Throws an error of okapi.core.move_errors.
Move checked_move(const Position& position, nb::handle move);

// All heuristics of the search but these, and with `extras`.
// Throws ValueError for a name that is unknown.
Heuristics heuristics(const std::vector<std::string>& without, const std::vector<std::string>& extras = {});
Constants constants(const std::map<std::string, int>& changes);

// Raises KeyboardInterrupt if Ctrl-C was pressed. With the GIL released.
void check_signals();

}  // namespace okapi::bindings
