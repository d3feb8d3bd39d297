// The budget of a search: every node has a budget, every move costs some of it, and where nothing is left quiescence
// begins. One ply is kPly. A probability costs its logarithm, so that a budget is a threshold for the probability of a
// line: a move that is one of 32 equals costs one ply, and 32 to the power of the plies left is about how many lines
// are left.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "okapi/search/heuristics.h"

namespace okapi {

using Budget = int;
inline constexpr Budget kPly = 1024;

constexpr int plies(Budget budget) { return budget >= 0 ? budget / kPly : 0; }
// What a move of this probability costs: nothing if it is certain.
Budget cost_of(double probability);
// What each of so many equal moves costs.
Budget cost_of_one_in(int moves);

struct BudgetRule {
    enum class Kind {
        Depth,    // every move costs a ply
        Even,     // all moves of a position are equally likely (lai2015, chapter 5)
        Shares,   // as likely as what is known without a network makes them: table, captures, killers, exchanges,
                  // history
        Learned,  // probabilities of a MovePrior (lai2015, chapter 6)
    };

    Kind kind = Kind::Depth;
    double steps = 1;        // iterations for each ply of budget
    double ask = 2.66;       // a MovePrior is used where so many plies are left, elsewhere the shares
    double temperature = 1;  // of its softmax; above 1, moves become more alike
    double floor = 0.05;     // this part of the probability is shared out evenly, so that no move is ever impossible
    double trust = 0.3;      // and this part goes to the table's move

    // A name, and settings if others than usual are wanted: "even", "learned+ask=2+temperature=1.2". Throws
    // std::invalid_argument with the possible values.
    static BudgetRule parse(std::string_view text);
    static std::vector<std::string> names();

    bool by_probability() const { return kind == Kind::Shares || kind == Kind::Learned; }
    // Where probabilities count, a line that is just as likely as the threshold is still searched.
    Budget budget(int iteration) const { return Budget(iteration * kPly / steps) + (kind != Kind::Depth); }
    // Whole plies, as the heuristics count them: where moves cost parts of a ply, one that has begun counts. The 1 that
    // budget() adds begins none.
    int whole_plies(Budget budget) const { return plies(kind == Kind::Depth ? budget : budget + kPly - 2); }
    // What a table entry may be short of the budget: where moves cost parts of a ply, two ways to the same position
    // hardly ever leave the same.
    Budget slack() const { return kind == Kind::Depth ? 0 : kPly / 4; }
};

}  // namespace okapi
