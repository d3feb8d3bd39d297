#include "okapi/search/limited_search.h"

#include <algorithm>
#include <utility>

#include "okapi/search/worker.h"

namespace okapi {

namespace {

Heuristics without_memory(Heuristics heuristics) {
    heuristics.table = heuristics.correction_history = heuristics.tablebases = false;
    return heuristics;
}

}  // namespace

// --- By nodes
// ---------------------------------------------------------------------------------------------------------

struct NodeLimitedSearch::Impl {
    Impl(std::unique_ptr<Evaluator> evaluator, std::uint64_t nodes, std::uint64_t remembered,
         const Heuristics& heuristics)
        : worker(shared, std::move(evaluator)) {
        // Large enough that hardly an entry pushes out another, and no larger, because it takes time to clear.
        shared.table.resize_for(std::clamp<std::uint64_t>(4 * remembered, 1 << 12, 1 << 20));
        shared.limits.nodes = nodes;
        shared.heuristics = heuristics;
        shared.workers = {&worker};
        worker.is_main = true;
    }

    Shared shared;
    Worker worker;
};

NodeLimitedSearch::NodeLimitedSearch(std::unique_ptr<Evaluator> evaluator, std::uint64_t nodes,
                                     std::uint64_t remembered, const Heuristics& heuristics)
    : impl_(std::make_unique<Impl>(std::move(evaluator), nodes, remembered, heuristics)) {}

NodeLimitedSearch::~NodeLimitedSearch() = default;

void NodeLimitedSearch::forget() {
    impl_->shared.table.clear();
    impl_->worker.forget();
}

SearchResult NodeLimitedSearch::search_while(const Position& position, const std::function<bool()>& go_on) {
    const MoveList legal = legal_moves(position);
    Shared& shared = impl_->shared;
    Worker& worker = impl_->worker;
    shared.stop.store(false, std::memory_order_relaxed);
    shared.table.next_search();
    worker.prepare(position, {legal.begin(), legal.end()});
    SearchResult found;
    worker.iterate(1, [&](int) {
        const RootMove& best = worker.root_moves().front();
        found = {best.value, best.line};
        return !shared.stop.load(std::memory_order_relaxed) && go_on();
    });
    found.nodes = worker.nodes();
    return found;
}

SearchResult NodeLimitedSearch::search(const Position& position) {
    return search_while(position, [] { return true; });
}

SearchResult NodeLimitedSearch::search_soft(const Position& position, std::uint64_t nodes) {
    return search_while(position, [&] { return impl_->worker.nodes() < nodes; });
}

SearchResult NodeLimitedSearch::search_with_partial_depth(const Position& position) {
    SearchResult found = search(position);
    if (!impl_->worker.overrules(found.line.front())) return found;
    const RootMove& best = impl_->worker.root_moves().front();
    return {best.value, best.line, found.nodes};
}

int NodeLimitedSearch::value(const Position& position) {
    impl_->worker.evaluator().reset(position);
    return impl_->worker.evaluator().value(position);
}

void NodeLimitedSearch::set_on_inner_node(std::function<void(const Position&)> listener) {
    impl_->worker.set_on_inner_node(std::move(listener));
}

// --- By depth
// ---------------------------------------------------------------------------------------------------------

struct DepthLimitedSearch::Impl {
    Impl(std::unique_ptr<Evaluator> evaluator, int plies, const Heuristics& heuristics)
        : depth(plies), worker(shared, std::move(evaluator)) {
        shared.heuristics = without_memory(heuristics);
    }

    int depth;
    Shared shared;
    Worker worker;
};

DepthLimitedSearch::DepthLimitedSearch(std::unique_ptr<Evaluator> evaluator, int depth, const Heuristics& heuristics)
    : impl_(std::make_unique<Impl>(std::move(evaluator), depth, heuristics)) {}

DepthLimitedSearch::~DepthLimitedSearch() = default;

void DepthLimitedSearch::set_evaluator(std::unique_ptr<Evaluator> evaluator) {
    impl_->worker.set_evaluator(std::move(evaluator));
}

Move DepthLimitedSearch::choose(const Position& position) {
    const MoveList legal = legal_moves(position);
    if (legal.empty()) return Move::none();
    Worker& worker = impl_->worker;
    // One ply rewards no move: there is nothing to forget.
    if (impl_->depth > 1) worker.forget();
    worker.prepare(position, {legal.begin(), legal.end()});
    worker.iterate(1, [this](int depth) { return depth < impl_->depth; });
    return worker.root_moves().front().move;
}

}  // namespace okapi
