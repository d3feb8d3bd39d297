// Searches with what was known after each depth: what a network that allots time learns from.
#pragma once

#include <cstdint>
#include <span>

#include "okapi/eval/evaluator.h"
#include "okapi/samples/packed.h"
#include "okapi/search/time_manager.h"
#include "okapi/selfplay/labelling.h"

namespace okapi {

// One finished depth; the same bytes are a row of a numpy array.
struct RecordedIteration {
    IterationStats::Features features{};
    std::uint64_t nodes = 0;  // until then
    float usual = 0;          // the patience without a network
    std::uint16_t best = 0;   // Move.bits
    std::uint16_t depth = 0;  // 0: the search was over before
};
static_assert(sizeof(RecordedIteration) == 48);

// Searches each position with so many nodes and writes a row for each depth that was finished, as far as there is
// room: `iterations` has the same number of rows for each position. Each is searched on its own, as best_moves() does.
void record_iterations(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options,
                       std::span<RecordedIteration> iterations);

}  // namespace okapi
