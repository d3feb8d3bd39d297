// How long an MLP takes for one value, move by move and from scratch, and how much of the machine that is.
//
//   mlp                 docs/reference/evaluators.md says how to build it
//
// Weights are made up, as PyTorch would begin with: after relu half of the numbers are zero. Prints the fastest of five
// rounds over the children of four positions, in processor time; operations are counted as if none were left out.
#include "okapi/eval/mlp/mlp.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <vector>

using namespace okapi;

namespace {

struct Shape {
    MlpInput input;
    Activation activation;
    std::vector<std::size_t> sizes;
};

// Numbers that 16 bits can hold, where `half`.
DenseLayer random_layer(std::size_t inputs, std::size_t outputs, Activation activation, bool half) {
    std::mt19937 random(1);
    const float spread = 1 / std::sqrt(float(inputs));
    std::uniform_real_distribution<float> weight(-spread, spread);
    DenseLayer layer{inputs, outputs, std::vector<float>(inputs * outputs), std::vector<float>(outputs), activation};
    for (float& w : layer.weights) w = half ? std::round(weight(random) * 8192) / 8192 : weight(random);
    return layer;
}

MlpWeights random_network(const Shape& shape, bool half) {
    MlpWeights network{.input = shape.input, .layers = {}, .output = {}};
    std::size_t inputs = kMlpInputs[std::size_t(shape.input)].inputs;
    for (std::size_t size : shape.sizes) {
        const bool last = network.layers.size() + 1 == shape.sizes.size();
        network.layers.push_back(random_layer(inputs, size, last ? Activation::None : shape.activation, half));
        inputs = size;
    }
    return network;
}

std::string text(const Shape& shape) {
    std::string out = std::to_string(kMlpInputs[std::size_t(shape.input)].inputs);
    for (std::size_t size : shape.sizes) out += "-" + std::to_string(size);
    return out + " " + kActivationNames[std::size_t(shape.activation)];
}

// Multiplications and additions of one value, as if every input were looked at.
double operations(const Shape& shape) {
    double sum = 0;
    for (std::size_t i = 1; i < shape.sizes.size(); ++i) sum += 2.0 * double(shape.sizes[i - 1] * shape.sizes[i]);
    return sum;
}

volatile float sink;  // keeps the compiler from leaving the work out

// Nanoseconds of processor time for one value, over the children of a few positions.
double nanoseconds(Mlp& network, std::vector<Position>& positions, bool from_scratch, double least_seconds) {
    std::size_t values = 0;
    const std::clock_t start = std::clock();
    std::clock_t now = start;
    while (double(now - start) < least_seconds * CLOCKS_PER_SEC) {
        for (Position& position : positions) {
            network.reset(position);
            for (Move move : legal_moves(position)) {
                if (!from_scratch) network.push(position, move);
                position.play(move);
                if (from_scratch) network.reset(position);
                sink = network.answer(position.turn())[0];
                position.undo();
                if (!from_scratch) network.pop();
                ++values;
            }
        }
        now = std::clock();
    }
    return 1e9 * double(now - start) / CLOCKS_PER_SEC / double(values);
}

std::vector<Position> some_positions() {
    std::vector<Position> positions;
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
                            "1nkr4/ppp5/8/4P3/5p2/5P1P/PPP2KP1/1R4R1 b - - 1 25"})
        positions.push_back(Position::from_fen(fen));
    return positions;
}

}  // namespace

int main() {
    const std::vector<Shape> shapes = {
        {MlpInput::Bitmap768, Activation::Relu, {1048, 500, 50, 3}},
        {MlpInput::Bitmap768, Activation::Relu, {512, 32, 1}},
        {MlpInput::Bitmap768, Activation::Elu, {2048, 2048, 1050, 15}},
        {MlpInput::Bitmap768, Activation::Elu, {2048, 2048, 2048, 1}},
        {MlpInput::Vector65, Activation::Relu, {2048, 2048, 2048, 10}},
    };
    std::vector<Position> positions = some_positions();
    std::printf("%-34s %-7s %-5s %12s %12s %8s\n", "network", "kernel", "bits", "by moves", "scratch", "GFLOP/s");
    for (const Shape& shape : shapes)
        for (const bool half : {false, true}) {
            const MlpWeights weights = random_network(shape, half);
            for (const Kernels& kernels : known_kernels()) {
                if (half && !kernels.accumulate_half) continue;
                Mlp network(weights, kernels);
                double by_moves = 1e18, scratch = 1e18;
                for (int round = 0; round < 5; ++round) {
                    by_moves = std::min(by_moves, nanoseconds(network, positions, false, 0.1));
                    scratch = std::min(scratch, nanoseconds(network, positions, true, 0.1));
                }
                std::printf("%-34s %-7s %-5d %9.0f ns %9.0f ns %8.1f\n", text(shape).c_str(), kernels.name,
                            half ? 16 : 32, by_moves, scratch, operations(shape) / by_moves);
            }
        }
}
