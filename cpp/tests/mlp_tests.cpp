// MLPs: fast like slow with every set of instructions, the same by any way that leads to a position, and right
// about what their outputs mean.
#include <cmath>
#include <random>

#include "check.h"
#include "doubting.h"
#include "okapi/encode/encode.h"
#include "okapi/eval/mlp/mlp.h"

using namespace okapi;
using tests::searched_in_doubt, tests::stray, tests::wander;

namespace {

using Form = NetworkOutput::Form;

// Weights as PyTorch would begin with.
DenseLayer random_layer(std::size_t inputs, std::size_t outputs, Activation activation, unsigned seed) {
    std::mt19937 random(seed);
    const float spread = 1 / std::sqrt(float(inputs));
    std::uniform_real_distribution<float> weight(-spread, spread);
    DenseLayer layer{inputs, outputs, std::vector<float>(inputs * outputs), std::vector<float>(outputs), activation};
    for (float& w : layer.weights) w = weight(random);
    for (float& b : layer.bias) b = weight(random);
    return layer;
}

MlpWeights random_network(MlpInput input, Activation activation, std::size_t outputs = 1) {
    const std::size_t inputs = kMlpInputs[std::size_t(input)].inputs;
    MlpWeights network{.input = input, .layers = {}, .output = {}};
    network.layers = {random_layer(inputs, 70, activation, 1), random_layer(70, 33, activation, 2),
                      random_layer(33, outputs, Activation::None, 3)};
    network.output = {.form = Form::Number, .for_white = false, .low = -1500, .high = 1500, .scores = {}};
    return network;
}

constexpr std::array kAllInputs = {MlpInput::Vector64, MlpInput::Vector65, MlpInput::Bitmap768, MlpInput::Algebraic768};
constexpr std::array kAllActivations = {Activation::None, Activation::Relu, Activation::Elu, Activation::Tanh,
                                        Activation::Sigmoid};

double plain(Activation activation, double x) {
    switch (activation) {
        case Activation::Relu:
            return std::max(x, 0.0);
        case Activation::Elu:
            return x > 0 ? x : std::expm1(x);
        case Activation::Tanh:
            return std::tanh(x);
        case Activation::Sigmoid:
            return 1 / (1 + std::exp(-x));
        default:
            return x;
    }
}

// The slow twin: the encoding's numbers, and every layer as it is defined.
std::vector<double> plain_answer(const MlpWeights& network, const Position& position) {
    const MlpInputName& input = kMlpInputs[std::size_t(network.input)];
    std::vector<float> numbers(input.inputs);
    for (const auto& encoder : encode::encoders<float>())
        if (encoder.name == input.name) encoder.write(encode::Board(pack(position)), numbers.data());
    std::vector<double> x(numbers.begin(), numbers.end());
    for (const DenseLayer& layer : network.layers) {
        std::vector<double> y(layer.bias.begin(), layer.bias.end());
        for (std::size_t output = 0; output < layer.outputs; ++output) {
            for (std::size_t input = 0; input < layer.inputs; ++input)
                y[output] += double(layer.weights[output * layer.inputs + input]) * x[input];
            y[output] = plain(layer.activation, y[output]);
        }
        x = y;
    }
    return x;
}

std::vector<float> answer(Mlp& network, const Position& position) {
    const auto numbers = network.answer(position.turn());
    return {numbers.begin(), numbers.end()};
}

std::vector<float> fresh_answer(const Mlp& network, const Position& position) {
    Mlp fresh(network);
    fresh.reset(position);
    return answer(fresh, position);
}

MlpWeights rounded_to_halves(MlpWeights network) {
    for (DenseLayer& layer : network.layers)
        for (float& weight : layer.weights) weight = std::round(weight * 1024) / 1024;
    return network;
}

double distance(const std::vector<double>& expected, const std::vector<float>& actual) {
    double most = expected.size() == actual.size() ? 0 : 1;
    for (std::size_t i = 0; i < actual.size(); ++i) most = std::max(most, std::abs(expected[i] - double(actual[i])));
    return most;
}

}  // namespace

TEST(every_kernel_agrees_with_the_plain_definition) {
    CHECK_EQUAL(std::string("plain"), known_kernels().front().name);
    for (const Kernels& kernels : known_kernels())
        for (MlpInput input : kAllInputs)
            for (Activation activation : kAllActivations)
                for (const auto& weights : {random_network(input, activation, 10),
                                            rounded_to_halves(random_network(input, activation, 10))}) {
                    Mlp network(weights, kernels);
                    for (const char* fen : tests::kPositions) {
                        const Position position = Position::from_fen(fen);
                        network.reset(position);
                        CHECK(distance(plain_answer(weights, position), answer(network, position)) < 2e-5);
                    }
                }
}

