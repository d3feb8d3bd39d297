// Short games of an evaluator against itself, with the end of each search's principal variation: what TD-Leaf learns
// from, as in lai2015, section 4.3.
#pragma once

#include <cstdint>
#include <span>

#include "okapi/eval/evaluator.h"
#include "okapi/samples/packed.h"
#include "okapi/search/heuristics.h"

namespace okapi {

// How TD-Leaf uses a search's value.
enum class LeafKind : std::uint8_t {
    None,    // there was no search: the game was over
    Learns,  // the value is the evaluator's value of the leaf
    Fixed,   // a mate, or a draw by the rules: there is nothing to be learned about it, but much from it
};

// One ply of a game; the same bytes are a row of a numpy array.
struct TdLeafPly {
    PackedPosition position{};    // the root
    PackedPosition leaf{};        // the end of the principal variation
    std::int32_t value = 0;       // centipawns for the root's side to move, as search has them
    std::int32_t leaf_value = 0;  // for the leaf's: the evaluator's value, or the fixed one
    LeafKind kind = LeafKind::None;
    std::uint8_t turned = 0;  // is the leaf's side to move the other one?
    std::uint16_t unused = 0;
    std::uint32_t unused_too = 0;
};
static_assert(sizeof(TdLeafPly) == 80);

struct TdLeafOptions {
    int plies = 12;
    std::uint64_t nodes = 256;  // of each search
    std::uint64_t seed = 0;
    int random_moves = 1;     // before the first ply
    Heuristics heuristics{};  // what stands between the evaluator and a value is left out in any case
    int threads = 1;
};

// Plays a game from each start and writes `plies` rows for it. A game begins with nothing remembered, and depends on
// its start, its number and the options alone; never on the threads. One that ends leaves a Fixed row for the position
// in which it is over, and None behind it. Throws InvalidPosition with the number of a start that is none.
void play_tdleaf_games(const Evaluator& evaluator, const PackedRows& starts, const TdLeafOptions& options,
                       std::span<TdLeafPly> plies);

}  // namespace okapi
