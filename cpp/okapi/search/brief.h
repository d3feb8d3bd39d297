// Searches of a few hundred nodes, one after the other: what learning asks for by the million. A Thinker would do the
// same, and spend much of the time on making ready.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/search/heuristics.h"

namespace okapi {

struct Found {
    int value = 0;           // centipawns for the side to move
    std::vector<Move> line;  // never empty
    std::uint64_t nodes = 0;
};

class BriefSearch {
public:
    // `remembered`: nodes between one forget() and the next, which the table has room for.
    BriefSearch(std::unique_ptr<Evaluator> evaluator, std::uint64_t nodes, std::uint64_t remembered,
                const Heuristics& heuristics = {});
    ~BriefSearch();

    // A new game begins: table and histories are emptied. Until then searches profit from those before.
    void forget();
    // What the last finished depth found: the first one is finished in any case. There must be a legal move.
    Found search(const Position& position);
    // The same, but no depth is begun after so many nodes: most searches end with a depth, and waste nothing.
    Found search_softly(const Position& position, std::uint64_t nodes);
    // As search(), unless a depth that was not finished found a better move.
    Found search_to_the_last(const Position& position);
    // What the evaluator itself says.
    int value(const Position& position);
    // Hears of every node whose moves are searched; not of quiescence.
    void set_on_inner_node(std::function<void(const Position&)> listener);

private:
    Found search_while(const Position& position, const std::function<bool()>& go_on);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace okapi
