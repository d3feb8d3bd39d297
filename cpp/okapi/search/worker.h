// One thread of search: its position, its evaluator, what it learned, and the recursion itself.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/eval/prior.h"
#include "okapi/search/budget.h"
#include "okapi/search/constants.h"
#include "okapi/search/heuristics.h"
#include "okapi/search/history.h"
#include "okapi/search/limits.h"
#include "okapi/search/picker.h"
#include "okapi/search/priors.h"
#include "okapi/search/table.h"
#include "okapi/search/time_manager.h"

namespace okapi {

// What all threads of one search see.
struct Shared {
    Table table{0};  // until a Search sets its size
    TimeManager clock;
    Limits limits;
    Heuristics heuristics;
    Constants constants;
    BudgetRule rule;
    std::atomic<bool> stop{false};
    std::atomic<bool> pondering{false};
    int multipv = 1;
    std::vector<const class Worker*> workers;

    std::uint64_t nodes() const;  // of all threads
    std::uint64_t tablebase_hits() const;
};

struct RootMove {
    Move move;
    int value = -kInfinity;     // in this iteration, if it was the best so far
    int previous = -kInfinity;  // in the last one
    Bound bound = Bound::Exact;
    int selective_depth = 0;
    int searched_at = 0;  // the last iteration that looked at it
    std::uint64_t nodes = 0;
    std::vector<Move> line;
};

class Worker {
public:
    Worker(Shared& shared, std::unique_ptr<Evaluator> evaluator, std::unique_ptr<MovePrior> prior = {});

    void prepare(const Position& position, const std::vector<Move>& root_moves);
    // Searches depth by depth from `first_depth`. `on_depth` is called after each finished depth; false stops.
    // A depth is an iteration: a ply of budget or, by the budget rule, part of one.
    void iterate(int first_depth, const std::function<bool(int depth)>& on_depth,
                 const std::function<void(const RootMove&, int depth)>& on_bound = {},
                 const std::function<void(Move, int number, int depth)>& on_move = {});

    void forget();                                       // a new game begins
    void draw(class SearchTree* tree) { tree_ = tree; }  // writes down what it searches, iteration by iteration
    // Called for every node whose moves are searched; not in quiescence.
    void set_on_inner_node(std::function<void(const Position&)> listener) { on_inner_node_ = std::move(listener); }
    void set_evaluator(std::unique_ptr<Evaluator> evaluator) { evaluator_ = std::move(evaluator); }
    void set_prior(std::unique_ptr<MovePrior> prior) { prior_ = std::move(prior); }
    Evaluator& evaluator() { return *evaluator_; }
    const MovePrior* prior() const { return prior_.get(); }
    const std::vector<RootMove>& root_moves() const { return root_moves_; }
    // Did a depth that was not finished find a better move than this one, which the last finished depth chose?
    bool overrules(Move move) const;
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::uint64_t tablebase_hits() const { return tablebase_hits_.load(std::memory_order_relaxed); }

    // May limits stop the search? Not before the first depth is finished, so that there is always a move.
    bool may_stop = false;
    // Does this thread watch the clock and count nodes?
    bool is_main = false;

private:
    // One ply of the line being searched.
    struct Frame {
        Frame() {}

        Move move;
        bool quiet = false;  // the move
        Move excluded;
        int static_value = kNoStatic;
        bool in_check = false;
        Bitboard attacked = 0;  // by the opponent, where moves were tried
        int cutoffs = 0;        // how often a move refuted here since the position two plies before was reached
        int double_extensions = 0;
        ByPieceTo* continuation = nullptr;
        int line_length = 0;
        union {
            std::array<Move, kMaxPly + 1> line;  // in a union, so that it is not zeroed
        };
    };

    // What is known about the node being searched.
    struct Node {
        int alpha, beta;
        Budget budget;
        int ply;
        bool cut;  // a node that will probably fail high
        bool pv;
        int depth;  // whole plies of the budget, as heuristics count
        bool in_check = false;
        Move excluded{};
        std::optional<Entry> seen{};
        Move table_move{};
        bool table_noisy = false;
        bool was_pv = false;
        int raw_value = kNoStatic;     // of the evaluator
        int static_value = kNoStatic;  // corrected by what was learned
        int estimate = kNoStatic;      // the same, or a better bound of the table
        bool improving = false;
    };

