#include "okapi/eval/prior.h"

#include "okapi/eval/checked.h"
#include "okapi/eval/conv/predicted_moves.h"
#include "okapi/eval/giraffe/move_network.h"

namespace okapi {

namespace {

// A network that predicts the moves of people; all threads share it.
class PredictedPrior final : public MovePrior {
public:
    explicit PredictedPrior(std::shared_ptr<const PredictedMoves> network) : network_(std::move(network)) {}

    void probabilities(const Position& position, std::span<const Move> moves, std::span<float> out) override {
        network_->probabilities(position, moves, 0, out);
    }
    std::unique_ptr<MovePrior> clone() const override { return std::make_unique<PredictedPrior>(network_); }

private:
    std::shared_ptr<const PredictedMoves> network_;
};

}  // namespace

std::unique_ptr<MovePrior> make_prior(const Brain& brain) {
    if (PredictedMoves::predicts(brain))
        return std::make_unique<PredictedPrior>(std::make_shared<const PredictedMoves>(brain));
    if (brain.kind() != "giraffe-moves")
        checked::refuse(brain, "it does not tell how likely moves are. Choose one that predicts moves");
    return std::make_unique<MoveNetwork>(read_move_network(brain));
}

}  // namespace okapi
