// The search: that it finds what it must, keeps its limits, and is plain alpha-beta with everything switched off.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "check.h"
#include "okapi/chess/text.h"
#include "okapi/eval/bounded.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/linear/linear5.h"
#include "okapi/search/classic.h"
#include "okapi/search/search.h"
#include "okapi/search/similarity.h"
#include "searching.h"

using namespace okapi;
using tests::kKiwipete;
using tests::kPieces;
using tests::search;
using tests::to_depth;

namespace {

std::int64_t ms_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

TEST(four_classic_searches_agree_and_each_needs_fewer_nodes) {
    for (const char* fen : {kStartFen.data(), "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1"}) {
        Position position = Position::from_fen(fen);
        Material evaluator(kPieces);
        const auto minimax = classic::minimax(position, evaluator, 4);
        const auto negamax = classic::negamax(position, evaluator, 4);
        const auto bounded = classic::branch_and_bound(position, evaluator, 4);
        const auto alpha_beta = classic::alpha_beta(position, evaluator, 4);
        CHECK_EQUAL(minimax.value, negamax.value);
        CHECK_EQUAL(minimax.value, bounded.value);
        CHECK_EQUAL(minimax.value, alpha_beta.value);
        CHECK_EQUAL(minimax.nodes, negamax.nodes);
        CHECK(bounded.nodes < negamax.nodes);
        CHECK(alpha_beta.nodes < bounded.nodes);  // deep cuts begin at the fourth ply
        std::printf("%s\n  minimax %llu, branch and bound %llu, alpha-beta %llu nodes\n", fen,
                    static_cast<unsigned long long>(minimax.nodes), static_cast<unsigned long long>(bounded.nodes),
                    static_cast<unsigned long long>(alpha_beta.nodes));
    }
}

TEST(with_all_heuristics_off_search_is_plain_alpha_beta) {
    for (const char* fen : {kStartFen.data(), kKiwipete}) {
        Position position = Position::from_fen(fen);
        Material evaluator(kPieces);
        Search naive(std::make_unique<Material>(kPieces), 1);
        naive.set_heuristics(Heuristics::none());
        std::uint64_t nodes = 0;  // iterative deepening visits every depth
        for (int depth = 1; depth <= 3; ++depth) {
            const auto plain = classic::alpha_beta(position, evaluator, depth);
            nodes += plain.nodes;
            const Decision decision = naive.run(position, to_depth(depth));
            CHECK_EQUAL(plain.value, decision.value);
            CHECK_EQUAL(nodes, decision.nodes);
        }
    }
}

TEST(every_heuristic_can_be_switched_off_by_name_and_search_still_works) {
    const Position position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");  // Rd8 mates
    for (const auto& [name, member] : Heuristics::names()) {
        Heuristics heuristics;
        CHECK(heuristics.set(name, false));
        CHECK(!(heuristics.*member));
        auto t = search();
        t->set_heuristics(heuristics);
        const Decision decision = t->run(position, to_depth(5));
        CHECK_EQUAL("d1d8", to_uci(decision.move));
        CHECK_EQUAL(kMate - 1, decision.value);
    }
    Heuristics heuristics;
    CHECK(!heuristics.set("nul_move", false));
}

TEST(moves_that_come_to_the_same_have_one_signature) {
    const Position position = Position::from_fen("6k1/7p/8/8/p7/8/7K/N6R w - - 0 1");
    const auto of = [&](const char* move) { return signature(position, parse_uci(position, move).value()); };
    CHECK_EQUAL(of("h1b1"), of("h1c1"));
    CHECK(of("h1b1") != of("h1f1"));  // looks at the king's squares
    CHECK(of("a1b3") != of("a1c2"));  // chased
    CHECK(of("h2g2") != of("h2h3"));  // a king's steps all differ
}

namespace {

// Material, and bounds around it that hold.
class Surrounded final : public Evaluator {
public:
    int value(const Position& position) override { return material_.value(position); }
    std::optional<Range> range(const Position& position) override {
        const int value = material_.value(position);
        return Range{value - 50, value + 70};
    }
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Surrounded>(); }

private:
    Material material_{kPieces};
};

}  // namespace

TEST(bounds_that_hold_save_evaluations_and_change_no_value) {
    const auto tally = std::make_shared<RangeTally>();
    for (const char* fen :
         {kStartFen.data(), kKiwipete, "r1bqkbnr/pp1ppppp/2n5/2p5/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 3"}) {
        const Position position = Position::from_fen(fen);
        Heuristics plain = Heuristics::none();
        plain.pvs = plain.quiescence = plain.ordering = plain.mate_distance = true;
        Search asking(std::make_unique<Material>(kPieces), 1);
        Search sparing(
            std::make_unique<Bounded>(std::make_unique<Material>(kPieces), std::make_unique<Surrounded>(), tally), 1);
        asking.set_heuristics(plain);
        sparing.set_heuristics(plain);
        CHECK_EQUAL(asking.run(position, to_depth(4)).value, sparing.run(position, to_depth(4)).value);
    }
    CHECK_EQUAL(0u, tally->outside.load());
    CHECK(tally->needed.load() < tally->asked.load() / 2);
}

TEST(takes_the_shorter_of_two_mates) {
    Position position = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
    position.play(search()->run(position, to_depth(4)).move);
    CHECK(position.in_check() && !has_legal_move(position));
}

