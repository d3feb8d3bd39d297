// The move network: fast like slow with every set of instructions, probabilities that are some, and both sides alike.
#include <cmath>
#include <map>
#include <random>

#include "check.h"
#include "dense.h"
#include "giraffe_first.h"
#include "okapi/eval/giraffe/giraffe_features.h"
#include "okapi/eval/giraffe/move_features.h"
#include "okapi/eval/giraffe/move_network.h"
#include "wander.h"

using namespace okapi;
using tests::plain_first;
using tests::plain_layer;
using tests::random_layer;
using tests::relu;

namespace {

constexpr std::size_t kPlain = 15;  // the thesis' features of a move

MoveNetworkWeights random_network(bool alone, bool hidden, std::array<std::size_t, 6> sizes = {9, 20, 17, 12, 24, 7}) {
    std::mt19937 random(1);
    MoveNetworkWeights network;
    network.mover = !alone;
    network.alone = alone;
    for (std::size_t i = 0; i < 3; ++i)
        network.first[i] = random_layer(giraffe::kModalities[i].count, sizes[i], random);
    network.move = random_layer(alone ? kPlain : MoveQuestions::kColumns, sizes[3], random);
    for (float& w : network.move.weights) w *= alone ? 1 : 10;  // few columns speak at a time
    network.joined = random_layer(sizes[0] + sizes[1] + sizes[2] + sizes[3], sizes[4], random);
    if (hidden) network.hidden = random_layer(sizes[4], sizes[5], random);
    network.output = random_layer(hidden ? sizes[5] : sizes[4], 1, random);
    return network;
}

// The slow twin: every layer as it is defined, for one move at a time.
double plain_score(const MoveNetworkWeights& network, const Position& position, const std::vector<double>& move) {
    std::vector<double> first = plain_first(network.first, network.mover, position);
    const auto told = plain_layer(network.move, move.data());
    first.insert(first.end(), told.begin(), told.end());
    relu(first);
    std::vector<double> joined = plain_layer(network.joined, first.data());
    relu(joined);
    if (network.hidden) {
        joined = plain_layer(*network.hidden, joined.data());
        relu(joined);
    }
    return plain_layer(network.output, joined.data())[0];
}

std::vector<double> columns_of(const Position& position, Move move) {
    std::vector<double> columns(MoveQuestions::kColumns);
    for (std::uint32_t column : MoveQuestions(position).answers(move)) columns[column] = 1;
    return columns;
}

std::vector<double> plain_features_of(const Position& position, Move move, double rank) {
    std::vector<double> features(kPlain);
    const Square from = move.from(), to = target_of(move);
    features[std::size_t(position.at(from).kind())] = 1;
    features[6] = int(from.file()) / 7.0, features[7] = int(from.rank()) / 7.0;
    features[8] = int(to.file()) / 7.0, features[9] = int(to.rank()) / 7.0;
    if (move.promotes()) features[9 + std::size_t(move.promotion())] = 1;
    features[14] = rank;
    return features;
}

template <class Function> void wander_with_moves(Function visit) {
    int count = 0;
    tests::wander([&](const Position& position) {
        const MoveList moves = legal_moves(position);
        if (!moves.empty() && ++count % 5 == 0) visit(position, std::span(moves.begin(), moves.end()));
    });
}

}  // namespace

TEST(every_kernel_agrees_with_the_plain_definition) {
    for (bool hidden : {true, false}) {
        const MoveNetworkWeights weights = random_network(false, hidden);
        for (const Kernels& kernels : known_kernels()) {
            MoveNetwork network(weights, kernels);
            for (const char* fen : tests::kPositions) {
                const Position position = Position::from_fen(fen);
                const MoveList moves = legal_moves(position);
                std::vector<float> scores(std::size_t(moves.size()));
                network.scores(position, {moves.begin(), moves.end()}, scores);
                for (int i = 0; i < moves.size(); ++i)
                    CHECK(std::abs(plain_score(weights, position, columns_of(position, moves[i])) -
                                   double(scores[std::size_t(i)])) < 1e-3);
            }
        }
    }
}

TEST(the_thesis_way_has_two_passes_and_the_second_knows_the_rank) {
    const MoveNetworkWeights weights = random_network(true, false);
    MoveNetwork network(weights);
    for (const char* fen : tests::kPositions) {
        const Position position = Position::from_fen(fen);
        const MoveList moves = legal_moves(position);
        std::vector<float> scores(std::size_t(moves.size()));
        network.scores(position, {moves.begin(), moves.end()}, scores);
        std::vector<double> alone;
        for (Move move : moves) alone.push_back(plain_score(weights, position, plain_features_of(position, move, 0)));
        for (int i = 0; i < moves.size(); ++i) {
            const auto before = std::ranges::count_if(alone, [&](double a) { return a > alone[std::size_t(i)]; });
            const double rank = double(before) / moves.size();
            const double expected = plain_score(weights, position, plain_features_of(position, moves[i], rank));
            CHECK(std::abs(expected - double(scores[std::size_t(i)])) < 1e-3);
        }
    }
}

TEST(probabilities_are_some_and_copies_say_the_same) {
    for (bool alone : {true, false}) {
        MoveNetwork network(random_network(alone, true));
        const auto copy = network.clone();
        wander_with_moves([&](const Position& position, std::span<const Move> moves) {
            std::vector<float> said(moves.size()), again(moves.size());
            network.probabilities(position, moves, said);
            copy->probabilities(position, moves, again);
            double total = 0;
            for (float share : said) {
                CHECK(share >= 0);
                total += double(share);
            }
            CHECK(std::abs(total - 1) < 1e-4);
            CHECK(said == again);
            network.probabilities(position, moves, again);
            CHECK(said == again);
        });
    }
}

TEST(what_was_said_of_moves_in_another_order_is_not_remembered) {
    MoveNetwork network(random_network(false, true));
    wander_with_moves([&](const Position& position, std::span<const Move> moves) {
        const std::vector<Move> turned(moves.rbegin(), moves.rend());
        std::vector<float> said(moves.size()), other(moves.size());
        network.probabilities(position, moves, said);
        network.probabilities(position, turned, other);
        for (std::size_t i = 0; i < moves.size(); ++i) CHECK(std::abs(said[i] - other[moves.size() - 1 - i]) < 1e-6F);
    });
}

TEST(both_sides_are_told_alike) {
    MoveNetwork network(random_network(false, true));
    wander_with_moves([&](const Position& position, std::span<const Move> moves) {
        if (position.en_passant().exists()) return;  // mirrored() forgets it
        const Position other = Position::from_fen(tests::mirrored(position.fen()));
        const MoveList others = legal_moves(other);
        CHECK_EQUAL(int(moves.size()), others.size());
        std::vector<float> said(moves.size()), turned(moves.size());
        network.scores(position, moves, said);
        network.scores(other, {others.begin(), others.end()}, turned);
        std::map<std::uint16_t, float> found;
        for (int i = 0; i < others.size(); ++i) found[others[i].bits] = turned[std::size_t(i)];
        for (std::size_t i = 0; i < moves.size(); ++i)
            CHECK_EQUAL(found.at(std::uint16_t(moves[i].bits ^ (56 | 56 << 6))), said[i]);
    });
}

int main() { return tests::run(); }
