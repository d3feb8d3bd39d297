// Positions in bulk for a network that learns from a teacher: near those of games, or those that searches evaluate.
#pragma once

#include <cstdint>
#include <span>

#include "okapi/eval/evaluator.h"
#include "okapi/samples/packed.h"

namespace okapi {

struct WalkOptions {
    int plies = 7;           // of a walk, at most
    std::uint64_t seed = 1;  // all that chance depends on
    int threads = 1;
};

// Fills `found` with quiet positions on and beside random walks: from a random row one random legal move after the
// other, and of each position some children. Quiet: nobody is in check, and no capture or promotion wins material. The
// rows are not checked and have legal moves.
void random_walks(const PackedRows& rows, const WalkOptions& options, std::span<PackedPosition> found);

struct VisitOptions {
    std::uint64_t nodes = 1000;  // of a search
    std::uint64_t one_in = 2;    // so many evaluations one is kept
    std::uint64_t seed = 1;
    int threads = 1;
};

// Fills `found` with positions that the evaluator was asked for in searches of random rows, likewise.
void evaluated_positions(const Evaluator& evaluator, const PackedRows& rows, const VisitOptions& options,
                         std::span<PackedPosition> found);

}  // namespace okapi
