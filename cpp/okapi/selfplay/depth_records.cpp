#include "okapi/selfplay/depth_records.h"

#include <memory>

#include "okapi/search/search.h"
#include "okapi/utils/parallel.h"

namespace okapi {

void record_moments(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options,
                    std::span<RecordedMoment> moments) {
    const std::size_t room = rows.count > 0 ? moments.size() / rows.count : 0;
    Limits limits;
    limits.nodes = options.nodes;
    share_singly(rows.count, options.threads, [&]() -> Hand {
        return [&, thinker = std::make_shared<Thinker>(evaluator.clone())](std::size_t n) {
            const Position position = unpack(rows, n);
            std::size_t written = 0;
            Listener listener;
            listener.on_moment = [&](const Moment& moment) {
                if (written == room) return;
                moments[n * room + written++] = {moment.features(), moment.nodes, float(usual_patience(moment)),
                                                 moment.best.bits, std::uint16_t(moment.depth)};
            };
            thinker->new_game();
            thinker->think(position, limits, listener);
        };
    });
}

}  // namespace okapi