TEST(large_layers_agree_with_the_plain_definition) {
    MlpWeights weights = random_network(MlpInput::Bitmap768, Activation::Relu, 3);
    weights.layers = {random_layer(768, 1048, Activation::Relu, 4), random_layer(1048, 500, Activation::Elu, 5),
                      random_layer(500, 3, Activation::None, 6)};
    Mlp network(weights);
    const Position position = Position::from_fen(tests::kPositions[1]);
    network.reset(position);
    CHECK(distance(plain_answer(weights, position), answer(network, position)) < 1e-5);
}

TEST(a_network_of_one_layer_is_a_sum) {
    MlpWeights weights = random_network(MlpInput::Bitmap768, Activation::None);
    weights.layers = {random_layer(768, 1, Activation::Tanh, 7)};
    Mlp network(weights);
    const Position position = Position::from_fen(tests::kPositions[5]);
    network.reset(position);
    CHECK(distance(plain_answer(weights, position), answer(network, position)) < 1e-6);
}

// Sums are whole numbers, so equal means equal.
TEST(the_way_to_a_position_leaves_no_trace) {
    for (MlpInput input : kAllInputs) {
        Mlp network(random_network(input, Activation::Relu));
        const Mlp untouched = network;
        stray(network,
              [&](const Position& position) { CHECK(fresh_answer(untouched, position) == answer(network, position)); });
    }
}

TEST(a_search_asks_for_what_it_pushed) {
    const Mlp network(random_network(MlpInput::Bitmap768, Activation::Relu));
    const auto expected = [&](const Position& position) {
        Mlp fresh(network);
        fresh.reset(position);
        return fresh.value(position);
    };
    const auto [asked, wrong] = searched_in_doubt(network.clone(), expected);
    CHECK(asked > 1000);
    CHECK_EQUAL(0, wrong);
}

TEST(a_value_is_remembered_and_copies_share_nothing_but_weights) {
    Mlp network(random_network(MlpInput::Algebraic768, Activation::Elu));
    const auto copy = network.clone();
    wander([&](const Position& position) {
        network.reset(position);
        const int first = network.value(position);
        CHECK_EQUAL(first, network.value(position));
        copy->reset(position);
        CHECK_EQUAL(first, copy->value(position));
    });
}

TEST(outputs_mean_what_the_card_says) {
    const std::vector<float> y = {0.75f};
    NetworkOutput number{.form = Form::Number, .for_white = false, .low = -1000, .high = 1000, .scores = {}};
    CHECK_EQUAL(500, number.centipawns(y, Color::White));
    CHECK_EQUAL(500, number.centipawns(y, Color::Black));
    number.for_white = true;
    CHECK_EQUAL(500, number.centipawns(y, Color::White));
    CHECK_EQUAL(-500, number.centipawns(y, Color::Black));
    number.high = 1e300;
    CHECK_EQUAL(kMaxEvaluation, number.centipawns(y, Color::White));
    CHECK_EQUAL(-kMaxEvaluation, number.centipawns(y, Color::Black));

    const NetworkOutput score{.form = Form::Score, .for_white = true, .low = 0, .high = 1, .scores = {}};
    CHECK_EQUAL(centipawns(0.75), score.centipawns(y, Color::White));
    CHECK_EQUAL(-centipawns(0.75), score.centipawns(y, Color::Black));

    const NetworkOutput classes{.form = Form::Classes, .for_white = true, .low = 0, .high = 1, .scores = {0.1, 0.5, 1}};
    std::vector<float> logits = {1, 2, 900};
    classes.finish(logits);
    CHECK_EQUAL(kMaxEvaluation, classes.centipawns(logits, Color::White));
    logits = {5, 5, 5};
    classes.finish(logits);
    CHECK_EQUAL(centipawns(1.6 / 3), classes.centipawns(logits, Color::White));
    CHECK_EQUAL(-centipawns(1.6 / 3), classes.centipawns(logits, Color::Black));

    for (Form form : {Form::Number, Form::Score, Form::Classes}) {
        const NetworkOutput output{.form = form, .for_white = false, .low = 0, .high = 1, .scores = {0.5}};
        CHECK_EQUAL(kDraw, output.centipawns(std::vector<float>{std::nanf("")}, Color::White));
    }
}

TEST(halves_mean_the_same_as_floats) {
    CHECK_EQUAL(1.0f, to_float(0x3C00));
    CHECK_EQUAL(-2.0f, to_float(0xC000));
    CHECK_EQUAL(65504.0f, to_float(0x7BFF));
    CHECK_EQUAL(0x1p-24f, to_float(0x0001));
    CHECK(std::isinf(to_float(0xFC00)) && std::isnan(to_float(0x7E00)));
    for (unsigned bits = 0; bits < 0x10000; ++bits)
        if (std::isfinite(to_float(Half(bits)))) CHECK_EQUAL(Half(bits), *exact_half(to_float(Half(bits))));
    for (float value : {0.1f, 65536.0f, 1e30f, 0x1p-25f, 1.0f + 0x1p-11f}) CHECK(!exact_half(value).has_value());
}

int main() { return tests::run(); }