TEST(knows_that_stalemate_is_a_draw) {
    // Qb6 would be stalemate; anything sensible wins.
    Position position = Position::from_fen("k7/8/8/2Q5/8/8/8/2K5 w - - 0 1");
    const Decision decision = search()->run(position, to_depth(8));
    CHECK(decision.value > 500);
    position.play(decision.move);
    CHECK(has_legal_move(position) || position.in_check());
}

TEST(two_runs_of_one_thread_are_the_same) {
    const Position position = Position::from_fen(kKiwipete);
    const Decision first = search()->run(position, to_depth(8));
    const Decision second = search()->run(position, to_depth(8));
    CHECK_EQUAL(first.nodes, second.nodes);
    CHECK_EQUAL(to_uci(first.move), to_uci(second.move));
    CHECK_EQUAL(first.value, second.value);
}

TEST(node_limit_is_kept_to_the_node) {
    Limits limits;
    limits.nodes = 5000;
    CHECK_EQUAL(5000u, search()->run(Position::from_fen(kKiwipete), limits).nodes);
}

TEST(one_node_still_gives_a_move_with_an_exact_line) {
    Limits limits;
    limits.nodes = 1;
    int exact = 0;
    Listener listener;
    listener.on_progress = [&](const Progress& progress) { exact += progress.line.bound == Bound::Exact; };
    CHECK(search()->run(Position::start(), limits, listener).move.exists());
    CHECK(exact >= 1);
}

TEST(depths_come_without_gaps_and_lines_are_legal) {
    for (int lines : {1, 3}) {
        auto t = search();
        t->set_multipv(lines);
        int last_depth = 0, last_rank = lines;
        Listener listener;
        const Position root = Position::from_fen(kKiwipete);
        listener.on_progress = [&](const Progress& progress) {
            if (progress.line.bound != Bound::Exact) return;
            CHECK_EQUAL(last_rank % lines + 1, progress.rank);
            if (progress.rank == 1) CHECK_EQUAL(++last_depth, progress.line.depth);
            last_rank = progress.rank;
            Position position = root;
            for (Move move : progress.line.moves) {
                CHECK(position.is_legal(move));
                if (!position.is_legal(move)) break;
                position.play(move);
            }
        };
        t->run(root, to_depth(9), listener);
        CHECK_EQUAL(9, last_depth);
    }
}

TEST(several_lines_are_different_moves_in_order_of_value) {
    auto t = search();
    t->set_multipv(4);
    const Decision decision = t->run(Position::from_fen(kKiwipete), to_depth(6));
    CHECK_EQUAL(4u, decision.lines.size());
    for (std::size_t i = 1; i < decision.lines.size(); ++i) {
        CHECK(decision.lines[i - 1].value >= decision.lines[i].value);
        CHECK(decision.lines[i - 1].moves.front() != decision.lines[i].moves.front());
    }
}

TEST(searches_only_the_moves_it_is_told_to) {
    Limits limits = to_depth(6);
    const Position position = Position::start();
    limits.only = {*parse_uci(position, "a2a3"), *parse_uci(position, "h2h3")};
    const std::string move = to_uci(search()->run(position, limits).move);
    CHECK(move == "a2a3" || move == "h2h3");
}

TEST(time_limits_are_kept) {
    Limits fixed;
    fixed.movetime_ms = 100;
    auto start = std::chrono::steady_clock::now();
    auto t = search(2);
    t->run(Position::from_fen(kKiwipete), fixed);
    CHECK(ms_since(start) >= 60);
    CHECK(ms_since(start) < 300);

    Limits clock;
    clock.clocks[0] = Limits::Clock{20, 0};
    start = std::chrono::steady_clock::now();
    t->run(Position::start(), clock);
    CHECK(ms_since(start) < 200);  // the machine may be busy; alone it takes five
}

TEST(infinite_search_waits_for_stop_even_when_there_is_nothing_to_think) {
    for (const char* fen : {"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}) {
        auto t = search();
        Limits limits;
        limits.infinite = true;
        std::atomic<bool> done{false};
        t->arm();
        std::thread search([&] {
            t->run(Position::from_fen(fen), limits);
            done = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK(!done);
        t->stop();
        search.join();
        CHECK(done);
    }
}

TEST(a_stop_between_arm_and_think_is_not_lost) {
    auto t = search();
    Limits limits;
    limits.infinite = true;
    t->arm();
    t->stop();
    CHECK(t->run(Position::start(), limits).move.exists());
}

TEST(pondering_ends_with_ponder_hit_and_limits_count_from_there) {
    auto t = search();
    Limits limits;
    limits.ponder = true;
    limits.movetime_ms = 30;
    t->arm();
    std::atomic<bool> done{false};
    std::thread search([&] {
        t->run(Position::start(), limits);
        done = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    CHECK(!done);
    t->ponder_hit();
    search.join();
    CHECK(done);
}

TEST(repetition_saves_the_losing_side) {
    // White is about to be mated, but Qe8+ Kh7, Qh5+ Kg8 go on for ever.
    const Position position = Position::from_fen("6k1/6p1/8/7Q/8/8/rr6/6K1 w - - 0 1");
    CHECK_EQUAL(kDraw, search()->run(position, to_depth(10)).value);
}

TEST(a_game_without_legal_moves_has_no_decision) {
    const Decision mated = search()->run(Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), to_depth(3));
    CHECK(!mated.move.exists());
    CHECK_EQUAL(-kMate, mated.value);
    const Decision stalemated = search()->run(Position::from_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), to_depth(3));
    CHECK(!stalemated.move.exists());
    CHECK_EQUAL(kDraw, stalemated.value);
}

int main() { return okapi::tests::run(); }
