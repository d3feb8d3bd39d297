// The root: iterative deepening, aspiration, several lines, and when to stop.
#include "okapi/search/worker.h"

#include <algorithm>
#include <memory>

#include "okapi/search/tree.h"

namespace okapi {

std::uint64_t Shared::nodes() const {
    std::uint64_t total = 0;
    for (const Worker* worker : workers) total += worker->nodes();
    return total;
}

std::uint64_t Shared::tablebase_hits() const {
    std::uint64_t total = 0;
    for (const Worker* worker : workers) total += worker->tablebase_hits();
    return total;
}

Worker::Worker(Shared& shared, std::unique_ptr<Evaluator> evaluator, std::unique_ptr<MovePrior> prior)
    : shared_(shared),
      evaluator_(std::move(evaluator)),
      prior_(std::move(prior)),
      histories_(std::make_unique<Histories>()) {}

void Worker::forget() { histories_->clear(); }

void Worker::prepare(const Position& position, const std::vector<Move>& root_moves) {
    position_ = position;
    evaluator_->reset(position_);
    knows_ranges_ = evaluator_->range(position_).has_value();
    root_moves_.clear();
    for (Move move : root_moves) {
        RootMove root;
        root.move = move;
        root.line = {move};
        root_moves_.push_back(root);
    }
    for (Frame& f : frames_) std::construct_at(&f);
    histories_->killers = {};
    nodes_.store(0, std::memory_order_relaxed);
    tablebase_hits_.store(0, std::memory_order_relaxed);
    stopped_ = false;
    may_stop = false;
    no_null_before_ = 0;
    until_check_ = 0;
}

void Worker::iterate(int first_depth, const std::function<bool(int)>& on_depth,
                     const std::function<void(const RootMove&, int)>& on_bound,
                     const std::function<void(Move, int, int)>& on_move) {
    on_bound_ = on_bound;
    on_move_ = on_move;
    for (int depth = first_depth; depth < kMaxPly; ++depth) {
        for (RootMove& root : root_moves_) root.previous = root.value;
        search_depth(depth);
        if (stopped_) break;
        may_stop = true;
        if (!on_depth(depth)) break;
    }
}

void Worker::search_depth(int depth) {
    root_depth_ = depth;
    root_plies_ = shared_.rule.whole_plies(shared_.rule.budget(depth));
    if (tree_) tree_->begin(shared_.rule.budget(depth));
    const std::size_t lines = std::min(root_moves_.size(), std::size_t(shared_.multipv));
    for (root_index_ = 0; root_index_ < lines && !stopped_; ++root_index_) {
        selective_depth_ = 0;
        search_with_aspiration(root_moves_[root_index_], depth);
        std::stable_sort(root_moves_.begin(), root_moves_.begin() + std::ptrdiff_t(root_index_) + 1,
                         [](const RootMove& a, const RootMove& b) { return a.value > b.value; });
    }
}

// Searches the best of the root moves not yet ranked in a window around its last value, and widens it on the side that
// proved too narrow.
int Worker::search_with_aspiration(RootMove& first, int depth) {
    const Budget budget = shared_.rule.budget(depth);
    const Constants& by = shared_.constants;
    int delta = by.aspiration_window;
    int alpha = -kInfinity, beta = kInfinity;
    if (shared_.heuristics.aspiration && budget >= by.aspiration_depth * kPly && !is_mate(first.previous)) {
        alpha = std::max(first.previous - delta, -kInfinity);
        beta = std::min(first.previous + delta, kInfinity);
    }
    while (true) {
        const int value = search(alpha, beta, budget, 0, false);
        std::stable_sort(root_moves_.begin() + std::ptrdiff_t(root_index_), root_moves_.end(),
                         [](const RootMove& a, const RootMove& b) { return a.value > b.value; });
        RootMove& best = root_moves_[root_index_];
        if (stopped_) return value;
        best.bound = value <= alpha ? Bound::Upper : value >= beta ? Bound::Lower : Bound::Exact;
        if (best.bound == Bound::Exact) return value;
        if (on_bound_ && shared_.multipv == 1) on_bound_(best, depth);
        if (best.bound == Bound::Upper) {
            beta = (alpha + beta) / 2;
            alpha = std::max(value - delta, -kInfinity);
        } else {
            beta = std::min(value + delta, kInfinity);
        }
        delta += delta * by.aspiration_growth / 100 + 4;
        if (delta > 800)
            (best.bound == Bound::Upper ? alpha : beta) = best.bound == Bound::Upper ? -kInfinity : kInfinity;
    }
}

bool Worker::is_allowed_at_root(Move move) const {
    return std::any_of(root_moves_.begin() + std::ptrdiff_t(root_index_), root_moves_.end(),
                       [move](const RootMove& root) { return root.move == move; });
}

void Worker::keep_root_move(const Node& node, Move move, int value, int number, std::uint64_t nodes_before) {
    RootMove& root =
        *std::find_if(root_moves_.begin(), root_moves_.end(), [&](const RootMove& r) { return r.move == move; });
    root.nodes += nodes() - nodes_before;
    root.searched_at = root_depth_;
    if (number > 1 && value <= node.alpha) {
        root.value = -kInfinity;  // only known to be no better: keep the order
        return;
    }
    root.value = value;
    root.bound = value >= node.beta ? Bound::Lower : value <= node.alpha ? Bound::Upper : Bound::Exact;
    root.selective_depth = selective_depth_;
    root.line.assign(1, move);
    const Frame& child = frame(1);
    root.line.insert(root.line.end(), child.line.begin(), child.line.begin() + child.line_length);
}

bool Worker::overrules(Move move) const {
    const RootMove& now = root_moves_.front();
    // Without a table the former choice does not come first, and what it would have been worth may not be known yet.
    const auto former = std::ranges::find(root_moves_, move, &RootMove::move);
    const bool compared = former != root_moves_.end() && former->searched_at == root_depth_;
    return now.move != move && compared && now.value > -kInfinity && now.bound != Bound::Upper;
}

// --- Limits ------------------------------------------------------------------------------------------------------

void Worker::count_node() {
    nodes_.store(nodes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (--until_check_ <= 0) check_limits();
}

void Worker::check_limits() {
    constexpr int kNodesBetweenChecks = 1024;
    until_check_ = kNodesBetweenChecks;
    const std::uint64_t limit = shared_.limits.nodes;
    if (is_main && limit && !shared_.pondering.load(std::memory_order_relaxed)) {
        const std::uint64_t searched = shared_.nodes();
        if (searched >= limit)
            shared_.stop.store(true, std::memory_order_relaxed);
        else
            until_check_ = int(std::min<std::uint64_t>(kNodesBetweenChecks, limit - searched));
    }
    if (is_main && !shared_.pondering.load(std::memory_order_relaxed) && shared_.clock.is_over())
        shared_.stop.store(true, std::memory_order_relaxed);
    if (shared_.stop.load(std::memory_order_relaxed)) {
        if (may_stop)
            stopped_ = true;
        else
            until_check_ = 1;
    }
}

// --- Moving ------------------------------------------------------------------------------------------------------

void Worker::play(Move move, int ply) {
    const Piece piece = position_.at(move.from());
    frame(ply).move = move;
    frame(ply).quiet = !position_.is_noisy(move);
    frame(ply).continuation = &histories_->replies_to(piece, move.to());
    evaluator_->push(position_, move);
    position_.play(move);
    count_node();
}

void Worker::undo() {
    position_.undo();
    evaluator_->pop();
}

void Worker::update_line(int ply, Move move) {
    Frame& here = frame(ply);
    const Frame& below = frame(ply + 1);
    here.line[0] = move;
    std::copy_n(below.line.begin(), below.line_length, here.line.begin() + 1);
    here.line_length = below.line_length + 1;
}

}  // namespace okapi
