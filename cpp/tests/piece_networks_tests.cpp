// Six networks: what the thesis says about its own boards, fast like slow, and brains that do not fit refused.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <span>

#include "check.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/piece_networks/piece_networks.h"
#include "wander.h"

using namespace okapi;
using tests::mirrored;
using tests::wander;

namespace {

constexpr std::array<const char*, kKinds> kNames = {"pawn", "knight", "bishop", "rook", "queen", "king"};

// Table 7 and Table 8 from Black's side of the board, which is where Black's bishop sees its second row.
constexpr BishopPawns kThesisPawns = {{
    {2, 4, 4, 8, 8, 4, 4, 2, 2, 4, 8, 16, 16, 8, 4, 2, 2, 4, 12, 24, 24, 12, 4, 2,
     2, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2,  2,  2, 2, 0, 0, 0, 0,  0,  0,  0,  0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 2, 2, 2, 2, 1, 0,
     0, 1, 2, 2, 2, 2, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
}};

PieceInputs inputs(const char* fen, const char* square) {
    const Square at(File(square[0] - 'a'), Rank(square[1] - '1'));
    return piece_inputs(Position::from_fen(fen), at, kThesisPawns);
}

void check_inputs(const PieceInputs& expected, const char* fen, const char* square) {
    for (std::size_t i = 0; i < 4; ++i) CHECK_EQUAL(expected[i], inputs(fen, square)[i]);
}

// Weights as evolution begins with; raw inputs or inputs between 0 and 1.
PieceNetworksWeights random_weights(unsigned seed, std::size_t hidden, bool raw) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<float> weight(-15, 15), pawn(0, 20);
    PieceNetworksWeights all{.material = {100, 300, 300, 500, 900}, .c = {50, 150, 150, 250, 450, 100}};
    for (PieceNetwork& network : all.networks) {
        network.hidden.resize(hidden);
        network.output.resize(hidden + 1);
        for (auto& node : network.hidden)
            for (float& w : node) w = weight(rng);
        for (float& w : network.output) w = weight(rng);
        network.divisors.fill(raw ? 1.0f : 20.0f);
    }
    for (auto& side : all.bishop_pawns)
        for (float& w : side) w = pawn(rng);
    return all;
}

Tensor tensor(std::vector<std::int64_t> shape, const std::vector<float>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {"F32", std::move(shape), {bytes.begin(), bytes.end()}};
}

Brain brain_of(const PieceNetworksWeights& all) {
    Brain brain;
    brain.card = {{"okapi", "1"}, {"name", "p"}, {"kind", "piece-networks"}, {"encoding", "pieces-24"}};
    std::vector<float> divisors;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        const PieceNetwork& network = all.networks[kind];
        std::vector<float> hidden;
        for (const auto& node : network.hidden) hidden.insert(hidden.end(), node.begin(), node.end());
        const auto nodes = std::int64_t(network.hidden.size());
        brain.tensors[std::string(kNames[kind]) + ".hidden"] = tensor({nodes, 5}, hidden);
        brain.tensors[std::string(kNames[kind]) + ".output"] = tensor({nodes + 1}, network.output);
        divisors.insert(divisors.end(), network.divisors.begin(), network.divisors.end());
    }
    std::vector<float> pawns(all.bishop_pawns[0].begin(), all.bishop_pawns[0].end());
    pawns.insert(pawns.end(), all.bishop_pawns[1].begin(), all.bishop_pawns[1].end());
    brain.tensors["bishop_pawns"] = tensor({2, kBishopPawns}, pawns);
    brain.tensors["divisors"] = tensor({kKinds, 4}, divisors);
    brain.tensors["material"] = tensor({5}, {all.material.begin(), all.material.end()});
    brain.tensors["c"] = tensor({kKinds}, {all.c.begin(), all.c.end()});
    return brain;
}

}  // namespace

// --- The thesis' own boards -------------------------------------------------------------------------------------
// Where the text of the thesis lost part of a board, the pieces that its examples name are all there is.

TEST(figure_23_weighs_the_pawns_that_obstruct_the_bishop_on_b6) {
    // 2 + 4 + 16 + 4: a7, c7 or g7, d6 and d4 are the squares of its colour that weigh so much.
    CHECK_EQUAL(26.0, inputs("5k2/p1p5/1b1p4/8/3p4/8/8/6K1 w - - 0 1", "b6")[3]);
    CHECK_EQUAL(26.0, inputs("6k1/8/8/3P4/8/1B1P4/P1P5/5K2 w - - 0 1", "b3")[3]);
    // The enemy's are weighed by Table 8; those on squares of the other colour not at all.
    CHECK_EQUAL(39.0, inputs("5k2/p1p5/1b1p4/2pp4/3p4/4P3/3P4/6K1 w - - 0 1", "b6")[3]);
}

TEST(figure_23_counts_the_material_around_the_white_king) {
    check_inputs({900, 2500, 1, 0}, "5k2/8/5q2/8/5B2/6Q1/3N4/R4RK1 w - - 0 1", "g1");
}

