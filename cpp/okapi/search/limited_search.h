// Searches inside games and over many positions, limited by nodes or by depth. A Search does the same, but its setup
// takes longer than a search of a few hundred nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/search/heuristics.h"

namespace okapi {

struct SearchResult {
    int value = 0;           // centipawns for the side to move
    std::vector<Move> line;  // never empty
    std::uint64_t nodes = 0;
};

class NodeLimitedSearch {
public:
    // `remembered`: nodes between one forget() and the next, which the table has room for.
    NodeLimitedSearch(std::unique_ptr<Evaluator> evaluator, std::uint64_t nodes, std::uint64_t remembered,
                      const Heuristics& heuristics = {});
    ~NodeLimitedSearch();

    // A new game begins: table and histories are emptied. Until then searches profit from those before.
    void forget();
    // What the last finished depth found: the first one is finished in any case. There must be a legal move.
    SearchResult search(const Position& position);
    // The same, but no depth is begun after so many nodes: most searches end with a depth, and waste nothing.
    SearchResult search_soft(const Position& position, std::uint64_t nodes);
    // As search(), unless a depth that was not finished found a better move.
    SearchResult search_with_partial_depth(const Position& position);
    // The evaluator's own value.
    int value(const Position& position);
    // Called for every node whose moves are searched; not in quiescence.
    void set_on_inner_node(std::function<void(const Position&)> listener);

private:
    SearchResult search_while(const Position& position, const std::function<bool()>& go_on);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Searches a few plies in many positions and keeps nothing between them.
class DepthLimitedSearch {
public:
    // Table, correction history and endgame tables are left out in any case.
    DepthLimitedSearch(std::unique_ptr<Evaluator> evaluator, int depth, const Heuristics& heuristics = {});
    ~DepthLimitedSearch();

    void set_evaluator(std::unique_ptr<Evaluator> evaluator);
    // None if there is no legal move. Of equals, the one that the search tries first.
    Move choose(const Position& position);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace okapi
