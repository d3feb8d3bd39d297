// Fits the weights of a linear-28 brain to positions that a teacher has judged, and prints them with the pawn at 100.
//
//   xzcat shared/data/labelled/sf15_nodes2000.tsv.xz | fit28
//
// Reads lines of FEN, centipawns for the side to move and the teacher's move, between tabs. Positions in check, won or
// lost ones (over 1,500) and those where the teacher takes something are left out: a sum of factors cannot see the
// exchange. Every tenth position is kept apart. Least squares between expected scores, by Gauss-Newton.
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "okapi/chess/text.h"
#include "okapi/eval/evaluator.h"
#include "okapi/eval/linear/factors.h"

using namespace okapi;

namespace {

using Vector = std::array<double, kFactors>;

struct Example {
    std::array<float, kFactors> difference;  // ours less theirs; material near kings in pawns
    float target;                            // expected score
};

bool read(const std::string& line, Example& out) {
    std::istringstream fields(line);
    std::string fen, value, best;
    std::getline(fields, fen, '\t');
    std::getline(fields, value, '\t');
    std::getline(fields, best, '\t');
    const Position position = Position::from_fen(fen);
    const int centipawns = std::stoi(value);
    const auto move = parse_uci(position, best);
    if (position.in_check() || std::abs(centipawns) > 1500 || !move || position.is_noisy(*move)) return false;

    const Factors ours = factors(position, position.turn()), theirs = factors(position, ~position.turn());
    for (std::size_t i = 0; i < kFactors; ++i) out.difference[i] = float(ours[i] - theirs[i]);
    for (Factor factor : {Factor::KingDefence, Factor::KingAttack}) out.difference[index(factor)] /= 100;
    out.target = float(expected_score(centipawns));
    return true;
}

double predicted(const Example& example, const Vector& weights) {
    double value = 0;
    for (std::size_t i = 0; i < kFactors; ++i) value += weights[i] * example.difference[i];
    return 1 / (1 + std::pow(10, -value / 400));
}

double loss(const std::vector<Example>& examples, const Vector& weights) {
    double sum = 0;
    for (const Example& example : examples) sum += std::pow(predicted(example, weights) - example.target, 2);
    return sum / double(examples.size());
}

// The x with matrix * x = right, by elimination; the matrix is symmetric and positive.
Vector solve(std::array<Vector, kFactors> matrix, Vector right) {
    for (std::size_t i = 0; i < kFactors; ++i)
        for (std::size_t row = i + 1; row < kFactors; ++row) {
            const double times = matrix[row][i] / matrix[i][i];
            for (std::size_t column = i; column < kFactors; ++column) matrix[row][column] -= times * matrix[i][column];
            right[row] -= times * right[i];
        }
    for (std::size_t i = kFactors; i-- > 0;) {
        for (std::size_t column = i + 1; column < kFactors; ++column) right[i] -= matrix[i][column] * right[column];
        right[i] /= matrix[i][i];
    }
    return right;
}

void improve(const std::vector<Example>& examples, Vector& weights) {
    std::array<Vector, kFactors> matrix{};
    Vector right{};
    for (const Example& example : examples) {
        const double p = predicted(example, weights);
        const double slope = p * (1 - p) * std::log(10) / 400;
        for (std::size_t i = 0; i < kFactors; ++i) {
            const double gradient = slope * example.difference[i];
            right[i] += gradient * (example.target - p);
            for (std::size_t j = 0; j < kFactors; ++j) matrix[i][j] += gradient * slope * example.difference[j];
        }
    }
    for (std::size_t i = 0; i < kFactors; ++i) matrix[i][i] += 1e-9;
    const Vector step = solve(matrix, right);
    for (std::size_t i = 0; i < kFactors; ++i) weights[i] += step[i];
}

}  // namespace

int main() {
    std::vector<Example> train, held_out;
    std::string line;
    std::getline(std::cin, line);  // the names of the columns
    for (std::size_t n = 0; std::getline(std::cin, line);) {
        Example example;
        if (read(line, example)) (++n % 10 ? train : held_out).push_back(example);
    }
    if (train.empty()) {
        std::fprintf(stderr, "error: no quiet positions on standard input\n");
        return 3;
    }
    Vector weights = {100, 300, 300, 500, 900};
    std::fprintf(stderr, "%zu positions, %zu held out; material alone: %.5f\n", train.size(), held_out.size(),
                 loss(held_out, weights));
    for (int round = 0; round < 8; ++round) improve(train, weights);
    std::fprintf(stderr, "fitted: %.5f, held out: %.5f\n", loss(train, weights), loss(held_out, weights));
    for (std::size_t i = 0; i < kFactors; ++i)
        std::printf("\"%s\": %.2f,\n", kFactorNames[i].data(), 100 * weights[i] / weights[0]);
}
