#include "okapi/selfplay/tdleaf.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "okapi/chess/ending.h"
#include "okapi/search/limited_search.h"
#include "okapi/search/limits.h"
#include "okapi/utils/parallel.h"

namespace okapi {

namespace {

// The value of a line must be the evaluator's value of its leaf, without adjustments.
Heuristics with_plain_values(Heuristics heuristics) {
    heuristics.correction_history = heuristics.fading = heuristics.known_endings = heuristics.tablebases = false;
    heuristics.stand_by_table = false;
    // Without null windows the table would cut lines short.
    heuristics.table = heuristics.table && heuristics.pvs;
    return heuristics;
}

void wander(Position& position, int moves, std::mt19937_64 random) {
    for (int i = 0; i < moves; ++i) {
        const MoveList legal = legal_moves(position);
        if (legal.empty()) return;
        position.play(legal[int(random() % std::uint64_t(legal.size()))]);
    }
}

// Does search call it a draw, `plies` behind the root?
bool is_drawn(const Position& leaf, int plies) {
    return leaf.repeats_within(plies - 1) || leaf.is_insufficient_material() || leaf.is_fifty_moves() ||
           (!leaf.in_check() && !has_legal_move(leaf));
}

TdLeafPly over(const Position& position, Ending by_rule) {
    const int value = by_rule == Ending::Checkmate ? -kMate : kDraw;
    return {pack(position), pack(position), value, value, LeafKind::Fixed};
}

TdLeafPly study(NodeLimitedSearch& searcher, const Position& root, const SearchResult& found) {
    Position leaf = root;
    for (Move move : found.line) leaf.play(move);
    TdLeafPly ply{pack(root), pack(leaf), found.value};
    ply.turned = leaf.turn() != root.turn();
    const bool fixed = is_mate(found.value) || (found.value == kDraw && is_drawn(leaf, int(found.line.size())));
    ply.kind = fixed ? LeafKind::Fixed : LeafKind::Learns;
    ply.leaf_value = !fixed ? searcher.value(leaf) : ply.turned ? -found.value : found.value;
    return ply;
}

void play_game(NodeLimitedSearch& searcher, Position position, std::span<TdLeafPly> plies) {
    searcher.forget();
    std::ranges::fill(plies, TdLeafPly{});
    for (TdLeafPly& ply : plies) {
        if (const auto by_rule = ending(position)) {
            ply = over(position, *by_rule);
            return;
        }
        const SearchResult found = searcher.search(position);
        ply = study(searcher, position, found);
        position.play(found.line.front());
    }
}

}  // namespace

void play_tdleaf_games(const Evaluator& evaluator, const PackedRows& starts, const TdLeafOptions& options,
                       std::span<TdLeafPly> plies) {
    std::vector<Position> positions;
    positions.reserve(starts.count);
    for (std::size_t n = 0; n < starts.count; ++n) {
        positions.push_back(unpack(starts, n));
        wander(positions.back(), options.random_moves, row_rng(options.seed, n));
    }
    const auto length = std::size_t(options.plies);
    parallel_for(positions.size(), options.threads, [&]() -> RowTask {
        const auto searcher = std::make_shared<NodeLimitedSearch>(
            evaluator.clone(), options.nodes, options.nodes * length, with_plain_values(options.heuristics));
        return [&, searcher](std::size_t n) { play_game(*searcher, positions[n], plies.subspan(n * length, length)); };
    });
}

}  // namespace okapi
