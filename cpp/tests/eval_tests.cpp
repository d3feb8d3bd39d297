// Evaluators: the thesis' own boards, symmetry of colours, and fast against slow.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "check.h"
#include "linear_brain.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/endgame.h"
#include "okapi/eval/linear/bearing.h"
#include "okapi/eval/linear/factors.h"
#include "okapi/eval/linear/linear28.h"
#include "okapi/eval/linear/linear35.h"
#include "okapi/eval/linear/linear5.h"
#include "okapi/eval/linear/units.h"
#include "wander.h"

using namespace okapi;
using tests::mirrored;
using tests::wander;

namespace {

FactorWeights exploitation() {
    const auto tensor = [](const char* name) {
        FactorWeights out;
        const std::vector<float> values = tests::linear_brain().tensors.at(name).floats();
        std::copy(values.begin(), values.end(), out.weights.begin());
        return out.weights;
    };
    return {tensor("weights"), tensor("divisors")};
}

AllFactorWeights with_more_factors() {
    constexpr std::array<float, kMoreFactors> kMore = {-7.5f, 3.25f, 1.5f, 4, -6, -0.75f};
    AllFactorWeights all;
    std::ranges::copy(exploitation().weights, all.weights.begin());
    std::ranges::copy(kMore, all.weights.begin() + kFactors);
    all.divisors.fill(2);
    std::ranges::copy(exploitation().divisors, all.divisors.begin());
    return all;
}

std::vector<std::unique_ptr<Evaluator>> evaluators() {
    std::vector<std::unique_ptr<Evaluator>> all;
    all.push_back(std::make_unique<Material>(std::array<float, 5>{100, 300, 300, 500, 900}));
    all.push_back(std::make_unique<Linear5>(std::array<float, 6>{100, 310.89f, 325.32f, 514.92f, 841.61f, 5.62f}));
    all.push_back(std::make_unique<Linear28>(exploitation()));
    all.push_back(std::make_unique<Linear35>(with_more_factors()));
    return all;
}

int factor(const Position& position, Color color, Factor which) { return factors(position, color)[index(which)]; }

constexpr Color kWhite = Color::White;
constexpr Color kBlack = Color::Black;

}  // namespace

// --- The thesis' own boards -------------------------------------------------------------------------------------
// Where the text of the thesis lost part of a board, the pieces that its examples name are all there is.

TEST(figure_23_counts_the_defenders_of_the_white_king) {
    const Position position = Position::from_fen("5k2/8/5q2/8/5B2/6Q1/3N4/R4RK1 w - - 0 1");
    CHECK_EQUAL(2500, factor(position, kWhite, Factor::KingDefence));
    CHECK_EQUAL(900, factor(position, kWhite, Factor::KingAttack));
}

TEST(figure_26_lets_the_queen_defend_through_her_rook) {
    const Position position = Position::from_fen("5rk1/6pp/8/8/8/3q4/6PP/Q1R2RK1 w - - 0 1");
    CHECK_EQUAL(1900, factor(position, kWhite, Factor::KingDefence));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::KingCastled));
    CHECK_EQUAL(2, factor(position, kWhite, Factor::KingPawns));
}

TEST(figure_27_counts_queen_and_rook_moves) {
    const Position position = Position::from_fen("q4rk1/ppp3pp/2b5/8/8/1P4Q1/PBP3PP/5RK1 w - - 0 1");
    CHECK_EQUAL(16, factor(position, kWhite, Factor::QueenMobility));
    CHECK_EQUAL(4, factor(position, kBlack, Factor::QueenMobility));
    CHECK_EQUAL(12, factor(position, kWhite, Factor::RookMobility));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::RookOpen));
    CHECK_EQUAL(1, factor(position, kBlack, Factor::RookOpen));
}

TEST(figure_28_counts_bishop_moves_and_a_rook_on_the_seventh) {
    const Position position = Position::from_fen("5r1k/4R3/p1pp4/3p1bQ1/3q1P2/7P/P2B2P1/7K w - - 0 1");
    CHECK_EQUAL(6, factor(position, kWhite, Factor::BishopMobility));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::RookSeventh));
    CHECK_EQUAL(0, factor(position, kWhite, Factor::RookSeventhFolded));
}

TEST(figure_29_counts_both_of_two_rooks_on_the_seventh) {
    const Position position = Position::from_fen("7k/1RR4p/8/8/8/8/8/6K1 w - - 0 1");
    CHECK_EQUAL(2, factor(position, kWhite, Factor::RookSeventh));
    CHECK_EQUAL(2, factor(position, kWhite, Factor::RookSeventhFolded));
}

TEST(figure_30_prefers_the_bishop_on_e5) {
    const Position position = Position::from_fen("r1b3k1/1p6/pP2p3/P2pB1P1/3N3P/6K1/8/8 w - - 0 1");
    CHECK_EQUAL(7, factor(position, kWhite, Factor::BishopMobility));
    CHECK_EQUAL(1, factor(position, kBlack, Factor::BishopMobility));
}

