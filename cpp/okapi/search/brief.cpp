#include "okapi/search/brief.h"

#include <algorithm>
#include <utility>

#include "okapi/search/worker.h"

namespace okapi {

struct BriefSearch::Impl {
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

BriefSearch::BriefSearch(std::unique_ptr<Evaluator> evaluator, std::uint64_t nodes, std::uint64_t remembered,
                         const Heuristics& heuristics)
    : impl_(std::make_unique<Impl>(std::move(evaluator), nodes, remembered, heuristics)) {}

BriefSearch::~BriefSearch() = default;

void BriefSearch::forget() {
    impl_->shared.table.clear();
    impl_->worker.forget();
}

Found BriefSearch::search_while(const Position& position, const std::function<bool()>& go_on) {
    const MoveList legal = legal_moves(position);
    Shared& shared = impl_->shared;
    Worker& worker = impl_->worker;
    shared.stop.store(false, std::memory_order_relaxed);
    shared.table.next_search();
    worker.prepare(position, {legal.begin(), legal.end()});
    Found found;
    worker.iterate(1, [&](int) {
        const RootMove& best = worker.root_moves().front();
        found = {best.value, best.line};
        return !shared.stop.load(std::memory_order_relaxed) && go_on();
    });
    found.nodes = worker.nodes();
    return found;
}

Found BriefSearch::search(const Position& position) {
    return search_while(position, [] { return true; });
}

Found BriefSearch::search_softly(const Position& position, std::uint64_t nodes) {
    return search_while(position, [&] { return impl_->worker.nodes() < nodes; });
}

Found BriefSearch::search_to_the_last(const Position& position) {
    Found found = search(position);
    if (!impl_->worker.overrules(found.line.front())) return found;
    const RootMove& best = impl_->worker.root_moves().front();
    return {best.value, best.line, found.nodes};
}

int BriefSearch::value(const Position& position) {
    impl_->worker.evaluator().reset(position);
    return impl_->worker.evaluator().value(position);
}

void BriefSearch::set_on_inner_node(std::function<void(const Position&)> listener) {
    impl_->worker.set_on_inner_node(std::move(listener));
}

}  // namespace okapi
