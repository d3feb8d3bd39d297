// The tree of a search, recorded node by node, for drawings.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/eval/prior.h"
#include "okapi/search/budget.h"
#include "okapi/search/heuristics.h"

namespace okapi {

class SearchTree {
public:
    enum class Kind : std::uint8_t {
        Inner,    // its moves were tried
        Horizon,  // no budget was left: quiescence or the evaluator judged
        Settled,  // known without a move: by the table, by a shortcut or by the rules
    };
    struct Node {
        int parent;  // -1 for the root
        Move move;   // that led here
        int ply;
        Budget left;  // the most that it was searched with
        int value;    // centipawns for the side that made the move, as last searched; for the side to move at the root
        bool inner = false;

        Kind kind() const { return inner ? Kind::Inner : left <= 0 ? Kind::Horizon : Kind::Settled; }
    };

    // Nodes beyond `most` are searched, but not written down.
    explicit SearchTree(std::size_t most) : most_(most) {}

    void begin(Budget budget);
    // The search goes from the node where it is to the one after `move`, and back. One that is visited again is the
    // same.
    void enter(Move move, Budget left);
    void leave(int value);
    void finish(int value) { nodes_.front().value = value; }
    int ply() const { return int(path_.size()) - 1; }

    const std::vector<Node>& nodes() const { return nodes_; }

private:
    static constexpr int kUnwritten = -1;

    std::size_t most_;
    std::vector<Node> nodes_;
    std::vector<int> path_;                         // from the root to where the search is
    std::unordered_map<std::uint64_t, int> known_;  // by parent and move
};

// The tree of the last iteration that a search of so many nodes finishes.
struct TreeOptions {
    std::unique_ptr<Evaluator> evaluator;
    std::unique_ptr<MovePrior> prior{};  // or none
    BudgetRule rule{};
    Heuristics heuristics{};
};
SearchTree trace_tree(TreeOptions options, const Position& position, std::uint64_t nodes, std::size_t most);

}  // namespace okapi
