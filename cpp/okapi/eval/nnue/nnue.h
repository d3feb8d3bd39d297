// The network that search can afford at every node: which piece stands where, seen by either side, in one wide layer
// that a move changes by two or three rows, and one output behind it. All numbers are whole, so the way by which a
// position was reached leaves no trace in its value.
#pragma once

#include <memory>
#include <vector>

#include "okapi/eval/evaluator.h"
#include "okapi/eval/nnue/accumulators.h"
#include "okapi/eval/nnue/layers.h"

namespace okapi {

struct Brain;

// Which of so many outputs or stacks a number of men selects.
inline std::size_t bucket_of(int men, std::size_t buckets) { return std::size_t(men - 2) * buckets / 32; }

// What an NNUE brain holds.
struct NnueWeights {
    // What stands for 1: neurons are clamped to 0 ... kFull, and squared; the weights behind them are in kUnit-ths.
    static constexpr int kFull = 255;
    static constexpr int kUnit = 64;

    AccumulatorWeights accumulator;
    std::size_t buckets = 0;             // outputs: the number of men selects one
    AlignedVector<std::int16_t> output;  // [buckets][the mover's neurons, then the other's]; each fits 8 bits
    std::vector<std::int32_t> output_bias;
    std::int64_t scale = 0;

    std::size_t bucket(int men) const { return bucket_of(men, buckets); }
};
NnueWeights read_nnue(const Brain& brain);  // throws InvalidBrain

class Nnue final : public Evaluator {
public:
    // Kernels other than this machine's best are for tests.
    explicit Nnue(NnueWeights weights, const AccumulatorKernels& kernels = best_accumulator_kernels());

    int value(const Position& position) override;
    void reset(const Position& position) override { accumulators_.reset(position); }
    void push(const Position& before, Move move) override { accumulators_.push(before, move); }
    void pop() override { accumulators_.pop(); }
    // The copy shares the weights.
    std::unique_ptr<Evaluator> clone() const override;

private:
    Nnue(std::shared_ptr<const NnueWeights> weights, const AccumulatorKernels& kernels);

    std::shared_ptr<const NnueWeights> weights_;
    const AccumulatorKernels* kernels_;
    Accumulators accumulators_;
};

// An NNUE of kind "nnue-layers": neurons are multiplied in pairs, and behind them are stacks of small layers.
struct LayeredNnueWeights {
    AccumulatorWeights accumulator;
    std::vector<LayerStack> stacks;  // the number of men selects one
    std::int64_t scale = 0;
};
LayeredNnueWeights read_layered_nnue(const Brain& brain);  // throws InvalidBrain

class LayeredNnue final : public Evaluator {
public:
    explicit LayeredNnue(LayeredNnueWeights weights, const AccumulatorKernels& kernels = best_accumulator_kernels());

    int value(const Position& position) override;
    void reset(const Position& position) override { accumulators_.reset(position); }
    void push(const Position& before, Move move) override { accumulators_.push(before, move); }
    void pop() override { accumulators_.pop(); }
    // The copy shares the weights.
    std::unique_ptr<Evaluator> clone() const override;

private:
    LayeredNnue(std::shared_ptr<const LayeredNnueWeights> weights, const AccumulatorKernels& kernels);

    std::shared_ptr<const LayeredNnueWeights> weights_;
    const AccumulatorKernels* kernels_;
    Accumulators accumulators_;
};

}  // namespace okapi