TEST(figure_26_is_a_castled_king_with_two_pawns) {
    check_inputs({1400, 1900, 1, 2}, "5rk1/6pp/8/8/8/3q4/6PP/Q1R2RK1 w - - 0 1", "g1");
}

TEST(figure_27_has_queens_and_rooks) {
    const char* fen = "q4rk1/ppp3pp/2b5/8/8/1P4Q1/PBP3PP/5RK1 w - - 0 1";
    check_inputs({16, 1, 3, 7}, fen, "g3");
    check_inputs({4, 2, 1, 1}, fen, "a8");
    check_inputs({12, 0, 0, 0}, fen, "f1");
    CHECK_EQUAL(0.0, inputs(fen, "f8")[1]);
}

TEST(figure_28_has_a_rook_on_the_seventh_row) {
    const char* fen = "5r1k/4R3/p1pp4/3p1bQ1/3q1P2/7P/P2B2P1/7K w - - 0 1";
    CHECK_EQUAL(6.0, inputs(fen, "d2")[0]);
    CHECK_EQUAL(1.0, inputs(fen, "e7")[2]);
    CHECK_EQUAL(0.0, inputs(fen, "e7")[3]);
}

TEST(figure_29_has_two) {
    for (const char* square : {"b7", "c7"}) {
        CHECK_EQUAL(1.0, inputs("7k/1RR4p/8/8/8/8/8/6K1 w - - 0 1", square)[2]);
        CHECK_EQUAL(1.0, inputs("7k/1RR4p/8/8/8/8/8/6K1 w - - 0 1", square)[3]);
    }
}

TEST(figure_30_has_a_good_and_a_bad_bishop) {
    const char* fen = "r1b3k1/1p6/pP2p3/P2pB1P1/3N3P/6K1/8/8 w - - 0 1";
    CHECK_EQUAL(0.0, inputs(fen, "c8")[1]);
    CHECK_EQUAL(2.0, inputs(fen, "e5")[1]);
    CHECK_EQUAL(4.0, inputs(fen, "c8")[2]);
    CHECK_EQUAL(1.0, inputs(fen, "e5")[2]);
}

TEST(figure_31_has_three_knights) {
    const char* fen = "1n4k1/5ppp/3N2n1/4P3/8/8/5PPP/6K1 w - - 0 1";
    check_inputs({8, 0, 1, 1}, fen, "d6");
    CHECK_EQUAL(1.0, inputs(fen, "b8")[1]);
    CHECK_EQUAL(0.0, inputs(fen, "g6")[1]);
}

TEST(figure_32_has_pawns_of_every_sort) {
    const char* fen = "6k1/p4rp1/8/3P2p1/8/8/6K1/R7 w - - 0 1";
    check_inputs({1, 1, 0, 1}, fen, "g7");
    check_inputs({0, 1, 1, 1}, fen, "d5");
}

// --- Where the thesis is silent ---------------------------------------------------------------------------------

TEST(a_column_of_own_pawns_only_counts_by_where_they_stand) {
    CHECK_EQUAL(2.0, inputs("4k3/8/8/8/8/P7/R7/4K3 w - - 0 1", "a2")[1]);
    CHECK_EQUAL(1.0, inputs("4k3/8/8/8/8/R7/P7/4K3 w - - 0 1", "a3")[1]);
    CHECK_EQUAL(2.0, inputs("4k3/p7/8/P7/R7/P7/8/4K3 w - - 0 1", "a4")[1]);
    CHECK_EQUAL(1.0, inputs("4k3/p7/8/8/R7/8/8/4K3 w - - 0 1", "a4")[1]);
}

TEST(rows_are_counted_from_the_own_side) {
    CHECK_EQUAL(1.0, inputs("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", "d8")[2]);
    CHECK_EQUAL(~Bitboard(0) << 8, rows_ahead(Square(0), Color::White));
    CHECK_EQUAL(Bitboard(0), rows_ahead(Square(63), Color::White));
    CHECK_EQUAL(Bitboard(0), rows_ahead(Square(0), Color::Black));
    CHECK_EQUAL(Bitboard(0xFF), rows_ahead(Square(8), Color::Black));
}

// --- Properties -------------------------------------------------------------------------------------------------

TEST(a_network_answers_by_hand) {
    const PieceNetwork network{
        .hidden = {{1, 0, 0, 0, -2}, {0, 0, 0.5f, 0, 0}}, .output = {2, -1, 0.5f}, .divisors = {2, 1, 1, 1}};
    const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
    CHECK(std::abs(logistic(2 * logistic(0) - logistic(1.5) + 0.5) - network.answer({4, 9, 3, 7})) < 1e-12);
}

