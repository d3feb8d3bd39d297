#include "okapi/selfplay/iterations.h"

#include <memory>

#include "okapi/search/search.h"
#include "okapi/utils/parallel.h"

namespace okapi {

void record_iterations(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options,
                       std::span<RecordedIteration> iterations) {
    const std::size_t room = rows.count > 0 ? iterations.size() / rows.count : 0;
    Limits limits;
    limits.nodes = options.nodes;
    parallel_for(rows.count, options.threads, [&]() -> RowTask {
        return [&, search = std::make_shared<Search>(evaluator.clone())](std::size_t n) {
            const Position position = unpack(rows, n);
            std::size_t written = 0;
            Listener listener;
            listener.on_iteration = [&](const IterationStats& stats) {
                if (written == room) return;
                iterations[n * room + written++] = {stats.features(), stats.nodes, float(default_time_factor(stats)),
                                                    stats.best.bits, std::uint16_t(stats.depth)};
            };
            search->new_game();
            search->run(position, limits, listener);
        };
    });
}

}  // namespace okapi