    // What is known about the move being searched.
    struct Try {
        Move move;
        int number;  // from 1
        bool quiet;
        bool check;  // gives check
        bool again;  // comes to the same as one that failed
        Budget cost;
        Budget less;        // it is tried with so much less first
        float probability;  // of being best, by a MovePrior; 0 where there is none
    };

    // Moves that were searched before the one that refuted.
    struct Tried {
        std::array<Move, 64> moves;
        int size = 0;
        void add(Move move) {
            if (size < 64) moves[std::size_t(size++)] = move;
        }
    };

    // worker.cpp: the root
    void search_depth(int depth);
    int search_with_aspiration(RootMove& first, int depth);
    void keep_root_move(const Node& node, Move move, int value, int number, std::uint64_t nodes_before);
    bool is_allowed_at_root(Move move) const;

    // alphabeta.cpp: a node
    int search(int alpha, int beta, Budget budget, int ply, bool cut);
    std::optional<int> ends_here(Node& node);
    std::optional<int> ask_table(Node& node);
    void fetch_ahead(const Node& node) const;
    std::optional<int> ask_tablebase(Node& node);
    void judge(Node& node);
    int search_moves(Node& node);
    Try about(const Node& node, const Priors& priors, Move move, int number, bool again = false) const;
    void expect_moves(const Node& node, const Priors& priors, Move next, Picker behind, int number, int alpha,
                      int best);
    int search_child(const Node& node, const Try& tried, int alpha, int best, Budget next);
    int reduction(const Node& node, const Try& tried) const;
    int extension(const Node& node, const Try& tried, std::optional<int>& cut_value);
    bool is_hopeless(const Node& node, const Try& tried, int alpha, Picker& picker) const;
    void remember(const Node& node, int value, Move best, Bound bound);

    // costs.cpp: what moves cost
    void set_costs(const Node& node, Priors& priors);
    void ask_prior(const Node& node, Priors& priors);
    bool reduces_by_prior(const Node& node, const Priors& priors) const;
    void set_heuristic_costs(const Node& node, Priors& priors);
    float heuristic_weight(const Node& node, Move move) const;

    // pruning.cpp: whole nodes that need no moves, or not even a value
    std::optional<int> prune_by_range(Node& node);
    std::optional<int> prune(Node& node);
    std::optional<int> try_null_move(Node& node);
    std::optional<int> try_probcut(Node& node);

    // quiescence.cpp
    int quiesce(int alpha, int beta, int ply, int depth);
    bool quiesce_quiet_checks(int& best, Move& best_move, int alpha, int beta, int ply);
    int evaluate();
    int adjusted(int value) const;
    std::optional<Range> range(int ply);
    std::optional<int> beyond_window(int alpha, int beta, int ply);

    // learning.cpp: histories
    void reward(const Node& node, Move best, bool quiet, const Tried& quiets, const Tried& captures);
    void reward_quiet(const Node& node, Move move, int bonus);
    void reward_replies(int ply, Piece piece, Square to, int bonus);
    void reward_previous(const Node& node, int bonus);
    int quiet_history(const Node& node, Move move) const;
    Continuations continuations(int ply);
    std::size_t last_two_moves(int ply) const;
    int correction(int ply) const;
    void learn_correction(const Node& node, int value, Move best, Bound bound);

    void play(Move move, int ply);
    void undo();
    void count_node();
    void check_limits();
    void update_line(int ply, Move move);
    Frame& frame(int ply) { return frames_[std::size_t(ply + 4)]; }
    const Frame& frame(int ply) const { return frames_[std::size_t(ply + 4)]; }

    Shared& shared_;
    std::unique_ptr<Evaluator> evaluator_;
    bool knows_ranges_ = false;         // did the evaluator have a range for the root?
    std::unique_ptr<MovePrior> prior_;  // or none
    class SearchTree* tree_ = nullptr;
    Position position_ = Position::start();
    std::unique_ptr<Histories> histories_;
    std::array<Frame, kMaxPly + 8> frames_;
    std::vector<RootMove> root_moves_;
    std::size_t root_index_ = 0;  // MultiPV: the rank being searched
    int root_depth_ = 0;          // the iteration,
    int root_plies_ = 0;          // and its budget in whole plies
    int selective_depth_ = 0;
    int no_null_before_ = 0;  // verification: no null move above this ply
    int until_check_ = 0;
    bool stopped_ = false;
    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<std::uint64_t> tablebase_hits_{0};
    std::function<void(const RootMove&, int)> on_bound_;
    std::function<void(Move, int, int)> on_move_;
    std::function<void(const Position&)> on_inner_node_;
};

}  // namespace okapi
