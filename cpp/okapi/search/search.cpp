#include "okapi/search/search.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "okapi/search/tablebase.h"
#include "okapi/search/worker.h"

namespace okapi {

namespace {

// Root moves to search, and the value by the endgame tables if they limited the moves.
struct Candidates {
    std::vector<Move> moves;
    std::optional<int> promised;
};

// The moves that keep the tables' result; a win must also come nearer.
Candidates by_tablebase(const std::vector<tablebase::RankedMove>& ranked, bool fifty_moves) {
    Candidates candidates;
    const tablebase::RankedMove& best = ranked.front();
    for (const tablebase::RankedMove& root : ranked) {
        const bool as_fast = root.verdict != tablebase::Wdl::Win || root.distance <= best.distance;
        if (root.verdict == best.verdict && as_fast) candidates.moves.push_back(root.move);
    }
    const int verdict = int(best.verdict);
    const bool decided = fifty_moves ? std::abs(verdict) == 2 : verdict != 0;
    candidates.promised = !decided ? kDraw : verdict > 0 ? kTablebaseWin : -kTablebaseWin;
    return candidates;
}

Candidates candidates(const Position& position, const Shared& shared) {
    const MoveList legal = legal_moves(position);
    std::vector<Move> moves;
    for (Move move : shared.limits.only)
        if (legal.contains(move) && std::find(moves.begin(), moves.end(), move) == moves.end()) moves.push_back(move);
    if (!moves.empty()) return {moves, std::nullopt};
    moves.assign(legal.begin(), legal.end());
    // With several lines, the other moves are searched, too.
    if (!shared.heuristics.tablebases || shared.multipv > 1) return {moves, std::nullopt};
    if (count(position.pieces()) > std::min(tablebase::max_pieces(), shared.limits.tablebase_pieces))
        return {moves, std::nullopt};
    const std::vector<tablebase::RankedMove> ranked = tablebase::probe_root(position);
    return ranked.empty() ? Candidates{moves, std::nullopt} : by_tablebase(ranked, shared.limits.tablebase_fifty);
}

std::unique_ptr<MovePrior> copy(const MovePrior* prior) { return prior ? prior->clone() : nullptr; }

}  // namespace

struct Search::Impl {
    Shared shared;
    Heuristics heuristics;  // as set; in `shared`, without those that the budget rule replaces
    std::vector<std::unique_ptr<Worker>> workers;
    std::mutex mutex;
    std::condition_variable changed;
    bool armed = false;
    bool told_to_stop = false;
    std::optional<int> promised;  // the root's value by the endgame tables
    Decision decision;
    std::vector<RootMove> finished;  // of the last depth that was searched to its end
    int finished_depth = 0;
    IterationStats stats;
    std::shared_ptr<const TimeNetwork> time_network;

