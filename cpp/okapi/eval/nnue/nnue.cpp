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

}  // namespace okapi
