// The network of lai2015, section 4.2: features of the position, of its pieces and of its squares each have a first
// layer of their own, which are joined by a second; one output, tanh.
#pragma once

#include <memory>

#include "okapi/eval/evaluator.h"
#include "okapi/eval/giraffe/giraffe_features.h"
#include "okapi/eval/mlp/first_layer.h"

namespace okapi {

struct Brain;

// What a giraffe brain holds. ReLU stands behind all layers but the last.
struct GiraffeWeights {
    bool mover = true;                // the board is seen, and judged, as the side to move sees it; else as White does
    std::array<DenseLayer, 3> first;  // by giraffe::kModalities
    DenseLayer joined, output;
};
GiraffeWeights read_giraffe(const Brain& brain);  // throws InvalidBrain

class Giraffe final : public Evaluator {
public:
    // Kernels other than this machine's best are for tests.
    explicit Giraffe(const GiraffeWeights& weights, const Kernels& kernels = best_kernels());

    int value(const Position& position) override;
    // The copy shares the weights, and remembers for itself.
    std::unique_ptr<Evaluator> clone() const override;

    // The output before tanh, for the side to move.
    float answer(const Position& position);

private:
    struct Network;
    // The features of a position, and what they add up to in the first layer. Sums are whole numbers: it does not
    // matter from which position one came to another.
    struct Seen {
        std::array<giraffe::Features, 2> features;  // the last and the one before it
        std::size_t last = 0;
        AlignedVector<std::int32_t> sums;
    };
    // Eight bytes: of the key, the lower bits are where it stands.
    struct Memory {
        static constexpr int kValueBits = 16;
        std::int64_t value : kValueBits = 0;
        std::uint64_t key : 64 - kValueBits = 0;
    };
    // Bounds the memory; a newer position takes the place of an older one.
    static constexpr std::size_t kRemembered = 1 << 16;

    explicit Giraffe(std::shared_ptr<const Network> network);
    void look_at(const Position& position, Seen& seen);

    std::shared_ptr<const Network> network_;
    std::array<Seen, 2> seen_;  // the last one, by side to move: most of it is still valid
    std::vector<Memory> memory_ = std::vector<Memory>(kRemembered);
};

}  // namespace okapi
