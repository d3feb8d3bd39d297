#include "okapi/selfplay/labelling.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <vector>

#include "okapi/search/limited_search.h"
#include "okapi/search/limits.h"
#include "okapi/search/search.h"
#include "okapi/utils/parallel.h"

namespace okapi {

namespace {

Heuristics without_tables_of_others() {
    Heuristics heuristics;
    heuristics.tablebases = false;
    return heuristics;
}

std::shared_ptr<NodeLimitedSearch> searcher(const Evaluator& evaluator, const LabelOptions& options) {
    return std::make_shared<NodeLimitedSearch>(evaluator.clone(), options.nodes, options.nodes,
                                               without_tables_of_others());
}

// Keeps some of the positions that it is shown, each with the same chance, however often it comes.
class Reservoir {
public:
    Reservoir(std::span<PackedPosition> room, std::mt19937_64 random) : room_(room), random_(random) {}

    void show(const Position& position) {
        if (!seen_.insert(position.key()).second) return;
        const std::uint64_t place = seen_.size() <= room_.size() ? seen_.size() - 1 : random_() % seen_.size();
        if (place < room_.size()) room_[place] = pack(position);
    }
    std::size_t kept() const { return std::min(seen_.size(), room_.size()); }

private:
    std::span<PackedPosition> room_;
    std::mt19937_64 random_;
    std::unordered_set<Key> seen_;
};

}  // namespace

void best_moves(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options, std::span<Move> moves,
                std::span<std::int32_t> values) {
    parallel_for(rows.count, options.threads, [&]() -> RowTask {
        return [&, searcher = searcher(evaluator, options)](std::size_t n) {
            const Position position = unpack(rows, n);
            moves[n] = Move::none();
            values[n] = position.in_check() ? -kMate : kDraw;
            if (!has_legal_move(position)) return;
            searcher->forget();
            const SearchResult found = searcher->search_with_partial_depth(position);
            moves[n] = found.line.front();
            values[n] = found.value;
        };
    });
}

void inner_nodes(const Evaluator& evaluator, const PackedRows& rows, const LabelOptions& options, const Draw& draw,
                 std::span<PackedPosition> nodes, std::span<std::uint32_t> counts) {
    parallel_for(rows.count, options.threads, [&]() -> RowTask {
        return [&, searcher = searcher(evaluator, options)](std::size_t n) {
            const Position position = unpack(rows, n);
            counts[n] = 0;
            if (!has_legal_move(position)) return;
            Reservoir reservoir(nodes.subspan(n * draw.each, draw.each), row_rng(draw.seed, n));
            searcher->set_on_inner_node([&](const Position& inner) { reservoir.show(inner); });
            searcher->forget();
            searcher->search(position);
            counts[n] = std::uint32_t(reservoir.kept());
        };
    });
}

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
