// How long Giraffe's evaluator takes for one value, with each set of instructions that this machine has.
//
//   xzcat shared/data/labelled/sf15_nodes2000.tsv.xz | giraffe BRAIN
//
// Reads up to 200 FENs, each ending at a tab or the line's end; a first line of column names is skipped. Judges their
// children: one after the other, as a search does, and in random order, where little of a position is left in the next.
// Nanoseconds of processor time, the best of 50 rounds.
#include "okapi/eval/giraffe/giraffe.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "okapi/eval/brain.h"

using namespace okapi;

namespace {

template <class Function> double nanoseconds(const std::vector<Position>& positions, Function function) {
    double best = 1e18;
    for (int round = 0; round < 50; ++round) {
        const std::clock_t start = std::clock();
        for (const Position& position : positions) function(position);
        best = std::min(best, 1e9 * double(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best / double(positions.size());
}

std::vector<Position> children(Position position) {
    std::vector<Position> found;
    for (Move move : legal_moves(position)) {
        position.play(move);
        found.push_back(position);
        position.undo();
    }
    return found;
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 2) throw std::runtime_error("expected one brain of the kind giraffe");
    const GiraffeWeights weights = read_giraffe(Brain::open(arguments[1]));
    std::vector<Position> in_order;
    int read = 0;
    for (std::string line; read < 200 && std::getline(std::cin, line);) {
        if (line.find('/') == std::string::npos) continue;
        const auto found = children(Position::from_fen(line.substr(0, line.find('\t'))));
        in_order.insert(in_order.end(), found.begin(), found.end());
        ++read;
    }
    std::vector<Position> shuffled = in_order;
    std::ranges::shuffle(shuffled, std::mt19937(1));

    volatile float sink = 0;  // keeps the compiler from leaving the work out
    for (const Kernels& kernels : known_kernels()) {
        giraffe::Features features;
        Giraffe network(weights, kernels);
        const auto see = [&](const Position& position) {
            giraffe::write(giraffe::seen_by_mover(position), kernels, features);
            sink = sink + float(features.numbers[0]);
        };
        const auto judge = [&](const Position& position) { sink = sink + network.answer(position); };
        std::printf("%-7s features %5.0f ns; a value %5.0f ns in order, %5.0f ns in random order\n", kernels.name,
                    nanoseconds(in_order, see), nanoseconds(in_order, judge), nanoseconds(shuffled, judge));
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
}
