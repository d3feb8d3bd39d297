// Networks of dense layers. The first is kept up to date move by move, those behind it are computed when a value is
// asked for. After relu most inputs of a layer are zero, and only the others are looked at.
#pragma once

#include "okapi/eval/mlp/first_layer.h"
#include "okapi/eval/mlp/network_output.h"

namespace okapi {

// What an MLP brain holds.
struct MlpWeights {
    MlpInput input = MlpInput::Vector64;
    std::vector<DenseLayer> layers;
    NetworkOutput output;
};
MlpWeights read_mlp(const Brain& brain);  // throws InvalidBrain

class Mlp final : public Evaluator {
public:
    // Kernels other than this machine's best are for tests.
    explicit Mlp(const MlpWeights& weights, const Kernels& kernels = best_kernels());

    int value(const Position& position) override;
    std::optional<Range> range(const Position& position) override;
    void reset(const Position& position) override { first_.reset(position); }
    void push(const Position& before, Move move) override { first_.push(before, move); }
    void pop() override { first_.pop(); }
    // The copy shares the weights, and remembers for itself.
    std::unique_ptr<Evaluator> clone() const override;

    std::size_t outputs() const;
    // The outputs for the position that reset(), push() and pop() led to, with `turn` to move:
    // probabilities where there are classes. Valid until the next call.
    std::span<const float> answer(Color turn);

private:
    struct Network;
    struct Memory {
        Key key = 0;
        int value = 0;
        bool filled = false;
    };
    // Bounds the memory; a newer position takes the place of an older one.
    static constexpr std::size_t kRemembered = 1 << 15;

    explicit Mlp(std::shared_ptr<const Network> network);

    std::shared_ptr<const Network> network_;
    FirstSums first_;
    AlignedVector<float> now_, next_;  // a layer, and the one behind it
    AlignedVector<std::uint32_t> where_;
    AlignedVector<float> active_;
    std::vector<Memory> memory_ = std::vector<Memory>(kRemembered);
};

}  // namespace okapi
