// How long an evaluator takes for one value: the children of the positions on standard input.
//
//   xzcat shared/data/labelled/sf15_nodes2000.tsv.xz | values BRAIN...
//
// Reads up to 5,000 FENs, each ending at a tab or the line's end; a first line of column names is skipped. The time of
// playing and undoing the moves is measured apart and taken off. Prints the fastest of five rounds.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "okapi/eval/brain.h"

using namespace okapi;

namespace {

// Nanoseconds of processor time for visiting every child of every position once.
template <class Function> double visit(std::vector<Position>& positions, Evaluator& evaluator, Function function) {
    const std::clock_t start = std::clock();
    for (Position& position : positions) {
        evaluator.reset(position);
        for (Move move : legal_moves(position)) {
            evaluator.push(position, move);
            position.play(move);
            function(position);
            position.undo();
            evaluator.pop();
        }
    }
    return 1e9 * double(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int count, char** paths) try {
    std::vector<Position> positions;
    for (std::string line; positions.size() < 5000 && std::getline(std::cin, line);)
        if (line.find('/') != std::string::npos)
            positions.push_back(Position::from_fen(line.substr(0, line.find('\t'))));

    volatile std::int64_t sink = 0;  // keeps the compiler from leaving the work out
    for (int i = 1; i < count; ++i) {
        const auto evaluator = make_evaluator(Brain::open(paths[i]));
        double children = 0, moving = 1e18, judging = 1e18;
        visit(positions, *evaluator, [&](const Position&) { ++children; });
        for (int round = 0; round < 5; ++round) {
            moving = std::min(moving, visit(positions, *evaluator,
                                            [&](const Position& p) { sink = sink + std::int64_t(p.key() & 1); }));
            judging = std::min(
                judging, visit(positions, *evaluator, [&](const Position& p) { sink = sink + evaluator->value(p); }));
        }
        std::printf("%s: %.1f ns for one value, %.0f positions\n", paths[i], (judging - moving) / children, children);
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
}
