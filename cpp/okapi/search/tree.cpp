#include "okapi/search/tree.h"

#include <algorithm>
#include <utility>

#include "okapi/search/worker.h"

namespace okapi {

void SearchTree::begin(Budget budget) {
    nodes_.assign(1, {-1, Move::none(), 0, budget, 0});
    path_.assign(1, 0);
    known_.clear();
}

void SearchTree::enter(Move move, Budget left) {
    const int parent = path_.back();
    const int fresh = int(nodes_.size());
    if (parent == kUnwritten) return path_.push_back(kUnwritten);
    const auto [found, is_new] = known_.try_emplace(std::uint64_t(parent) << 16 | move.bits, fresh);
    if (is_new && nodes_.size() >= most_) {
        known_.erase(found);
        return path_.push_back(kUnwritten);
    }
    nodes_[std::size_t(parent)].inner = true;
    if (is_new) nodes_.push_back({parent, move, ply() + 1, left, 0});
    Node& node = nodes_[std::size_t(found->second)];
    node.left = std::max(node.left, left);
    path_.push_back(found->second);
}

void SearchTree::leave(int value) {
    if (path_.back() != kUnwritten) nodes_[std::size_t(path_.back())].value = value;
    path_.pop_back();
}

SearchTree trace_tree(TreeOptions options, const Position& position, std::uint64_t nodes, std::size_t most) {
    constexpr std::size_t kTableMb = 4;
    Shared shared;
    shared.table.resize(kTableMb);
    shared.rule = options.rule;
    shared.heuristics = options.heuristics;
    shared.limits.nodes = nodes;
    shared.clock.start(shared.limits, position.turn());

    Worker worker(shared, std::move(options.evaluator), std::move(options.prior));
    shared.workers.push_back(&worker);
    worker.is_main = true;
    SearchTree growing(most), grown(most);
    grown.begin(0);
    worker.draw(&growing);
    const MoveList legal = legal_moves(position);
    if (legal.empty()) return grown;
    worker.prepare(position, {legal.begin(), legal.end()});
    worker.iterate(1, [&](int) {
        grown = growing;
        grown.finish(worker.root_moves().front().value);
        return !shared.stop.load();
    });
    return grown;
}

}  // namespace okapi