TEST(the_fast_sum_is_the_plain_one) {
    unsigned seed = 0;
    for (std::size_t hidden : {1, 8, 9, 64})
        for (bool raw : {true, false}) {
            const PieceNetworksWeights weights = random_weights(++seed, hidden, raw);
            PieceNetworks fast(weights);
            wander([&](const Position& position) {
                CHECK(std::abs(fast.value(position) - plain_value(weights, position)) <= 1.0);
            });
        }
}

TEST(both_colours_are_judged_alike_and_clones_agree) {
    PieceNetworks networks(random_weights(7, 9, false));
    const auto clone = networks.clone();
    wander([&](const Position& position) {
        CHECK_EQUAL(networks.value(position), networks.value(Position::from_fen(mirrored(position.fen()))));
        CHECK_EQUAL(networks.value(position), clone->value(position));
    });
}

TEST(a_brain_holds_what_the_evaluator_needs) {
    PieceNetworksWeights weights = random_weights(3, 9, true);
    weights.networks[0] = random_weights(4, 3, true).networks[0];  // networks may differ in size
    const auto read = make_evaluator(brain_of(weights));
    PieceNetworks direct(weights);
    wander([&](const Position& position) { CHECK_EQUAL(direct.value(position), read->value(position)); });
}

TEST(extreme_weights_stay_within_the_bounds) {
    PieceNetworksWeights weights = random_weights(5, 64, true);
    for (PieceNetwork& network : weights.networks) {
        for (auto& node : network.hidden)
            for (float& w : node) w *= 1000;
        network.divisors.fill(std::numeric_limits<float>::denorm_min());
    }
    weights.c.fill(20000);
    PieceNetworks extreme(weights);
    wander([&](const Position& position) { CHECK(std::abs(extreme.value(position)) <= kMaxEvaluation); });
}

TEST(every_changed_byte_is_either_refused_or_harmless) {
    const Brain good = brain_of(random_weights(1, 9, true));
    std::mt19937 rng(1);
    for (const auto& [name, tensor] : good.tensors)
        for (int times = 0; times < 40; ++times) {
            Brain brain = good;
            auto& bytes = brain.tensors.at(name).data;
            bytes[rng() % bytes.size()] = std::byte(rng());
            try {
                const auto evaluator = make_evaluator(brain);
                for (const char* fen : tests::kPositions)
                    CHECK(std::abs(evaluator->value(Position::from_fen(fen))) <= kMaxEvaluation);
            } catch (const InvalidBrain&) {
            }
        }
}

TEST(brains_that_do_not_fit_are_refused_with_advice) {
    const Brain good = brain_of(random_weights(1, 9, true));
    const auto says = [&](const char* words, const std::function<void(Brain&)>& spoil) {
        Brain brain = good;
        spoil(brain);
        try {
            make_evaluator(brain);
            tests::fail(__FILE__, __LINE__, "not refused: " + std::string(words));
        } catch (const InvalidBrain& invalid) {
            if (std::string(invalid.what()).find(words) == std::string::npos)
                tests::fail(__FILE__, __LINE__, "expected '" + std::string(words) + "' in: " + invalid.what());
        }
    };
    const auto first = [](const std::string& name, float value) {
        return [=](Brain& brain) { std::memcpy(brain.tensors.at(name).data.data(), &value, sizeof value); };
    };
    make_evaluator(good);
    says("pieces-24", [](Brain& brain) { brain.card["encoding"] = "factors-29"; });
    says("expected 16", [](Brain& brain) { brain.tensors["extra"] = {}; });
    says("no tensor 'king.output'", [](Brain& brain) {
        brain.tensors.erase("king.output");
        brain.tensors["king.outputs"] = {};
    });
    says("1 to 64", [](Brain& brain) { brain.tensors["pawn.hidden"] = tensor({0, 5}, {}); });
    says("1 to 64", [](Brain& brain) { brain.tensors["pawn.hidden"] = tensor({}, {1}); });
    says("1 to 64", [](Brain& brain) { brain.tensors["pawn.hidden"] = tensor({65, 5}, std::vector<float>(325)); });
    says("expected F32 [9, 5]",
         [](Brain& brain) { brain.tensors["rook.hidden"] = tensor({9, 4}, std::vector<float>(36)); });
    says("expected F32 [10]", [](Brain& brain) { brain.tensors["rook.output"] = tensor({9}, std::vector<float>(9)); });
    says("expected F32 [2, 48]",
         [](Brain& brain) { brain.tensors["bishop_pawns"] = tensor({96}, std::vector<float>(96)); });
    says("expected F32 [6, 4]", [](Brain& brain) { brain.tensors["divisors"] = tensor({24}, std::vector<float>(24)); });
    says("expected F32 [5]", [](Brain& brain) { brain.tensors["material"].type = "I32"; });
    says("nan", first("queen.hidden", std::nanf("")));
    says("inf", first("bishop_pawns", std::numeric_limits<float>::infinity()));
    says("at most 20,000", first("c", 1e9f));
    says("at most 20,000", first("knight.output", -1e9f));
    says("above 0", first("divisors", 0));
    says("above 0", first("divisors", -1));
}

int main() { return tests::run(); }
