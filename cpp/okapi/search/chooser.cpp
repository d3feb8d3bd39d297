#include "okapi/search/chooser.h"

#include <utility>

#include "okapi/search/worker.h"

namespace okapi {

namespace {

Heuristics without_memory(Heuristics heuristics) {
    heuristics.table = heuristics.correction_history = heuristics.tablebases = false;
    return heuristics;
}

}  // namespace

struct Chooser::Impl {
    Impl(std::unique_ptr<Evaluator> evaluator, int plies, const Heuristics& heuristics)
        : depth(plies), worker(shared, std::move(evaluator)) {
        shared.heuristics = without_memory(heuristics);
    }

    int depth;
    Shared shared;
    Worker worker;
};

Chooser::Chooser(std::unique_ptr<Evaluator> evaluator, int depth, const Heuristics& heuristics)
    : impl_(std::make_unique<Impl>(std::move(evaluator), depth, heuristics)) {}

Chooser::~Chooser() = default;

void Chooser::set_evaluator(std::unique_ptr<Evaluator> evaluator) { impl_->worker.set_evaluator(std::move(evaluator)); }

Move Chooser::choose(const Position& position) {
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
