// Convolutional networks: every set of instructions like plain arithmetic, whole networks like their definition, and a
// position alike in any batch.
#include <algorithm>
#include <cmath>
#include <random>

#include "check.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/conv/convolutional.h"

using namespace okapi;

namespace {

using Numbers = AlignedVector<float>;
using Doubles = std::vector<double>;

Numbers random_numbers(std::size_t count, unsigned seed, float spread = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-spread, spread);
    Numbers numbers(count);
    for (float& x : numbers) x = number(random);
    return numbers;
}

// Weights as PyTorch would begin with.
struct Linear {
    Linear(std::size_t outputs, std::size_t inputs, unsigned seed)
        : weights(random_numbers(outputs * inputs, seed, std::sqrt(3 / float(inputs)))),
          bias(random_numbers(outputs, seed + 1, 0.1f)) {}
    operator LinearView() const { return {weights, bias}; }

    Numbers weights, bias;
};

double distance(const Doubles& expected, const Numbers& actual) {
    double most = expected.size() == actual.size() ? 0 : 1, scale = 1e-9;
    for (std::size_t i = 0; i < expected.size() && i < actual.size(); ++i) {
        most = std::max(most, std::abs(expected[i] - double(actual[i])));
        scale = std::max(scale, std::abs(expected[i]));
    }
    return most / scale;
}

// --- The slow twins
// ---------------------------------------------------------------------------------------------------

Doubles plain_dense(const Doubles& x, const Linear& layer) {
    Doubles y(layer.bias.begin(), layer.bias.end());
    for (std::size_t output = 0; output < y.size(); ++output)
        for (std::size_t input = 0; input < x.size(); ++input)
            y[output] += double(layer.weights[output * x.size() + input]) * x[input];
    return y;
}

Doubles plain_convolve(const Doubles& x, const Linear& kernels, int size) {
    const std::size_t inputs = x.size() / 64;
    Doubles y;
    for (std::size_t output = 0; output < kernels.bias.size(); ++output)
        for (int rank = 0; rank < 8; ++rank)
            for (int file = 0; file < 8; ++file) {
                double sum = kernels.bias[output];
                for (std::size_t input = 0; input < inputs; ++input)
                    for (int i = 0; i < size * size; ++i) {
                        const int r = rank + i / size - size / 2, f = file + i % size - size / 2;
                        if (r < 0 || r > 7 || f < 0 || f > 7) continue;
                        const std::size_t weight =
                            (output * inputs + input) * std::size_t(size * size) + std::size_t(i);
                        sum += double(kernels.weights[weight]) * x[input * 64 + std::size_t(r * 8 + f)];
                    }
                y.push_back(sum);
            }
    return y;
}

Doubles relu(Doubles x) {
    for (double& number : x) number = std::max(number, 0.0);
    return x;
}

Doubles plain_gate(const Doubles& found, const Linear& narrow, const Linear& wide) {
    Doubles mean(found.size() / 64);
    for (std::size_t i = 0; i < found.size(); ++i) mean[i / 64] += found[i] / 64;
    Doubles gate = plain_dense(relu(plain_dense(mean, narrow)), wide);
    for (double& number : gate) number = 1 / (1 + std::exp(-number));
    return gate;
}

Numbers answers(const ConvolutionalNetwork& network, const Numbers& boards) {
    const std::size_t count = boards.size() / network.inputs();
    Numbers out(count * network.outputs());
    network.answer(boards.data(), count, out.data());
    return out;
}

// How far a network is from its definition, on a few boards.
template <class Definition> double error(const ConvolutionalNetwork& network, const Definition& definition) {
    const Numbers boards = random_numbers(5 * network.inputs(), 7);
    Doubles expected;
    for (std::size_t n = 0; n < 5; ++n) {
        const float* board = boards.data() + n * network.inputs();
        const Doubles said = definition(Doubles(board, board + network.inputs()));
        expected.insert(expected.end(), said.begin(), said.end());
    }
    return distance(expected, answers(network, boards));
}

}  // namespace

TEST(products_are_those_of_plain_arithmetic) {
    for (const Blocks& blocks : known_blocks())
        for (std::size_t depth : {1, 19, 130})
            for (std::size_t count = 0; count < 27; ++count) {
                const Numbers rows = random_numbers(count * depth, 1), panel = random_numbers(depth * kPanel, 2);
                Numbers out(count * kPanel, 1.0f);
                blocks.multiply(rows.data(), depth, count, panel.data(), depth, true, out.data(), kPanel);
                Doubles expected(count * kPanel, 1.0);
                for (std::size_t i = 0; i < expected.size(); ++i)
                    for (std::size_t k = 0; k < depth; ++k)
                        expected[i] += double(rows[i / kPanel * depth + k]) * panel[k * kPanel + i % kPanel];
                CHECK(distance(expected, out) < 1e-5);
            }
}

TEST(frequencies_are_alike_with_all_instructions) {
    const Numbers board = random_numbers(64 * kPanel, 1), more = random_numbers(64 * kPanel, 2);
    const Numbers bias = random_numbers(kPanel, 3);
    const TileSteps steps{kPanel, kTiles * kPanel};
    for (const Blocks& blocks : known_blocks()) {
        Numbers there(kFrequencies * steps.frequency), back(64 * kPanel), plain_there = there, plain_back = back;
        blocks.to_frequencies(board.data(), kPanel, kPanel, there.data(), steps);
        known_blocks()[0].to_frequencies(board.data(), kPanel, kPanel, plain_there.data(), steps);
        CHECK(distance(Doubles(plain_there.begin(), plain_there.end()), there) < 1e-6);
        const Finish finish{bias.data(), more.data(), true};
        blocks.from_frequencies(plain_there.data(), steps, finish, back.data(), kPanel);
        known_blocks()[0].from_frequencies(plain_there.data(), steps, finish, plain_back.data(), kPanel);
        CHECK(distance(Doubles(plain_back.begin(), plain_back.end()), back) < 1e-6);
    }
}

