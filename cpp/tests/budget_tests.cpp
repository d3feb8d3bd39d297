// Budget rules of the search: each follows its definition, and priors have their effect.
#include <cmath>

#include "check.h"
#include "okapi/chess/text.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/linear/linear5.h"
#include "okapi/search/classic.h"
#include "okapi/search/search.h"
#include "searching.h"

using namespace okapi;
using tests::kKiwipete;
using tests::kPieces;
using tests::search;
using tests::to_depth;

// Positions in which the numbers of moves differ from line to line: many checks, or pieces about to be exchanged.
constexpr const char* kUneven[] = {kKiwipete, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
                                   "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"};

TEST(even_shape_with_all_heuristics_off_is_the_search_of_lai2015) {
    for (const char* fen : kUneven) {
        Position position = Position::from_fen(fen);
        Material evaluator(kPieces);
        Search naive(std::make_unique<Material>(kPieces), 1);
        naive.set_heuristics(Heuristics::none());
        naive.set_budget_rule(BudgetRule::parse("even+steps=2"));
        std::uint64_t nodes = 0;  // iterative deepening visits every threshold
        for (int step = 1; step <= 6; ++step) {
            const double threshold = std::pow(32.0, -step / 2.0);
            const auto cut = classic::likely_alpha_beta(position, evaluator, threshold);
            if (step <= 5) CHECK_EQUAL(classic::likely_minimax(position, evaluator, threshold).value, cut.value);
            nodes += cut.nodes;
            const Decision decision = naive.run(position, to_depth(step));
            CHECK_EQUAL(cut.value, decision.value);
            CHECK_EQUAL(nodes, decision.nodes);
        }
    }
}

TEST(an_iteration_of_one_ply_counts_one_ply_in_every_shape) {
    for (const std::string& name : BudgetRule::names()) {
        const BudgetRule rule = BudgetRule::parse(name + "+steps=1");
        for (int plies = 1; plies <= 20; ++plies) CHECK_EQUAL(plies, rule.whole_plies(rule.budget(plies)));
    }
}

// Thinks that captures are nine times as likely as other moves.
class Greedy final : public MovePrior {
public:
    void probabilities(const Position& position, std::span<const Move> moves, std::span<float> out) override {
        float sum = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) sum += out[i] = position.is_noisy(moves[i]) ? 9.0f : 1.0f;
        for (float& p : out) p /= sum;
    }
    std::unique_ptr<MovePrior> clone() const override { return std::make_unique<Greedy>(); }
};

// The same as the learned shape with everything else switched off, line by line and without any cut.
int follow(Position& position, Evaluator& evaluator, MovePrior& prior, double probability, double threshold, int ply) {
    if (ply > 0 && (position.repeats_within(ply - 1) || position.is_insufficient_material())) return kDraw;
    const MoveList moves = legal_moves(position);
    if (moves.empty()) return position.in_check() ? -kMate + ply : kDraw;
    if (probability < threshold) return evaluator.value(position);
    std::vector<float> said(std::size_t(moves.size()));
    prior.probabilities(position, {moves.begin(), moves.end()}, said);
    int best = -kInfinity;
    for (int i = 0; i < moves.size(); ++i) {
        evaluator.push(position, moves[i]);
        position.play(moves[i]);
        best = std::max(
            best, -follow(position, evaluator, prior, probability * double(said[std::size_t(i)]), threshold, ply + 1));
        position.undo();
        evaluator.pop();
    }
    return best;
}

TEST(learned_shape_follows_what_a_prior_finds_likely) {
    for (const char* fen : kUneven) {
        Position position = Position::from_fen(fen);
        Material evaluator(kPieces);
        Greedy prior;
        Search naive(std::make_unique<Material>(kPieces), 1);
        naive.set_heuristics(Heuristics::none());
        naive.set_budget_rule(BudgetRule::parse("learned+steps=2+ask=0+floor=0+trust=0"));
        naive.set_prior(prior.clone());
        for (int step = 1; step <= 5; ++step) {
            const int value = follow(position, evaluator, prior, 1, std::pow(32.0, -step / 2.0), 0);
            CHECK_EQUAL(value, naive.run(position, to_depth(step)).value);
        }
    }
}

TEST(unlikely_moves_are_reduced_further_and_nothing_else_changes) {
    for (const char* fen : kUneven) {
        const auto nodes = [&](bool reductions, bool opinion) {
            Heuristics heuristics;
            heuristics.late_move_reductions = reductions;
            Search t(std::make_unique<Material>(kPieces), 1);
            t.set_budget_rule(BudgetRule::parse("depth+ask=0"));
            t.set_heuristics(heuristics);
            if (opinion) t.set_prior(std::make_unique<Greedy>());
            return t.run(Position::from_fen(fen), to_depth(7)).nodes;
        };
        CHECK(nodes(true, true) != nodes(true, false));
        CHECK_EQUAL(nodes(false, true), nodes(false, false));
    }
}

TEST(a_prior_orders_moves_and_changes_no_value) {
    Heuristics plain = Heuristics::none();
    Heuristics ordered = plain;
    ordered.learned_ordering = true;
    for (const char* fen : kUneven) {
        Search t(std::make_unique<Material>(kPieces), 1);
        t.set_prior(std::make_unique<Greedy>());
        t.set_budget_rule(BudgetRule::parse("depth+ask=0"));
        t.set_heuristics(plain);
        const Decision without = t.run(Position::from_fen(fen), to_depth(4));
        t.set_heuristics(ordered);
        const Decision with = t.run(Position::from_fen(fen), to_depth(4));
        CHECK_EQUAL(without.value, with.value);
        CHECK(with.nodes < without.nodes);
    }
}

TEST(every_shape_finds_mates_with_several_threads) {
    const Position position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");  // Rd8 mates
    for (const std::string& name : BudgetRule::names()) {
        auto t = search(2);
        t->set_prior(std::make_unique<Greedy>());
        t->set_budget_rule(BudgetRule::parse(name));
        const Decision decision = t->run(position, to_depth(6));
        CHECK_EQUAL("d1d8", to_uci(decision.move));
        CHECK_EQUAL(kMate - 1, decision.value);
    }
}

TEST(shapes_that_cannot_be_read_say_what_can) {
    for (const char* text : {"", "evne", "even+", "even+steps", "even+steps=0", "even+steps=2x", "even+pace=2"}) {
        bool refused = false;
        try {
            BudgetRule::parse(text);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
    CHECK(BudgetRule::parse("learned+ask=3+floor=0.5").ask == 3.0);
}

int main() { return okapi::tests::run(); }
