// The network of lai2015, chapter 6: a part for the position, computed once, and a part for each move
// for itself, joined; one number for each move. okapi.models.move_network is the twin.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "okapi/eval/mlp/first_layer.h"
#include "okapi/eval/prior.h"

namespace okapi {

// What a giraffe-moves brain holds. ReLU stands behind all layers but the last.
struct MoveNetworkWeights {
    bool mover = true;       // the board is seen as the side to move sees it; else as White does
    bool alone = false;      // the thesis' features of moves, each move judged alone, in two passes; else ours, in one
    bool exchanges = false;  // with captures, checks, the signs of exchanges and the number of moves besides
    std::array<DenseLayer, 3> first;  // by giraffe::kModalities
    DenseLayer move, joined;
    std::optional<DenseLayer> hidden;
    DenseLayer output;
};
MoveNetworkWeights read_move_network(const Brain& brain);  // throws InvalidBrain

class MoveNetwork final : public MovePrior {
public:
    // Kernels other than this machine's best are for tests.
    explicit MoveNetwork(const MoveNetworkWeights& weights, const Kernels& kernels = best_kernels());

    void probabilities(const Position& position, std::span<const Move> moves, std::span<float> out) override;
    // The copy shares the weights.
    std::unique_ptr<MovePrior> clone() const override;

    // The logit of each move; of two passes, the second.
    void scores(const Position& position, std::span<const Move> moves, std::span<float> out);

private:
    struct Network;
    // What was said of a position: each iteration of a search asks again for most of those of the one before.
    struct Memory {
        static constexpr std::size_t kMoves = 64;  // positions with more are rare, and not remembered
        std::uint64_t key = 0;
        std::uint32_t count = 0;
        std::array<Move, kMoves> moves;
        std::array<float, kMoves> probabilities;
    };
    static constexpr std::size_t kRemembered = 1 << 10;

    explicit MoveNetwork(std::shared_ptr<const Network> network);

    void compute(const Position& position, std::span<const Move> moves, std::span<float> out);
    // What the position adds to the joined layer, whatever the move.
    void look_at(const Position& position);
    // The logit of a move, by its features that are not zero.
    float say(const std::uint32_t* features, const float* active);

    std::shared_ptr<const Network> network_;
    AlignedVector<float> seen_, here_;  // features of a position, and what it adds to the joined layer
    AlignedVector<float> told_, joined_, hidden_;
    AlignedVector<std::uint32_t> where_;
    AlignedVector<float> active_;
    std::vector<Memory> memory_ = std::vector<Memory>(kRemembered);
};

}  // namespace okapi