    Worker& main() { return *workers.front(); }
    void set_workers(std::unique_ptr<Evaluator> evaluator, std::unique_ptr<MovePrior> prior, int threads);
    void arm();
    void wait_while_asked_to();
    void run(const Listener& listener);
    bool finish_depth(int depth, const Listener& listener);
    void note_iteration(const std::vector<RootMove>& roots, int depth);
    Line line_of(const RootMove& root, int depth) const;
    Progress progress(const RootMove& root, int rank, int depth) const;
    void conclude(const Listener& listener);
};

Search::Search(std::unique_ptr<Evaluator> evaluator, std::size_t table_mb, int threads)
    : impl_(std::make_unique<Impl>()) {
    impl_->shared.table.resize(table_mb);
    impl_->set_workers(std::move(evaluator), nullptr, threads);
}

Search::~Search() = default;

void Search::Impl::set_workers(std::unique_ptr<Evaluator> evaluator, std::unique_ptr<MovePrior> prior, int threads) {
    workers.clear();
    shared.workers.clear();
    for (int i = 0; i < std::max(1, threads); ++i) {
        workers.push_back(std::make_unique<Worker>(shared, evaluator->clone(), copy(prior.get())));
        shared.workers.push_back(workers.back().get());
    }
    main().is_main = true;
}

void Search::set_evaluator(std::unique_ptr<Evaluator> evaluator) {
    for (auto& worker : impl_->workers) worker->set_evaluator(evaluator->clone());
    new_game();
}

void Search::set_table_mb(std::size_t megabytes) { impl_->shared.table.resize(megabytes); }

void Search::set_threads(int threads) {
    if (std::size_t(threads) == impl_->workers.size()) return;
    impl_->set_workers(impl_->main().evaluator().clone(), copy(impl_->main().prior()), threads);
}

void Search::set_heuristics(const Heuristics& heuristics) {
    impl_->heuristics = heuristics;
    impl_->shared.heuristics = heuristics;
}

void Search::set_budget_rule(const BudgetRule& rule) {
    impl_->shared.rule = rule;
    set_heuristics(impl_->heuristics);
    new_game();
}

void Search::set_prior(std::unique_ptr<MovePrior> prior) {
    for (auto& worker : impl_->workers) worker->set_prior(copy(prior.get()));
    new_game();
}

void Search::set_constants(const Constants& constants) { impl_->shared.constants = constants; }
void Search::set_multipv(int lines) { impl_->shared.multipv = std::max(1, lines); }
void Search::set_time_network(std::shared_ptr<const TimeNetwork> time_network) {
    impl_->time_network = std::move(time_network);
}
Evaluator& Search::evaluator() { return impl_->main().evaluator(); }
std::uint64_t Search::nodes() const { return impl_->shared.nodes(); }

void Search::new_game() {
    impl_->shared.table.clear(int(impl_->workers.size()));
    for (auto& worker : impl_->workers) worker->forget();
}

// --- Starting and stopping ---------------------------------------------------------------------------------------

void Search::arm() { impl_->arm(); }

void Search::Impl::arm() {
    const std::lock_guard lock(mutex);
    shared.stop.store(false);
    shared.pondering.store(true);  // until run() sets it
    told_to_stop = false;
    armed = true;
}

void Search::stop() {
    const std::lock_guard lock(impl_->mutex);
    impl_->shared.stop.store(true);
    impl_->told_to_stop = true;
    impl_->changed.notify_all();
}

void Search::ponder_hit() {
    const std::lock_guard lock(impl_->mutex);
    impl_->shared.clock.ponder_hit();
    impl_->shared.pondering.store(false);
    impl_->changed.notify_all();
}

void Search::Impl::wait_while_asked_to() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return told_to_stop || !(shared.limits.infinite || shared.pondering.load()); });
}

Decision Search::run(const Position& position, const Limits& limits, const Listener& listener) {
    Impl& impl = *impl_;
    if (!impl.armed) impl.arm();
    {
        const std::lock_guard lock(impl.mutex);
        impl.armed = false;
        impl.shared.limits = limits;
        impl.shared.clock.start(limits, position.turn());
        // A ponder_hit() that came between arm() and here counts.
        impl.shared.pondering.store(limits.ponder && impl.shared.pondering.load());
    }
    impl.shared.table.next_search();
    impl.decision = Decision{};
    impl.finished.clear();
    impl.finished_depth = 0;
    impl.stats = {};

    const auto [moves, promised] = candidates(position, impl.shared);
    impl.promised = promised;
    for (auto& worker : impl.workers) worker->prepare(position, moves);
    if (moves.empty()) {
        impl.decision.value = position.in_check() ? -kMate : kDraw;
    } else {
        impl.run(listener);
    }
    impl.wait_while_asked_to();
    if (!moves.empty()) impl.conclude(listener);
    impl.decision.elapsed_ms = impl.shared.clock.elapsed_ms();
    return impl.decision;
}

