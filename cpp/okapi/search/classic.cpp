#include "okapi/search/classic.h"

#include <algorithm>
#include <optional>

#include "okapi/search/limits.h"

namespace okapi::classic {

namespace {

// Walks the tree; the four algorithms differ only in what they pass down and where they stop.
struct Walker {
    Position& position;
    Evaluator& evaluator;
    std::uint64_t nodes = 0;

    // The value for the side to move, if the game or the depth ends here.
    std::optional<int> terminal(int depth, int ply) {
        if (ply > 0 &&
            (position.repeats_within(ply - 1) || position.is_insufficient_material() || position.is_fifty_moves()))
            return kDraw;
        if (!has_legal_move(position)) return position.in_check() ? -kMate + ply : kDraw;
        if (depth == 0) return evaluator.value(position);
        return std::nullopt;
    }

    template <class Search> int after(Move move, Search search) {
        evaluator.push(position, move);
        position.play(move);
        ++nodes;
        const int value = search();
        position.undo();
        evaluator.pop();
        return value;
    }

    // Values for White: two functions that do the same with signs turned round.
    int maximum(int depth, int ply) {
        if (const auto value = terminal(depth, ply)) return position.turn() == Color::White ? *value : -*value;
        int best = -kInfinity;
        for (Move move : legal_moves(position))
            best = std::max(best, after(move, [&] { return minimum(depth - 1, ply + 1); }));
        return best;
    }
    int minimum(int depth, int ply) {
        if (const auto value = terminal(depth, ply)) return position.turn() == Color::White ? *value : -*value;
        int best = kInfinity;
        for (Move move : legal_moves(position))
            best = std::min(best, after(move, [&] { return maximum(depth - 1, ply + 1); }));
        return best;
    }

    int negamax(int depth, int ply) {
        if (const auto value = terminal(depth, ply)) return *value;
        int best = -kInfinity;
        for (Move move : legal_moves(position))
            best = std::max(best, -after(move, [&] { return negamax(depth - 1, ply + 1); }));
        return best;
    }

    // Stops at a node as soon as it is too good for the opponent to allow it.
    int bounded(int bound, int depth, int ply) {
        if (const auto value = terminal(depth, ply)) return *value;
        int best = -kInfinity;
        for (Move move : legal_moves(position)) {
            best = std::max(best, -after(move, [&] { return bounded(-best, depth - 1, ply + 1); }));
            if (best >= bound) break;
        }
        return best;
    }

    // Also has the bound of the side to move, from further up the tree.
    int alpha_beta(int alpha, int beta, int depth, int ply) {
        if (const auto value = terminal(depth, ply)) return *value;
        int best = -kInfinity;
        for (Move move : legal_moves(position)) {
            const int lower = std::max(alpha, best);
            best = std::max(best, -after(move, [&] { return alpha_beta(-beta, -lower, depth - 1, ply + 1); }));
            if (best >= beta) break;
        }
        return best;
    }

    int likely(double probability, double threshold, int ply) {
        if (const auto value = terminal(probability < threshold ? 0 : 1, ply)) return *value;
        const MoveList moves = legal_moves(position);
        int best = -kInfinity;
        for (Move move : moves)
            best = std::max(best, -after(move, [&] { return likely(probability / moves.size(), threshold, ply + 1); }));
        return best;
    }

    int likely(int alpha, int beta, double probability, double threshold, int ply) {
        if (const auto value = terminal(probability < threshold ? 0 : 1, ply)) return *value;
        const MoveList moves = legal_moves(position);
        int best = -kInfinity;
        for (Move move : moves) {
            const int lower = std::max(alpha, best);
            best = std::max(best, -after(move, [&] {
                                return likely(-beta, -lower, probability / moves.size(), threshold, ply + 1);
                            }));
            if (best >= beta) break;
        }
        return best;
    }
};

template <class Search> Result run(Position& position, Evaluator& evaluator, Search search) {
    Walker walker{position, evaluator};
    evaluator.reset(position);
    const int value = search(walker);
    return {value, walker.nodes};
}

}  // namespace

Result minimax(Position& position, Evaluator& evaluator, int depth) {
    const bool white = position.turn() == Color::White;
    return run(position, evaluator, [&](Walker& w) { return white ? w.maximum(depth, 0) : -w.minimum(depth, 0); });
}

Result negamax(Position& position, Evaluator& evaluator, int depth) {
    return run(position, evaluator, [&](Walker& w) { return w.negamax(depth, 0); });
}

Result branch_and_bound(Position& position, Evaluator& evaluator, int depth) {
    return run(position, evaluator, [&](Walker& w) { return w.bounded(kInfinity, depth, 0); });
}

Result alpha_beta(Position& position, Evaluator& evaluator, int depth) {
    return run(position, evaluator, [&](Walker& w) { return w.alpha_beta(-kInfinity, kInfinity, depth, 0); });
}

Result likely_minimax(Position& position, Evaluator& evaluator, double threshold) {
    return run(position, evaluator, [&](Walker& w) { return w.likely(1, threshold, 0); });
}

Result likely_alpha_beta(Position& position, Evaluator& evaluator, double threshold) {
    return run(position, evaluator, [&](Walker& w) { return w.likely(-kInfinity, kInfinity, 1, threshold, 0); });
}

}  // namespace okapi::classic
