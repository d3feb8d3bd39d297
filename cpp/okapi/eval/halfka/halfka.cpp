#include "okapi/eval/halfka/halfka.h"

#include <algorithm>

#include "okapi/eval/checked.h"

namespace okapi {

namespace {

constexpr std::int64_t kOutput = 16;                             // what material and layers are divided by
constexpr std::int64_t kDirect = 600 * kOutput, kOf = 127 * 64;  // the node that goes to the end directly
constexpr int kPawn = 361;                                       // Stockfish's units of 100 centipawns
constexpr std::array<int, 6> kLeft = {0, 781, 825, 1276, 2538, 0};

AccumulatorLayout stockfish_layout() {
    AccumulatorLayout layout;
    layout.planes = 11;
    for (std::size_t n = 0; n < 12; ++n) layout.plane[n] = std::uint8_t(std::min<std::size_t>(2 * (n % 6) + n / 6, 10));
    layout.king_on_right = true;
    layout.buckets = 32;
    for (std::size_t n = 0; n < 64; ++n) layout.bucket[n] = std::uint8_t(31 - 4 * int(n / 8) - (int(n % 8) & 3));
    return layout;
}

// Stockfish's value from both parts, by the material left.
int scaled(std::int64_t material, std::int64_t layers, int left) {
    const std::int64_t more = 24 - left / 9560;
    std::int64_t value = ((1024 - more) * material + (1024 + more) * layers) / (1024 * kOutput);
    value = value * (1064 + 106 * left / 5120) / 1024;
    value = value * 195 / 211;
    return int(std::clamp<std::int64_t>(value * 100 / kPawn, -kMaxEvaluation, kMaxEvaluation));
}

}  // namespace

HalfKaWeights read_halfka(const Brain& brain) {
    constexpr std::int64_t kNeurons = HalfKaWeights::kNeurons, kStacks = HalfKaWeights::kStacks;
    checked::check_tensor_count(brain, 9);
    HalfKaWeights weights;
    weights.accumulator.neurons = HalfKaWeights::kNeurons;
    weights.accumulator.layout = stockfish_layout();
    const std::int64_t rows = std::int64_t(weights.accumulator.layout.rows());
    const auto fill = [](auto& to, const auto& from) { to.assign(from.begin(), from.end()); };
    fill(weights.accumulator.rows, checked::whole_numbers<std::int16_t>(brain, "weight", {rows, kNeurons}));
    fill(weights.accumulator.bias, checked::whole_numbers<std::int16_t>(brain, "bias", {kNeurons}));
    weights.material = checked::whole_numbers<std::int32_t>(brain, "material", {rows, kStacks});
    weights.stacks = read_layer_stacks(brain, HalfKaWeights::kStacks, HalfKaWeights::kNeurons);
    return weights;
}

HalfKa::HalfKa(HalfKaWeights weights, const AccumulatorKernels& kernels)
    : HalfKa(std::make_shared<const HalfKaWeights>(std::move(weights)), kernels) {}

HalfKa::HalfKa(std::shared_ptr<const HalfKaWeights> weights, const AccumulatorKernels& kernels)
    : weights_(std::move(weights)), kernels_(&kernels), accumulators_(weights_->accumulator, kernels) {}

std::unique_ptr<Evaluator> HalfKa::clone() const { return std::unique_ptr<Evaluator>(new HalfKa(weights_, *kernels_)); }

int HalfKa::value(const Position& position) {
    const std::size_t stack = std::size_t(count(position.pieces()) - 1) / 4;
    const std::int64_t deep = layers(position, weights_->stacks[stack]);
    std::array<std::int64_t, 2> sums{};
    int left = 0;
    for (Square square : squares(position.pieces())) {
        const PlacedPiece man{position.at(square), square};
        left += kLeft[std::size_t(index(man.piece.kind()))];
        for (Color side : {Color::White, Color::Black}) {
            const std::size_t row = accumulators_.row_number(side, position.king(side), man);
            sums[std::size_t(side)] += weights_->material[row * HalfKaWeights::kStacks + stack];
        }
    }
    const auto turn = std::size_t(position.turn());
    return scaled((sums[turn] - sums[1 - turn]) / 2, deep, left);
}

std::int64_t HalfKa::layers(const Position& position, const LayerStack& stack) {
    constexpr std::size_t kHalf = HalfKaWeights::kNeurons / 2;
    alignas(64) std::array<std::uint8_t, HalfKaWeights::kNeurons> pairs;
    kernels_->pairs(pairs.data(), accumulators_.seen_by(position.turn(), position), kHalf, 127, 7);
    kernels_->pairs(pairs.data() + kHalf, accumulators_.seen_by(~position.turn(), position), kHalf, 127, 7);
    const auto [last, direct] = stack.of(pairs.data(), *kernels_);
    return last + direct * kDirect / kOf;
}

}  // namespace okapi
