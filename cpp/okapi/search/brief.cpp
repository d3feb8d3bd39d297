#include "okapi/search/brief.h"

#include <utility>

#include "okapi/search/worker.h"

namespace okapi {

struct BriefSearch::Impl {
    Impl(std::unique_ptr<Evaluator> evaluator, std::uint64_t nodes, const Heuristics& heuristics)
        : worker(shared, std::move(evaluator)) {
        shared.table.resize(1);
        shared.limits.nodes = nodes;
        shared.heuristics = heuristics;
        shared.workers = {&worker};
        worker.is_main = true;
    }

    Shared shared;
    Worker worker;
};

BriefSearch::BriefSearch(std::unique_ptr<Evaluator> evaluator, std::uint64_t nodes, const Heuristics& heuristics)
    : impl_(std::make_unique<Impl>(std::move(evaluator), nodes, heuristics)) {}

BriefSearch::~BriefSearch() = default;

void BriefSearch::forget() {
    impl_->shared.table.clear();
    impl_->worker.forget();
}

Found BriefSearch::search(const Position& position) {
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
        return !shared.stop.load(std::memory_order_relaxed);
    });
    return found;
}

int BriefSearch::value(const Position& position) {
    impl_->worker.evaluator().reset(position);
    return impl_->worker.evaluator().value(position);
}

}  // namespace okapi
