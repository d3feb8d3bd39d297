#include "okapi/eval/first_layer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace okapi {

namespace {

constexpr std::array<int, kKinds> kStrength = {1, 3, 3, 5, 9, 10};     // algebraic-768
constexpr std::array<int, kKinds> kDifferential = {1, 3, 3, 5, 9, 0};  // the 65th number of vector-65

// What a piece on a square adds to an output whose weights are `row`, as White to move sees it.
double share(Sight sight, const float* row, Piece piece, Square square) {
    const auto kind = std::size_t(piece.kind());
    const int sign = piece.color() == Color::White ? 1 : -1;
    if (sight == Sight::Vector64 || sight == Sight::Vector65) {
        const int number = 1 + index(piece.kind()) + 6 * index(piece.color());
        const double plain = double(row[square.index]) * number;
        return sight == Sight::Vector64 ? plain : plain + double(row[64]) * sign * kDifferential[kind];
    }
    const int channel = 6 * index(piece.color()) + index(piece.kind());
    const int worth = sight == Sight::Bitmap768 ? 1 : kStrength[kind];
    return double(row[std::size_t(64 * channel) + square.index]) * sign * worth;
}

}  // namespace

FirstWeights::FirstWeights(Sight sight, const DenseLayer& layer)
    : size_(padded(layer.outputs)),
      turns_(sight == Sight::Bitmap768 || sight == Sight::Algebraic768),
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
            shares[i] = share(sight, row, piece, Square(int(i % 64)));
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
    Level& level = levels_[now_];
    level.known = false;
    level.arrives = level.leaves = {};
    if (!move.exists()) return;

    const Square from = move.from(), to = move.to();
    const Piece piece = before.at(from);
    level.leaves[0] = {piece, from};
    if (move.castles()) {
        const bool kingside = to.index > from.index;
        const Piece rook(piece.color(), Kind::Rook);
        level.leaves[1] = {rook, to};
        level.arrives[0] = {piece, Square(kingside ? File::G : File::C, from.rank())};
        level.arrives[1] = {rook, Square(kingside ? File::F : File::D, from.rank())};
        return;
    }
    const Square victim = move.type() == MoveType::EnPassant ? Square(to.file(), from.rank()) : to;
    if (before.at(victim).exists()) level.leaves[1] = {before.at(victim), victim};
    level.arrives[0] = {move.promotes() ? Piece(piece.color(), move.promotion()) : piece, to};
}

void FirstSums::pop() { --now_; }

const std::int32_t* FirstSums::sums(const FirstWeights& weights, const Kernels& kernels) {
    std::size_t known = now_;
    while (known > 0 && !levels_[known].known) --known;
    if (Level& root = levels_[0]; known == 0 && !root.known) {
        root.sums.assign(weights.size(), 0);
        for (std::size_t i = 0; i < men_.size(); i += 2) {
            root.arrives = {men_[i], i + 1 < men_.size() ? std::optional(men_[i + 1]) : std::nullopt};
            update(root, root, weights, kernels);
        }
    }
    for (; known < now_; ++known) {
        levels_[known + 1].sums.resize(weights.size());
        update(levels_[known + 1], levels_[known], weights, kernels);
    }
    return levels_[now_].sums.data();
}

void FirstSums::update(Level& level, const Level& before, const FirstWeights& weights, const Kernels& kernels) {
    const auto columns = [&](const std::array<std::optional<Man>, 2>& men) {
        std::array<const std::int32_t*, 2> found;
        for (std::size_t i = 0; i < 2; ++i)
            found[i] = men[i] ? weights.column(men[i]->piece, men[i]->square) : weights.nothing();
        return found;
    };
    kernels.update(level.sums.data(), before.sums.data(), columns(level.arrives).data(), columns(level.leaves).data(),
                   weights.size());
    level.known = true;
}

}  // namespace okapi
