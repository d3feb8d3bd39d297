// Giraffe: fast like slow with every set of instructions, the same by any way that leads to a position, and alike for
// both sides where it sees the board as the mover does.
#include <cmath>
#include <random>

#include "check.h"
#include "dense.h"
#include "giraffe_first.h"
#include "okapi/eval/giraffe/giraffe.h"
#include "wander.h"

using namespace okapi;
using tests::plain_first;
using tests::plain_layer;
using tests::random_layer;
using tests::relu;
using tests::wander;

namespace {

GiraffeWeights random_network(bool mover, std::array<std::size_t, 4> sizes = {19, 44, 26, 64}) {
    std::mt19937 random(1);
    GiraffeWeights network{.mover = mover, .first = {}, .joined = {}, .output = {}};
    for (std::size_t i = 0; i < 3; ++i)
        network.first[i] = random_layer(giraffe::kModalities[i].count, sizes[i], random);
    network.joined = random_layer(sizes[0] + sizes[1] + sizes[2], sizes[3], random);
    network.output = random_layer(sizes[3], 1, random);
    for (float& w : network.output.weights) w *= 20;  // so that positions differ by pawns
    return network;
}

// The slow twin: the encoding's numbers, and every layer as it is defined.
double plain_answer(const GiraffeWeights& network, const Position& position) {
    std::vector<double> first = plain_first(network.first, network.mover, position);
    relu(first);
    std::vector<double> joined = plain_layer(network.joined, first.data());
    relu(joined);
    const double z = plain_layer(network.output, joined.data())[0];
    return network.mover || position.turn() == Color::White ? z : -z;
}

}  // namespace

TEST(every_kernel_agrees_with_the_plain_definition) {
    for (const Kernels& kernels : known_kernels())
        for (bool mover : {true, false})
            for (std::array<std::size_t, 4> sizes :
                 {std::array<std::size_t, 4>{19, 44, 26, 64}, {19, 11, 7, 64}, {1, 1, 1, 1}, {512, 100, 17, 130}}) {
                const GiraffeWeights weights = random_network(mover, sizes);
                Giraffe network(weights, kernels);
                for (const char* fen : tests::kPositions) {
                    const Position position = Position::from_fen(fen);
                    const double expected = plain_answer(weights, position);
                    CHECK(std::abs(expected - double(network.answer(position))) < 1e-3);
                    CHECK(std::abs(347.43558552 * expected - network.value(position)) < 0.9);
                }
            }
}

// Sums are whole numbers, so equal means equal.
TEST(the_way_to_a_position_leaves_no_trace) {
    for (const Kernels& kernels : known_kernels())
        for (bool mover : {true, false}) {
            Giraffe network(random_network(mover), kernels);
            const Giraffe untouched = network;
            wander([&](const Position& position) {
                Giraffe fresh(untouched);
                CHECK_EQUAL(fresh.answer(position), network.answer(position));
            });
        }
}

TEST(both_sides_are_judged_alike_as_the_mover_sees_them) {
    Giraffe network(random_network(true));
    wander([&](const Position& position) {
        const Position other = Position::from_fen(tests::mirrored(position.fen()));
        CHECK_EQUAL(network.value(position), network.value(other));
    });
}

TEST(a_value_is_remembered_and_copies_share_nothing_but_weights) {
    Giraffe network(random_network(true));
    const auto copy = network.clone();
    wander([&](const Position& position) {
        const int first = network.value(position);
        CHECK_EQUAL(first, network.value(position));
        CHECK_EQUAL(first, copy->value(position));
    });
}

TEST(extreme_weights_and_positions_stay_within_bounds) {
    for (float size : {0.0f, 2e4f, -2e4f}) {
        GiraffeWeights weights = random_network(true);
        for (DenseLayer& layer : weights.first) std::ranges::fill(layer.weights, size);
        std::ranges::fill(weights.joined.weights, 2e4f);
        std::ranges::fill(weights.output.weights, 2e4f);
        Giraffe network(weights);
        for (const char* fen : {tests::kPositions[1], "qqqqkqqq/qqqqqqqq/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
                                "4k3/pppppppp/8/8/8/QQQQQQQQ/QQQQQQQ1/4K3 b - - 0 1"}) {
            const int value = network.value(Position::from_fen(fen));
            CHECK(value >= -kMaxEvaluation && value <= kMaxEvaluation);
        }
    }
}

int main() { return tests::run(); }
