// Brains that predict the moves of people, such as okapi-human: a convolutional network with a number for every two
// squares. okapi.brains.move_prediction is the same in Python.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/encode/encode.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/conv/convolutional.h"
#include "okapi/eval/prior.h"

namespace okapi::uci {

struct LikelyMove {
    Move move;
    float probability;
};

class PredictedMoves {
public:
    // The ratings of the people that a network with an input for them was trained on.
    static constexpr int kLowestElo = 2000, kHighestElo = 2900, kUnknownElo = 2500;

    // Whether a brain is of this kind; whether it can be read is another question.
    static bool predicts(const Brain& brain);
    explicit PredictedMoves(const Brain& brain);  // throws InvalidBrain

    // All legal moves, likeliest first, as people of a rating play; 0 is the rating in the card, or an unknown one.
    std::vector<LikelyMove> moves(const Position& position, int elo) const;
    // The same in the order of `legal`, which are all legal moves. Thread-safe.
    void probabilities(const Position& position, std::span<const Move> legal, int elo, std::span<float> out) const;

private:
    std::vector<float> logits(const Position& position, int elo) const;
    void read_encoding(const Brain& brain);
    void read_layers(const Brain& brain);
    void read_output(const Brain& brain);

    encode::Encoder<float> board_{};
    std::vector<std::string> inputs_;  // planes behind those of the board: elo, outcome
    int own_elo_ = kUnknownElo;
    std::array<float, 4> promotions_ = {0, 0, 0, 1};  // shares of knight, bishop, rook and queen
    std::unique_ptr<ConvolutionalNetwork> network_;
};

// Of a move network, or of a brain that predicts the moves of people. Throws InvalidBrain where a brain is neither, or
// this build cannot read it.
std::unique_ptr<MovePrior> make_prior(const Brain& brain);

}  // namespace okapi::uci
