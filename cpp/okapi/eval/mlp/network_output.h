// What the last layer of a network means: the `output` of its card.
#pragma once

#include <span>
#include <vector>

#include "okapi/eval/brain.h"

namespace okapi {

struct NetworkOutput {
    enum class Form {
        Number,  // centipawns = low + (high - low) * y
        Score,   // an expected score
        Bounds,  // two numbers, between which the value lies
        Classes  // logits; softmax makes them probabilities, and each class has an expected score
    };
    Form form = Form::Number;
    bool for_white = false;  // or for the side to move
    double low = 0;
    double high = 1;
    std::vector<double> scores;  // of each class, rising

    // From logits to outputs: probabilities where there are classes.
    void finish(std::span<float> outputs) const;
    // Of what finish() left, for the side to move.
    int centipawns(std::span<const float> outputs, Color turn) const;
    // The same of bounds: none where the network was taught no values beyond.
    Range range(std::span<const float> outputs, Color turn) const;
};

// For a network with so many outputs. Throws InvalidBrain.
NetworkOutput read_output(const Brain& brain, std::size_t outputs);

}  // namespace okapi
