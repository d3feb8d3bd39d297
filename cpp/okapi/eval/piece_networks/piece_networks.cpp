#include "okapi/eval/piece_networks/piece_networks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "okapi/eval/linear/linear5.h"
#include "okapi/eval/linear/units.h"

namespace okapi {

namespace {

constexpr int kColumnTypes = 3;
constexpr int kQueenMoves = 28, kRookMoves = 15, kKnightMoves = 9;

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// 2^x is its whole part in the exponent's bits times a polynomial for the rest, to seven digits. Without a call or a
// branch, so that compilers do several at once.
inline float quick_exp(float x) {
    constexpr float kRounds = 12582912.0f;  // 1.5 * 2^23: beyond it, a float has no digits after the point
    const float power = x * 1.44269504f;
    const float whole = (power + kRounds) - kRounds;
    const float rest = power - whole;
    const float two_to_rest =
        1 +
        rest * (0.69314718f + rest * (0.24022651f + rest * (0.05550411f + rest * (0.00961813f + rest * 0.00133336f))));
    return std::bit_cast<float>((std::int32_t(whole) + 127) << 23) * two_to_rest;
}

inline float quick_logistic(float x) {
    constexpr float kFlat = 40;  // further out, it is 0 or 1
    const float within = x < -kFlat ? -kFlat : x > kFlat ? kFlat : x;
    return 1.0f / (1.0f + quick_exp(-within));
}

}  // namespace

// --- By the definition ------------------------------------------------------------------------------------------

double PieceNetwork::answer(const PieceInputs& inputs) const {
    double sum = output.back();
    for (std::size_t node = 0; node < hidden.size(); ++node) {
        double y = hidden[node][4];
        for (std::size_t i = 0; i < inputs.size(); ++i) y += hidden[node][i] * inputs[i] / divisors[i];
        sum += output[node] * logistic(y);
    }
    return logistic(sum);
}

double plain_value(const PieceNetworksWeights& weights, const Position& position) {
    double sum = 0;
    for (Square square : squares(position.pieces())) {
        const Piece piece = position.at(square);
        const auto kind = std::size_t(piece.kind());
        const double p = weights.networks[kind].answer(piece_inputs(position, square, weights.bishop_pawns));
        const double worth = (piece.kind() == Kind::King ? 0.0 : weights.material[kind]) + weights.c[kind] * p;
        sum += piece.color() == position.turn() ? worth : -worth;
    }
    return sum;
}

// --- At speed ---------------------------------------------------------------------------------------------------

PieceNetworks::PieceNetworks(const PieceNetworksWeights& weights)
    : tables_(tables(weights)),
      king_(weights.networks[std::size_t(Kind::King)], weights.c[std::size_t(Kind::King)]),
      bishop_(weights.networks[std::size_t(Kind::Bishop)], weights.c[std::size_t(Kind::Bishop)]),
      bishop_pawns_(weights.bishop_pawns) {}

PieceNetworks::Tables PieceNetworks::tables(const PieceNetworksWeights& weights) {
    const auto worth = [&](Kind kind, const PieceInputs& inputs) {
        const auto k = std::size_t(kind);
        return to_units(weights.material[k] + double(weights.c[k]) * weights.networks[k].answer(inputs));
    };
    Tables t;
    t.queen.resize(64 * kColumnTypes * kQueenMoves);
    for (int i = 0; int& entry : t.queen) {
        const Square square(i / (kColumnTypes * kQueenMoves));
        entry = worth(Kind::Queen, {double(i % kQueenMoves), double(i / kQueenMoves % kColumnTypes),
                                    int(square.rank()) + 1.0, int(square.file()) + 1.0});
        ++i;
    }
    for (int i = 0; int& entry : t.rook) {
        const int seventh = i / (kColumnTypes * kRookMoves);
        entry = worth(Kind::Rook, {double(i % kRookMoves), double(i / kRookMoves % kColumnTypes), double(seventh > 0),
                                   double(seventh > 1)});
        ++i;
    }
    for (int i = 0; int& entry : t.knight) {
        const int flags = i / kKnightMoves;
        entry = worth(Kind::Knight,
                      {double(i % kKnightMoves), double(flags & 1), double(flags >> 1 & 1), double(flags >> 2)});
        ++i;
    }
    for (int i = 0; int& entry : t.pawn) {
        entry = worth(Kind::Pawn, {double(i & 1), double(i >> 1 & 1), double(i >> 2 & 1), double(i >> 3)});
        ++i;
    }
    t.bishop = to_units(weights.material[std::size_t(Kind::Bishop)]);
    return t;
}

PieceNetworks::Quick::Quick(const PieceNetwork& network, float c)
    : blocks_((network.hidden.size() + kNodes - 1) / kNodes), bias_(network.output.back()), c_(c) {
    constexpr double kMost = 1e6;  // of a weight over its divisor; a node that sees so much is 0 or 1 anyway
    for (std::size_t node = 0; node < network.hidden.size(); ++node) {
        Block& block = blocks_[node / kNodes];
        const std::size_t at = node % kNodes;
        for (std::size_t i = 0; i < 4; ++i)
            block.weights[i][at] =
                float(std::clamp(double(network.hidden[node][i]) / network.divisors[i], -kMost, kMost));
        block.bias[at] = network.hidden[node][4];
        block.output[at] = network.output[node];
    }
}

float PieceNetworks::Quick::worth(int first, int second, int third, float fourth) {
    const std::uint64_t inputs = std::uint64_t(first) | std::uint64_t(second) << 14 | std::uint64_t(third) << 28 |
                                 std::uint64_t(std::bit_cast<std::uint32_t>(fourth)) << 32;
    Answer& answer = memory_[std::size_t((inputs * 0x9E3779B97F4A7C15ULL) >> (64 - kMemoryBits))];
    if (answer.inputs != inputs) answer = {inputs, compute(float(first), float(second), float(third), fourth)};
    return answer.worth;
}

float PieceNetworks::Quick::compute(float first, float second, float third, float fourth) const {
    Row sums{};
    for (const Block& block : blocks_) {
        const auto& [w1, w2, w3, w4] = block.weights;
        for (std::size_t i = 0; i < kNodes; ++i)
            sums[i] += block.output[i] *
                       quick_logistic(block.bias[i] + w1[i] * first + w2[i] * second + w3[i] * third + w4[i] * fourth);
    }
    float sum = bias_;
    for (float part : sums) sum += part;
    return c_ * quick_logistic(sum);
}

PieceNetworks::Pawns PieceNetworks::fresh_pawns(const Position& position) const {
    Pawns pawns;
    for (Color color : {Color::White, Color::Black}) {
        const Bitboard own = position.pieces(color, Kind::Pawn), theirs = position.pieces(~color, Kind::Pawn);
        const PawnFactors factors = pawn_factors(own, theirs, color);
        int units = 0;
        for (Square pawn : squares(own))
            units +=
                tables_.pawn[std::size_t(contains(factors.doubled, pawn) + 2 * contains(factors.isolated, pawn) +
                                         4 * contains(factors.central, pawn) + 8 * contains(factors.passed, pawn))];
        pawns.units += color == Color::White ? units : -units;
        pawns.reach[std::size_t(color)] = pawn_reach(own, color);
        for (std::size_t dark : {0, 1}) {
            const Bitboard squares = dark ? kDarkSquares : ~kDarkSquares;
            pawns.obstruction[std::size_t(color)][dark] = float(obstruction(own & squares, bishop_pawns_[0], color) +
                                                                obstruction(theirs & squares, bishop_pawns_[1], color));
        }
    }
    return pawns;
}

int PieceNetworks::value(const Position& position) {
    const Pawns& pawns = pawns_.at(position, [&] { return fresh_pawns(position); });
    const int units =
        pawns.units + tabulated<Color::White>(position, pawns) - tabulated<Color::Black>(position, pawns) +
        int(std::lround(kUnit * (computed<Color::White>(position, pawns) - computed<Color::Black>(position, pawns))));
    return from_units(position.turn() == Color::White ? units : -units);
}

template <Color us> int PieceNetworks::tabulated(const Position& position, const Pawns& pawns) const {
    const Bitboard occupied = position.pieces();
    const Bitboard free = ~position.pieces(us);
    const Bitboard own = position.pieces(us, Kind::Pawn), theirs = position.pieces(~us, Kind::Pawn);
    int units = tables_.bishop * count(position.pieces(us, Kind::Bishop));

    for (Square queen : squares(position.pieces(us, Kind::Queen))) {
        const int at = queen.seen_by(us).index * kColumnTypes + column_type(queen, own, theirs, us);
        units += tables_.queen[std::size_t(at * kQueenMoves + count(queen_attacks(queen, occupied) & free))];
    }
    const Bitboard rooks = position.pieces(us, Kind::Rook);
    const Bitboard seventh = rooks & bits(seen_by(Rank::Seven, us));
    for (Square rook : squares(rooks)) {
        const int there = contains(seventh, rook) ? 1 + several(seventh) : 0;
        const int at = there * kColumnTypes + column_type(rook, own, theirs, us);
        units += tables_.rook[std::size_t(at * kRookMoves + count(rook_attacks(rook, occupied) & free))];
    }
    const Bitboard support = pawn_attacks(own, us), bases = ~pawns.reach[std::size_t(~us)];
    for (Square knight : squares(position.pieces(us, Kind::Knight))) {
        const int flags = contains(kKnightRim, knight) + 2 * contains(support, knight) + 4 * contains(bases, knight);
        units += tables_.knight[std::size_t(flags * kKnightMoves + count(knight_attacks(knight) & free))];
    }
    return units;
}

template <Color us> float PieceNetworks::computed(const Position& position, const Pawns& pawns) {
    const Square king = position.king(us);
    const Bitboard own = position.pieces(us, Kind::Pawn);
    float sum = king_.worth(material_bearing_on(position, king, ~us), material_bearing_on(position, king, us),
                            is_castled(position, us), float(count(king_attacks(king) & own)));
    for (Square bishop : squares(position.pieces(us, Kind::Bishop))) {
        const Bitboard obstructing = own & bishop_squares(bishop);
        sum += bishop_.worth(count(bishop_attacks(bishop, position.pieces()) & ~position.pieces(us)),
                             count_pawn_moves(position, obstructing, us), count(obstructing & rows_ahead(bishop, us)),
                             pawns.obstruction[std::size_t(us)][contains(kDarkSquares, bishop)]);
    }
    return sum;
}

}  // namespace okapi
