#include "okapi/eval/nnue/nnue.h"

#include <algorithm>

namespace okapi {

Incremental::Incremental(IncrementalWeights weights, const AccumulatorKernels& kernels)
    : Incremental(std::make_shared<const IncrementalWeights>(std::move(weights)), kernels) {}

Incremental::Incremental(std::shared_ptr<const IncrementalWeights> weights, const AccumulatorKernels& kernels)
    : weights_(std::move(weights)), kernels_(&kernels), accumulators_(weights_->accumulator, kernels) {}

std::unique_ptr<Evaluator> Incremental::clone() const {
    return std::unique_ptr<Evaluator>(new Incremental(weights_, *kernels_));
}

int Incremental::value(const Position& position) {
    const std::size_t neurons = weights_->accumulator.neurons;
    const std::size_t bucket = weights_->bucket(count(position.pieces()));
    const Color turn = position.turn();
    const std::int16_t* mover = accumulators_.seen_by(turn, position);
    const std::int16_t* other = accumulators_.seen_by(~turn, position);
    const std::int32_t sum = kernels_->output(mover, other, weights_->output.data() + 2 * neurons * bucket, neurons);
    const std::int64_t whole = std::int64_t(sum) / IncrementalWeights::kFull + weights_->output_bias[bucket];
    const std::int64_t centipawns = whole * weights_->scale / (IncrementalWeights::kFull * IncrementalWeights::kUnit);
    return int(std::clamp<std::int64_t>(centipawns, -kMaxEvaluation, kMaxEvaluation));
}

}  // namespace okapi
