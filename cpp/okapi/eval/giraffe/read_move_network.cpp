// A giraffe-moves brain: layers NAME.weight and NAME.bias for the three modalities of a position and for moves, what
// joins them, maybe a hidden one, and the output.
#include "okapi/eval/checked.h"
#include "okapi/eval/giraffe/giraffe_features.h"
#include "okapi/eval/giraffe/move_features.h"
#include "okapi/eval/giraffe/move_network.h"
#include "okapi/eval/giraffe/read_layer.h"

namespace okapi {

namespace {

using checked::refuse;

constexpr std::size_t kPlainFeatures = 15;  // the thesis' of a move

bool judges_alone(const Brain& brain) {
    const auto found = brain.card.find("moves");
    const std::string moves = found == brain.card.end() ? "" : found->second;
    if (moves != "okapi-moves" && moves != "giraffe-moves-15")
        refuse(brain, "it reads the features of moves '" + moves +
                          "', this build knows okapi-moves and giraffe-moves-15. Install a newer okapi");
    return moves == "giraffe-moves-15";
}

}  // namespace

MoveNetworkWeights read_move_network(const Brain& brain) {
    MoveNetworkWeights weights;
    weights.mover = brain.encoding() == "giraffe-363-mover";
    if (!weights.mover && brain.encoding() != "giraffe-363")
        refuse(brain, "it reads the encoding '" + brain.encoding() +
                          "', this kind reads giraffe-363, giraffe-363-mover. Train one for that encoding");
    weights.alone = judges_alone(brain);
    const bool hidden = brain.tensors.contains("hidden.weight");
    checked::check_tensor_count(brain, hidden ? 14 : 12);
    std::size_t inputs = 0;
    for (std::size_t i = 0; i < kModalityNames.size(); ++i) {
        weights.first[i] = read_layer(brain, kModalityNames[i], giraffe::kModalities[i].count);
        inputs += weights.first[i].outputs;
    }
    weights.move = read_layer(brain, "move", weights.alone ? kPlainFeatures : MoveQuestions::kColumns);
    weights.joined = read_layer(brain, "joined", inputs + weights.move.outputs);
    if (hidden) weights.hidden = read_layer(brain, "hidden", weights.joined.outputs);
    weights.output = read_layer(brain, "output", (hidden ? *weights.hidden : weights.joined).outputs, 1);
    return weights;
}

}  // namespace okapi