TEST(convolutions_are_those_of_their_definition) {
    for (int size : {1, 3, 5})
        for (auto [inputs, outputs] : {std::pair<std::size_t, std::size_t>{1, 1}, {19, 40}, {70, 64}}) {
            const Linear kernels(outputs, inputs * std::size_t(size * size), 3);
            ConvolutionalNetwork network({inputs, 8, 8});
            network.convolve(kernels, Activation::Relu);
            network.flatten();
            CHECK(error(network, [&](const Doubles& x) { return relu(plain_convolve(x, kernels, size)); }) < 1e-5);
        }
}

TEST(dense_layers_see_planes_in_their_order) {
    const Linear kernels(5, 9 * 3, 1), first(140, 5 * 64, 3), second(2, 140, 5);
    ConvolutionalNetwork network({3, 8, 8});
    network.convolve(kernels, Activation::None);
    network.flatten();
    network.dense(first, Activation::Relu);
    network.dense(second, Activation::None);
    const auto definition = [&](const Doubles& x) {
        return plain_dense(relu(plain_dense(plain_convolve(x, kernels, 3), first)), second);
    };
    CHECK(error(network, definition) < 1e-5);
}

TEST(residual_blocks_add_as_much_as_their_gate_says) {
    const Linear first(33, 9 * 20, 1), second(20, 9 * 33, 3), narrow(4, 20, 5), wide(20, 4, 7);
    for (bool squeezed : {false, true}) {
        ConvolutionalNetwork network({20, 8, 8});
        const std::vector<LinearView> squeeze = {narrow, wide};
        network.residual(first, second, squeezed ? std::span<const LinearView>(squeeze) : std::span<const LinearView>(),
                         Activation::Relu);
        network.flatten();
        const auto definition = [&](const Doubles& x) {
            Doubles found = plain_convolve(relu(plain_convolve(x, first, 3)), second, 3);
            const Doubles gate = squeezed ? plain_gate(found, narrow, wide) : Doubles(20, 1.0);
            for (std::size_t i = 0; i < found.size(); ++i) found[i] = x[i] + gate[i / 64] * found[i];
            return relu(found);
        };
        CHECK(error(network, definition) < 1e-5);
    }
}

TEST(every_two_squares_get_a_number) {
    const Linear queries(7, 12, 1), keys(7, 12, 3);
    ConvolutionalNetwork network({12, 8, 8});
    network.from_to(queries, keys);
    CHECK_EQUAL(std::size_t(4096), network.outputs());
    const auto definition = [&](const Doubles& x) {
        const Doubles q = plain_convolve(x, queries, 1), k = plain_convolve(x, keys, 1);
        Doubles logits(4096);
        for (std::size_t i = 0; i < logits.size() * 7; ++i)
            logits[i / 7] += q[i % 7 * 64 + i / 7 / 64] * k[i % 7 * 64 + i / 7 % 64] / std::sqrt(7.0);
        return logits;
    };
    CHECK(error(network, definition) < 1e-5);
}

TEST(a_board_is_answered_alike_in_any_company) {
    const Linear kernels(40, 9 * 12, 1), wide(6, 25 * 40, 3), last(9, 6 * 64, 5);
    ConvolutionalNetwork network({12, 8, 8});
    network.convolve(kernels, Activation::Elu);
    network.convolve(wide, Activation::Relu);
    network.flatten();
    network.dense(last, Activation::Tanh);
    const std::size_t count = 131;  // more than go through all layers together
    const Numbers boards = random_numbers(count * network.inputs(), 1), together = answers(network, boards);
    for (std::size_t n : {0, 1, 64, 127, 128, 130}) {
        const float* board = boards.data() + n * network.inputs();
        const Numbers alone = answers(network, Numbers(board, board + network.inputs()));
        CHECK(std::equal(alone.begin(), alone.end(), together.begin() + std::ptrdiff_t(n * network.outputs())));
    }
    CHECK(answers(network, {}).empty());
}

TEST(numbers_need_no_squares) {
    const Linear layer(3, 5, 1);
    ConvolutionalNetwork network({5});
    network.dense(layer, Activation::None);
    CHECK(error(network, [&](const Doubles& x) { return plain_dense(x, layer); }) < 1e-6);
}

TEST(sizes_that_do_not_fit_are_refused) {
    const Linear three(4, 9 * 2, 1), one(3, 2, 1), empty(0, 0, 1);
    ConvolutionalNetwork network({2, 8, 8});
    CHECK_THROWS(InvalidBrain, network.dense(Linear(3, 128, 1), Activation::None));
    CHECK_THROWS(InvalidBrain, network.convolve(Linear(4, 9, 1), Activation::None));
    CHECK_THROWS(InvalidBrain, network.convolve(Linear(4, 2 * 4, 1), Activation::None));
    CHECK_THROWS(InvalidBrain, network.convolve(empty, Activation::None));
    CHECK_THROWS(InvalidBrain, network.residual(three, three, {}, Activation::None));
    CHECK_THROWS(InvalidBrain, network.from_to(one, Linear(4, 2, 1)));
    network.flatten();
    CHECK_THROWS(InvalidBrain, network.convolve(three, Activation::None));
    CHECK_THROWS(InvalidBrain, network.dense(empty, Activation::None));
}

int main() { return okapi::tests::run(); }
