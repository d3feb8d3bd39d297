#include "okapi/eval/mlp/first_layer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace okapi {

namespace {

constexpr std::array<int, kKinds> kStrength = {1, 3, 3, 5, 9, 10};     // algebraic-768
constexpr std::array<int, kKinds> kDifferential = {1, 3, 3, 5, 9, 0};  // the 65th number of vector-65

// What a piece on a square adds to an output whose weights are `row`, as White to move sees it.
double share(MlpInput input, const float* row, Piece piece, Square square) {
    const auto kind = std::size_t(piece.kind());
    const int sign = piece.color() == Color::White ? 1 : -1;
    if (input == MlpInput::Vector64 || input == MlpInput::Vector65) {
        const int number = 1 + index(piece.kind()) + 6 * index(piece.color());
        const double plain = double(row[square.index]) * number;
        return input == MlpInput::Vector64 ? plain : plain + double(row[64]) * sign * kDifferential[kind];
    }
    const int channel = 6 * index(piece.color()) + index(piece.kind());
    const int worth = input == MlpInput::Bitmap768 ? 1 : kStrength[kind];
    return double(row[std::size_t(64 * channel) + square.index]) * sign * worth;
}

}  // namespace

FirstWeights::FirstWeights(MlpInput input, const DenseLayer& layer)
    : size_(padded(layer.outputs)),
      turns_(input == MlpInput::Bitmap768 || input == MlpInput::Algebraic768),
      columns_((kColumns + 1) * size_),
      scale_(size_),
      bias_(size_) {
    std::ranges::copy(layer.bias, bias_.begin());
    std::array<double, kColumns> shares;
    for (std::size_t output = 0; output < layer.outputs; ++output) {
        const float* row = layer.weights.data() + output * layer.inputs;
        double most = 0;
        for (std::size_t i = 0; i < kColumns; ++i) {
            Piece piece;
            piece.code = std::uint8_t(i / 64);
            shares[i] = share(input, row, piece, Square(int(i % 64)));
            most = std::max(most, std::abs(shares[i]));
        }
        // A full board and two pieces that are added before others are taken away must fit.
        constexpr double kRoom = double(std::numeric_limits<std::int32_t>::max()) / 67;
        const double unit = most > 0 ? most / kRoom : 1;
        scale_[output] = float(unit);
        for (std::size_t i = 0; i < kColumns; ++i)
            columns_[i * size_ + output] = std::int32_t(std::lround(shares[i] / double(scale_[output])));
    }
}

void FirstSums::reset(const Position& position) {
    men_.clear();
    for (Square square : squares(position.pieces())) men_.push_back({position.at(square), square});
    now_ = 0;
    levels_[0].known = false;
}

void FirstSums::push(const Position& before, Move move) {
    if (++now_ == levels_.size()) levels_.emplace_back();
    levels_[now_].known = false;
    levels_[now_].changes = Changes(before, move);
}

void FirstSums::pop() { --now_; }

const std::int32_t* FirstSums::sums(const FirstWeights& weights, const Kernels& kernels) {
    std::size_t known = now_;
    while (known > 0 && !levels_[known].known) --known;
    if (Level& root = levels_[0]; known == 0 && !root.known) {
        root.sums.assign(weights.size(), 0);
        const std::span<const PlacedPiece> men = men_;
        for (std::size_t i = 0; i < men.size(); i += 2)
            update(root, root, men.subspan(i, std::min<std::size_t>(2, men.size() - i)), {}, weights, kernels);
    }
    for (; known < now_; ++known) {
        Level& next = levels_[known + 1];
        next.sums.resize(weights.size());
        update(next, levels_[known], next.changes.arrive(), next.changes.leave(), weights, kernels);
    }
    return levels_[now_].sums.data();
}

void FirstSums::update(Level& level, const Level& before, std::span<const PlacedPiece> arrive,
                       std::span<const PlacedPiece> leave, const FirstWeights& weights, const Kernels& kernels) {
    const auto columns = [&](std::span<const PlacedPiece> men) {
        std::array<const std::int32_t*, 2> found;
        for (std::size_t i = 0; i < 2; ++i)
            found[i] = i < men.size() ? weights.column(men[i].piece, men[i].square) : weights.nothing();
        return found;
    };
    kernels.update(level.sums.data(), before.sums.data(), columns(arrive).data(), columns(leave).data(),
                   weights.size());
    level.known = true;
}

}  // namespace okapi