TEST(figure_31_prefers_the_supported_knight_on_d6) {
    const Position position = Position::from_fen("1n4k1/5ppp/3N2n1/4P3/8/8/5PPP/6K1 w - - 0 1");
    CHECK_EQUAL(8, factor(position, kWhite, Factor::KnightMobility));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::KnightSupported));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::KnightBase));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::KnightInner));
    CHECK_EQUAL(1, factor(position, kBlack, Factor::KnightRim));
}

TEST(figure_32_sees_pawns_doubled_isolated_central_and_passed) {
    const Position position = Position::from_fen("6k1/p4rp1/8/3P2p1/8/8/6K1/R7 w - - 0 1");
    CHECK_EQUAL(2, factor(position, kBlack, Factor::PawnDoubled));
    CHECK_EQUAL(3, factor(position, kBlack, Factor::PawnIsolated));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::PawnCentral));
    CHECK_EQUAL(1, factor(position, kWhite, Factor::PawnPassed));
    CHECK_EQUAL(0, factor(position, kWhite, Factor::PawnDoubled));
}

// --- Where the thesis is silent ---------------------------------------------------------------------------------

TEST(a_file_with_own_pawns_only_is_none_of_the_four_columns) {
    const Position position = Position::from_fen("4k3/8/8/8/8/R7/P7/4K3 w - - 0 1");
    for (Factor f : {Factor::RookOpen, Factor::RookHalfOpen, Factor::RookAhead, Factor::RookBehind})
        CHECK_EQUAL(0, factor(position, kWhite, f));
}

TEST(a_rook_between_its_own_pawns_is_behind) {
    const Position position = Position::from_fen("4k3/p7/8/P7/R7/P7/8/4K3 w - - 0 1");
    CHECK_EQUAL(1, factor(position, kWhite, Factor::RookBehind));
    CHECK_EQUAL(0, factor(position, kWhite, Factor::RookAhead));
}

