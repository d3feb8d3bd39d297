// The network of Stockfish 15, for its file as a brain: pieces on squares relative to the own king, 1,024 neurons a
// side, and one of eight stacks of small layers. src/okapi/brains/halfka.py is the definition.
#pragma once

#include <memory>
#include <vector>

#include "okapi/eval/evaluator.h"
#include "okapi/eval/nnue/accumulators.h"
#include "okapi/eval/nnue/layers.h"

namespace okapi {

struct Brain;

struct HalfKaWeights {
    static constexpr std::size_t kNeurons = 1024, kStacks = 8;

    AccumulatorWeights accumulator;
    std::vector<std::int32_t> material;  // [accumulator.layout.rows()][kStacks]
    std::vector<LayerStack> stacks;
};
HalfKaWeights read_halfka(const Brain& brain);  // throws InvalidBrain

class HalfKa final : public Evaluator {
public:
    explicit HalfKa(HalfKaWeights weights, const AccumulatorKernels& kernels = best_accumulator_kernels());

    int value(const Position& position) override;
    void reset(const Position& position) override { accumulators_.reset(position); }
    void push(const Position& before, Move move) override { accumulators_.push(before, move); }
    void pop() override { accumulators_.pop(); }
    // The copy shares the weights.
    std::unique_ptr<Evaluator> clone() const override;

private:
    HalfKa(std::shared_ptr<const HalfKaWeights> weights, const AccumulatorKernels& kernels);
    std::int64_t layers(const Position& position, const LayerStack& stack);

    std::shared_ptr<const HalfKaWeights> weights_;
    const AccumulatorKernels* kernels_;
    Accumulators accumulators_;
};

}  // namespace okapi
