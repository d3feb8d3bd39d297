// The NNUE beside its definition, however a position was reached and whatever this machine can do.
#include <random>

#include "check.h"
#include "doubting.h"
#include "okapi/eval/nnue/nnue.h"

using namespace okapi;
using tests::searched_in_doubt, tests::stray, tests::wander;

namespace {

NnueWeights random_weights(std::size_t neurons, std::size_t buckets = 8) {
    std::mt19937 random(1);
    const auto fill = [&](auto& numbers, std::size_t size, int least, int most) {
        numbers.resize(size);
        for (auto& number : numbers)
            number = std::remove_reference_t<decltype(number)>(least + int(random() % unsigned(most - least + 1)));
    };
    NnueWeights weights;
    weights.accumulator.neurons = neurons;
    fill(weights.accumulator.rows, 768 * neurons, -100, 100);
    fill(weights.accumulator.bias, neurons, -100, 200);
    weights.buckets = buckets;
    fill(weights.output, 2 * neurons * buckets, -128, 127);
    fill(weights.output_bias, buckets, -5000, 5000);
    weights.scale = 174;
    return weights;
}

// The network's output by definition, from the board alone.
int plain_value(const NnueWeights& weights, const Position& position) {
    const std::size_t neurons = weights.accumulator.neurons;
    const std::size_t bucket = weights.bucket(count(position.pieces()));
    std::int64_t sum = 0;
    for (Color side : {position.turn(), ~position.turn()}) {
        const int turned = (side == Color::Black ? 56 : 0) ^ (position.king(side).file() >= File::E ? 7 : 0);
        for (std::size_t neuron = 0; neuron < neurons; ++neuron) {
            int number = weights.accumulator.bias[neuron];
            for (Square square : squares(position.pieces())) {
                const Piece piece = position.at(square);
                const int man = int(piece.kind()) + (piece.color() == side ? 0 : 6);
                const auto row = std::size_t(64 * man + (square.index ^ turned));
                number += weights.accumulator.rows[row * neurons + neuron];
            }
            const int clamped = std::clamp(number, 0, 255);
            const std::size_t half = side == position.turn() ? 0 : neurons;
            sum += clamped * clamped * weights.output[2 * neurons * bucket + half + neuron];
        }
    }
    return int((sum / 255 + weights.output_bias[bucket]) * weights.scale / (255 * 64));
}

}  // namespace

TEST(every_kernel_agrees_with_the_definition) {
    CHECK_EQUAL(std::string("plain"), known_accumulator_kernels().front().name);
    for (const AccumulatorKernels& kernels : known_accumulator_kernels())
        for (std::size_t neurons : {32, 64, 96, 256, 1024}) {
            const NnueWeights weights = random_weights(neurons);
            Nnue network(weights, kernels);
            for (const char* fen : tests::kPositions) {
                const Position position = Position::from_fen(fen);
                network.reset(position);
                CHECK_EQUAL(plain_value(weights, position), network.value(position));
            }
        }
}

TEST(the_way_to_a_position_leaves_no_trace) {
    const NnueWeights weights = random_weights(32);
    for (const AccumulatorKernels& kernels : known_accumulator_kernels()) {
        Nnue network(weights, kernels);
        stray(network,
              [&](const Position& position) { CHECK_EQUAL(plain_value(weights, position), network.value(position)); });
    }
}

TEST(lines_may_be_longer_than_expected) {
    const NnueWeights weights = random_weights(32);
    Nnue network(weights);
    Position position = Position::start();
    network.reset(position);
    CHECK_EQUAL(plain_value(weights, position), network.value(position));
    std::mt19937 random(1);
    for (int ply = 0; ply < 400; ++ply) {
        const MoveList moves = legal_moves(position);
        if (moves.empty()) break;
        const Move move = moves[int(random() % unsigned(moves.size()))];
        network.push(position, move);
        position.play(move);
    }
    CHECK(position.plies() > 150);
    CHECK_EQUAL(plain_value(weights, position), network.value(position));
}