void Search::Impl::run(const Listener& listener) {
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < workers.size(); ++i)
        helpers.emplace_back([this, i] {
            workers[i]->may_stop = true;
            workers[i]->iterate(1 + int(i & 1), [this](int) { return !shared.stop.load(std::memory_order_relaxed); });
        });

    constexpr int kQuietMs = 1000, kCurrentMoveMs = 3000;
    main().iterate(
        1, [&](int depth) { return finish_depth(depth, listener); },
        [&](const RootMove& root, int depth) {
            if (listener.on_progress && shared.clock.elapsed_ms() >= kQuietMs)
                listener.on_progress(progress(root, 1, depth));
        },
        [&](Move move, int number, int depth) {
            if (listener.on_current_move && shared.clock.elapsed_ms() >= kCurrentMoveMs)
                listener.on_current_move({move, number, depth});
        });

    if (!helpers.empty()) {
        wait_while_asked_to();
        shared.stop.store(true);
        for (std::thread& helper : helpers) helper.join();
    }
}

// --- Between depths ----------------------------------------------------------------------------------------------

bool Search::Impl::finish_depth(int depth, const Listener& listener) {
    const std::vector<RootMove>& roots = main().root_moves();
    note_iteration(roots, depth);
    if (listener.on_iteration) listener.on_iteration(stats);
    const std::size_t lines = std::min(roots.size(), std::size_t(shared.multipv));
    finished.assign(roots.begin(), roots.begin() + std::ptrdiff_t(lines));
    finished_depth = depth;
    if (listener.on_progress)
        for (std::size_t i = 0; i < lines; ++i) listener.on_progress(progress(finished[i], int(i) + 1, depth));

    const Limits& limits = shared.limits;
    if (shared.stop.load() || (limits.depth && depth >= limits.depth)) return false;
    const int value = finished.front().value;
    if (limits.mate && is_mate(value) && value > 0 && (kMate - value + 1) / 2 <= limits.mate) return false;
    if (shared.pondering.load() || limits.infinite || !shared.clock.is_timed()) return true;
    if (roots.size() == 1 && !limits.movetime_ms) return false;

    return !shared.clock.is_enough(time_network ? time_network->of(stats) : default_time_factor(stats));
}

void Search::Impl::note_iteration(const std::vector<RootMove>& roots, int depth) {
    const RootMove& best = roots.front();
    const IterationStats before = stats;
    const bool same = before.best == best.move;
    stats.depth = depth;
    stats.moves = int(roots.size());
    stats.stable_for = same ? before.stable_for + 1 / shared.rule.steps : 0;
    stats.changes = before.changes + (before.best.exists() && !same);
    stats.effort = double(best.nodes) / double(std::max<std::uint64_t>(1, main().nodes()));
    stats.value = best.value;
    stats.value_before = before.best.exists() ? before.value : best.value;
    stats.nodes = main().nodes();
    stats.nodes_before = before.nodes;
    stats.best = best.move;
}

Line Search::Impl::line_of(const RootMove& root, int depth) const {
    const int value = promised && !is_mate(root.value) ? *promised : root.value;
    return {root.line, value, root.bound, depth, std::max(root.selective_depth, depth)};
}

Progress Search::Impl::progress(const RootMove& root, int rank, int depth) const {
    return {rank,
            line_of(root, depth),
            shared.nodes(),
            shared.tablebase_hits(),
            shared.clock.elapsed_ms(),
            shared.table.permille_used()};
}

// The decision: the last finished depth, or a better move of the unfinished one.
void Search::Impl::conclude(const Listener& listener) {
    int depth = finished_depth;
    if (shared.multipv == 1 && main().overrules(finished.front().move)) {
        finished.front() = main().root_moves().front();
        finished.front().bound = Bound::Exact;
        ++depth;
        if (listener.on_progress) listener.on_progress(progress(finished.front(), 1, depth));
    }
    decision.move = finished.front().move;
    decision.depth = depth;
    for (const RootMove& root : finished) decision.lines.push_back(line_of(root, depth));
    decision.value = decision.lines.front().value;
    decision.nodes = shared.nodes();
    decision.tablebase_hits = shared.tablebase_hits();
}

}  // namespace okapi
