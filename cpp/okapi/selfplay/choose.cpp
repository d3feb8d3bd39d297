#include "okapi/selfplay/choose.h"

#include <vector>

#include "okapi/search/limited_search.h"
#include "okapi/utils/parallel.h"

namespace okapi {

void choose_moves(std::span<const Evaluator* const> evaluators, const PackedRows& rows, const ChoiceOptions& options,
                  std::span<Move> chosen) {
    std::vector<Position> positions;
    positions.reserve(rows.count);
    for (std::size_t n = 0; n < rows.count; ++n) positions.push_back(unpack(rows, n));

    parallel_ranges(evaluators.size() * positions.size(), options.threads, [&](std::size_t begin, std::size_t end) {
        if (begin == end) return;
        std::size_t judge = begin / positions.size();
        DepthLimitedSearch chooser(evaluators[judge]->clone(), options.depth, options.heuristics);
        for (std::size_t n = begin; n < end; ++n) {
            if (n / positions.size() != judge) chooser.set_evaluator(evaluators[++judge]->clone());
            chosen[n] = chooser.choose(positions[n % positions.size()]);
        }
    });
}

}  // namespace okapi
