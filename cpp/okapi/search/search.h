// The alpha-beta search with its table, threads, evaluator and time manager. Front ends use this class.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/eval/prior.h"
#include "okapi/search/budget.h"
#include "okapi/search/constants.h"
#include "okapi/search/heuristics.h"
#include "okapi/search/limits.h"
#include "okapi/search/time_manager.h"

namespace okapi {

struct Listener {
    std::function<void(const Progress&)> on_progress;         // a line of a finished depth, or a bound after a while
    std::function<void(const CurrentMove&)> on_current_move;  // after three seconds
    std::function<void(const IterationStats&)> on_iteration;  // after each depth
};

class Search {
public:
    explicit Search(std::unique_ptr<Evaluator> evaluator, std::size_t table_mb = 16, int threads = 1);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    // Not while a search runs.
    void set_evaluator(std::unique_ptr<Evaluator> evaluator);
    void set_table_mb(std::size_t megabytes);
    void set_threads(int threads);
    void set_heuristics(const Heuristics& heuristics);
    void set_constants(const Constants& constants);
    // Without a MovePrior, Learned is Shares.
    void set_budget_rule(const BudgetRule& rule);
    void set_prior(std::unique_ptr<MovePrior> prior);  // or none
    void set_multipv(int lines);
    void set_time_network(std::shared_ptr<const TimeNetwork> time_network);  // or none: the usual rule
    void new_game();                                                         // forget table and histories

    // Searches within `limits`; blocks. With `infinite` or `ponder`, does not return before stop() or
    // ponder_hit(), not even when there is nothing left to search.
    Decision run(const Position& position, const Limits& limits, const Listener& listener = {});

    // Makes ready for a run() that another thread will start: from now on stop() and ponder_hit() are meant for it.
    // Without it, run() forgets whatever came before.
    void arm();
    // From any thread, at any time, also when idle.
    void stop();
    void ponder_hit();

    Evaluator& evaluator();
    std::uint64_t nodes() const;  // searched so far in the current or last run()

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace okapi