TEST(a_king_that_shuts_in_its_rook_has_not_castled) {
    const auto castled = [](const char* fen) { return is_castled(Position::from_fen(fen), kWhite); };
    CHECK(castled("4k3/8/8/8/8/8/8/5RK1 w - - 0 1"));
    CHECK(castled("4k3/8/8/8/8/8/8/2KR4 w - - 0 1"));
    CHECK(!castled("4k3/8/8/8/8/8/8/6KR w - - 0 1"));
    CHECK(!castled("4k3/8/8/8/8/8/8/R1K5 w - - 0 1"));
    CHECK(!castled("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    CHECK(!castled("4k3/8/8/8/8/8/6K1/5R2 w - - 0 1"));
}

TEST(bearing_is_what_an_empty_board_says) {
    for (int k = 0; k < 64; ++k) {
        const Bitboard near = king_attacks(Square(k)) | bit(Square(k));
        const Bearing& bearing = bearing_on(Square(k), kWhite);
        for (int s = 0; s < 64; ++s) {
            const Square from(s);
            CHECK_EQUAL((pawn_attacks(from, kWhite) & near) != 0, contains(bearing[0], from));
            for (Kind kind : {Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen})
                CHECK_EQUAL((attacks_of(kind, from, 0) & near) != 0, contains(bearing[std::size_t(kind)], from));
        }
    }
}

TEST(equation_18_counts_twenty_moves_at_the_start) {
    CHECK_EQUAL(20, count_moves(Position::start(), kWhite));
    CHECK_EQUAL(20, count_moves(Position::start(), kBlack));
    Linear5 five({100, 300, 300, 500, 900, 10});
    const Position position = Position::from_fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");  // pawn 2 moves, kings 5 each
    CHECK_EQUAL(120, five.value(position));
}

// --- Properties -------------------------------------------------------------------------------------------------

TEST(both_colours_are_judged_alike) {
    for (const auto& evaluator : evaluators())
        wander([&](const Position& position) {
            const Position other = Position::from_fen(mirrored(position.fen()));
            CHECK_EQUAL(evaluator->value(position), evaluator->value(other));
            CHECK_EQUAL(mop_up(position), mop_up(other));
            CHECK_EQUAL(is_known_draw(position), is_known_draw(other));
        });
}

TEST(the_fast_sum_is_the_sum_of_the_factors) {
    const FactorWeights weights = exploitation();
    const AllFactorWeights all = with_more_factors();
    Linear28 fast(weights);
    Linear35 faster(all);
    wander([&](const Position& position) {
        const AllFactors ours = all_factors(position, position.turn());
        const AllFactors theirs = all_factors(position, ~position.turn());
        const auto sum = [&](const auto& w) {
            double sum = 0;
            for (std::size_t i = 0; i < w.weights.size(); ++i)
                sum += double(w.weights[i]) / w.divisors[i] * (ours[i] - theirs[i]);
            return sum;
        };
        CHECK(std::abs(fast.value(position) - sum(weights)) <= 1.0);
        CHECK(std::abs(faster.value(position) - sum(all)) <= 1.0);
    });
}

TEST(queens_and_bishops_have_three_factors_more) {
    // Figure 30 of the thesis: its bishop on c8 has four pawns ahead, that on e5 one.
    const Position position = Position::from_fen("r1b3k1/1p6/pP2p3/P2pB1P1/3N3P/6K1/8/8 w - - 0 1");
    const auto factor = [&](Color color, MoreFactor f) { return all_factors(position, color)[index(f)]; };
    CHECK_EQUAL(4, factor(kBlack, MoreFactor::BishopPawnsAhead));
    CHECK_EQUAL(1, factor(kWhite, MoreFactor::BishopPawnsAhead));
    CHECK_EQUAL(0, factor(kBlack, MoreFactor::BishopPawnMobility));

    const Position queens = Position::from_fen("q4rk1/ppp3pp/2b5/8/8/1P4Q1/PBP3PP/5RK1 w - - 0 1");  // Figure 27
    const AllFactors white = all_factors(queens, kWhite);
    CHECK_EQUAL(1, white[index(MoreFactor::QueenColumnType)]);
    CHECK_EQUAL(3, white[index(MoreFactor::QueenRow)]);
    CHECK_EQUAL(7, white[index(MoreFactor::QueenColumn)]);
    CHECK_EQUAL(16, white[index(Factor::QueenMobility)]);
}

TEST(remembered_pawns_are_the_pawns_on_the_board) {
    const PawnWeights weights{25600, -11264, -12288, -10496, 12288};
    PawnTable table(weights);
    wander([&](const Position& position) {
        const PawnStructure fresh = pawn_structure(position, weights);
        CHECK_EQUAL(fresh.units, table.at(position).units);
        CHECK(fresh.reach == table.at(position).reach);
    });
}

TEST(a_clone_has_the_same_opinion) {
    for (const auto& evaluator : evaluators()) {
        const auto clone = evaluator->clone();
        wander([&](const Position& position) { CHECK_EQUAL(evaluator->value(position), clone->value(position)); });
    }
}

TEST(huge_weights_stay_within_the_bounds) {
    FactorWeights weights;
    weights.weights.fill(20000);
    weights.divisors.fill(0.001f);
    Linear28 huge(weights);
    AllFactorWeights all;
    all.weights.fill(20000);
    all.divisors.fill(0.001f);
    Linear35 larger(all);
    wander([&](const Position& position) {
        CHECK(std::abs(huge.value(position)) <= kMaxEvaluation);
        CHECK(std::abs(larger.value(position)) <= kMaxEvaluation);
    });
}

TEST(expected_scores_and_centipawns_are_inverse) {
    CHECK_EQUAL(0.5, expected_score(0));
    CHECK(std::abs(expected_score(400) - 10.0 / 11.0) < 1e-12);
    for (int value = -2000; value <= 2000; value += 7) CHECK_EQUAL(value, centipawns(expected_score(value)));
    CHECK_EQUAL(kMaxEvaluation, centipawns(1.0));
    CHECK_EQUAL(-kMaxEvaluation, centipawns(0.0));
    CHECK_EQUAL(-kMaxEvaluation, centipawns(std::nan("")));
}

// --- Bare endings -----------------------------------------------------------------------------------------------

TEST(mop_up_likes_the_bare_king_on_the_edge_and_in_the_right_corner) {
    const auto of = [](const char* fen) { return mop_up(Position::from_fen(fen)); };
    CHECK(of("7k/8/5K2/8/8/8/8/R7 w - - 0 1") > of("8/8/8/3k4/8/5K2/8/R7 w - - 0 1"));
    CHECK(of("7k/8/5K2/8/8/8/8/R7 b - - 0 1") < 0);
    // A light bishop and a light corner; the same bishop and a dark corner.
    CHECK(of("k7/2K5/3N4/8/8/8/4B3/8 w - - 0 1") > of("7k/5K2/4N3/8/8/8/4B3/8 w - - 0 1"));
    CHECK_EQUAL(0, of("k7/2K5/3N4/3N4/8/8/8/8 w - - 0 1"));
    CHECK_EQUAL(0, of("k7/2K5/8/3P4/8/8/8/8 w - - 0 1"));
    CHECK_EQUAL(0, of("k7/2K5/8/8/8/8/4Q3/r7 w - - 0 1"));
    CHECK_EQUAL(0, of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
}

TEST(known_draws_are_few_and_sure) {
    const auto draw = [](const char* fen) { return is_known_draw(Position::from_fen(fen)); };
    CHECK(draw("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1"));
    CHECK(draw("4k1n1/8/8/8/8/8/8/2B1K3 w - - 0 1"));
    CHECK(draw("k7/8/8/P7/8/8/8/2B1K3 w - - 0 1"));    // the bishop on dark squares never attacks a8
    CHECK(!draw("k7/8/8/P7/8/8/8/4KB2 w - - 0 1"));    // this one does
    CHECK(!draw("8/8/8/P4k2/8/8/8/2B1K3 w - - 0 1"));  // the king is too far away
    CHECK(!draw("4k3/8/8/8/8/8/8/1BN1K3 w - - 0 1"));
    CHECK(!draw("4k1n1/8/8/8/8/8/8/2N1K1N1 w - - 0 1"));
    CHECK(!draw("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
}

int main() { return tests::run(); }