TEST(a_search_asks_for_what_it_pushed) {
    const NnueWeights weights = random_weights(32);
    const auto expected = [&](const Position& position) { return plain_value(weights, position); };
    const auto [asked, wrong] = searched_in_doubt(std::make_unique<Nnue>(weights), expected);
    CHECK(asked > 1000);
    CHECK_EQUAL(0, wrong);
}

TEST(copies_share_nothing_but_weights) {
    const NnueWeights weights = random_weights(64);
    Nnue network(weights);
    const auto copy = network.clone();
    wander([&](const Position& position) {
        network.reset(position);
        copy->reset(position);
        CHECK_EQUAL(network.value(position), copy->value(position));
    });
}

// Sums that overflow on the way are right in the end, if the end fits.
TEST(overflows_cancel_out) {
    NnueWeights weights = random_weights(512, 1);
    for (std::size_t i = 0; i < weights.output.size(); ++i) weights.output[i] = i < 512 ? 127 : -128;
    std::ranges::fill(weights.accumulator.bias, std::int16_t(20000));
    for (const AccumulatorKernels& kernels : known_accumulator_kernels()) {
        Nnue network(weights, kernels);
        const Position position = Position::start();
        network.reset(position);
        CHECK_EQUAL(plain_value(weights, position), network.value(position));
    }
}

TEST(pairs_and_layers_of_bytes_are_the_same_on_every_machine) {
    std::mt19937 random(3);
    std::vector<std::int16_t> sums(1024);
    for (auto& number : sums) number = std::int16_t(int(random() % 700) - 350);
    for (const AccumulatorKernels& kernels : known_accumulator_kernels())
        for (const auto& [most, shift] : {std::pair{127, 7}, std::pair{255, 9}})
            for (const auto& [size, outputs] :
                 {std::pair{512, 16}, std::pair{96, 16}, std::pair{32, 32}, std::pair{4, 48}}) {
                std::vector<std::uint8_t> inputs(512);
                kernels.pairs(inputs.data(), sums.data(), 512, std::int16_t(most), shift);
                std::vector<std::int8_t> weights(std::size_t(size * outputs));
                for (auto& number : weights) number = std::int8_t(int(random() % 256) - 128);
                std::vector<std::int32_t> found(std::size_t(outputs), 7);
                kernels.dense(found.data(), inputs.data(), weights.data(), std::size_t(size), std::size_t(outputs));
                for (int n = 0; n < outputs; ++n) {
                    std::int32_t expected = 7;
                    for (int i = 0; i < size; ++i) {
                        const auto at = std::size_t(i);
                        const int pair = std::clamp<int>(sums[at], 0, most) * std::clamp<int>(sums[512 + at], 0, most);
                        CHECK_EQUAL(pair >> shift, int(inputs[at]));
                        expected += (pair >> shift) * weights[std::size_t((i / 4 * outputs + n) * 4 + i % 4)];
                    }
                    CHECK_EQUAL(expected, found[std::size_t(n)]);
                }
            }
}

// King buckets: a king that moves to another bucket, and back.
TEST(the_way_leaves_no_trace_with_king_buckets_either) {
    NnueWeights weights = random_weights(32);
    AccumulatorLayout& layout = weights.accumulator.layout;
    layout.buckets = 4;
    for (std::size_t square = 0; square < 64; ++square) layout.bucket[square] = std::uint8_t(square % 4);
    std::mt19937 random(2);
    weights.accumulator.rows.resize(layout.rows() * 32);
    for (auto& number : weights.accumulator.rows) number = std::int16_t(int(random() % 201) - 100);
    Nnue network(weights);
    stray(network, [&](const Position& position) {
        Nnue fresh(weights);
        fresh.reset(position);
        CHECK_EQUAL(fresh.value(position), network.value(position));
    });
}

int main() { return tests::run(); }
