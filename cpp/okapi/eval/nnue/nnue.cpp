#include "okapi/eval/nnue/nnue.h"

#include <algorithm>

namespace okapi {

Nnue::Nnue(NnueWeights weights, const AccumulatorKernels& kernels)
    : Nnue(std::make_shared<const NnueWeights>(std::move(weights)), kernels) {}

Nnue::Nnue(std::shared_ptr<const NnueWeights> weights, const AccumulatorKernels& kernels)
    : weights_(std::move(weights)), kernels_(&kernels), accumulators_(weights_->accumulator, kernels) {}

std::unique_ptr<Evaluator> Nnue::clone() const { return std::unique_ptr<Evaluator>(new Nnue(weights_, *kernels_)); }

int Nnue::value(const Position& position) {
    const std::size_t neurons = weights_->accumulator.neurons;
    const std::size_t bucket = weights_->bucket(count(position.pieces()));
    const Color turn = position.turn();
    const std::int16_t* mover = accumulators_.seen_by(turn, position);
    const std::int16_t* other = accumulators_.seen_by(~turn, position);
    const std::int32_t sum = kernels_->output(mover, other, weights_->output.data() + 2 * neurons * bucket, neurons);
    const std::int64_t whole = std::int64_t(sum) / NnueWeights::kFull + weights_->output_bias[bucket];
    const std::int64_t centipawns = whole * weights_->scale / (NnueWeights::kFull * NnueWeights::kUnit);
    return int(std::clamp<std::int64_t>(centipawns, -kMaxEvaluation, kMaxEvaluation));
}

LayeredNnue::LayeredNnue(LayeredNnueWeights weights, const AccumulatorKernels& kernels)
    : LayeredNnue(std::make_shared<const LayeredNnueWeights>(std::move(weights)), kernels) {}

LayeredNnue::LayeredNnue(std::shared_ptr<const LayeredNnueWeights> weights, const AccumulatorKernels& kernels)
    : weights_(std::move(weights)), kernels_(&kernels), accumulators_(weights_->accumulator, kernels) {}

std::unique_ptr<Evaluator> LayeredNnue::clone() const {
    return std::unique_ptr<Evaluator>(new LayeredNnue(weights_, *kernels_));
}

int LayeredNnue::value(const Position& position) {
    constexpr int kShift = 9;  // 255 * 255 becomes 127
    const std::size_t half = weights_->accumulator.neurons / 2;
    alignas(64) std::array<std::uint8_t, kMostNeurons> pairs;
    kernels_->pairs(pairs.data(), accumulators_.seen_by(position.turn(), position), half, NnueWeights::kFull, kShift);
    kernels_->pairs(pairs.data() + half, accumulators_.seen_by(~position.turn(), position), half, NnueWeights::kFull,
                    kShift);
    const LayerStack& stack = weights_->stacks[bucket_of(count(position.pieces()), weights_->stacks.size())];
    const auto [last, direct] = stack.of(pairs.data(), *kernels_);
    const std::int64_t centipawns = (last + direct) * weights_->scale / LayerStack::kUnit;
    return int(std::clamp<std::int64_t>(centipawns, -kMaxEvaluation, kMaxEvaluation));
}

}  // namespace okapi
