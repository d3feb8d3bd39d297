// The network of Stockfish 15, for its file as a brain: pieces on squares relative to the own king, 1,024 neurons a
// side, and one of eight stacks of small layers. src/okapi/brains/halfka.py is the definition.
#pragma once

#include <memory>
#include <vector>

#include "okapi/eval/evaluator.h"
#include "okapi/eval/nnue/accumulators.h"

namespace okapi {

struct Brain;

struct HalfKaWeights {
    static constexpr std::size_t kNeurons = 1024, kStacks = 8, kFirst = 16, kSecond = 32;

    struct Stack {
        AlignedVector<std::int16_t> first;  // [kFirst][kNeurons]
        std::array<std::int32_t, kFirst> first_bias;
        std::array<std::array<std::int8_t, kSecond>, kSecond> second;
        std::array<std::int32_t, kSecond> second_bias;
        std::array<std::int8_t, kSecond> last;
        std::int32_t last_bias;
    };

    AccumulatorWeights accumulator;
    std::vector<std::int32_t> material;  // [accumulator.layout.rows()][kStacks]
    std::array<Stack, kStacks> stacks;
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
    std::int64_t layers(const Position& position, const HalfKaWeights::Stack& stack);

    std::shared_ptr<const HalfKaWeights> weights_;
    const AccumulatorKernels* kernels_;
    Accumulators accumulators_;
};

}  // namespace okapi
