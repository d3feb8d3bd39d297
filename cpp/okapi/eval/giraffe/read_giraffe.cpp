// Giraffe brains. Both kinds have layers NAME.weight and NAME.bias: for the three modalities of a position, for moves
// in a giraffe-moves brain, for what joins them, maybe a hidden one, and the output.
#include <array>
#include <string>

#include "okapi/eval/checked.h"
#include "okapi/eval/giraffe/giraffe.h"
#include "okapi/eval/giraffe/giraffe_features.h"
#include "okapi/eval/giraffe/move_features.h"
#include "okapi/eval/giraffe/move_network.h"

namespace okapi {

namespace {

constexpr std::array<const char*, 3> kModalityNames = {"position", "pieces", "squares"};

constexpr std::int64_t kWidestLayer = 512;

std::string moves_read_by(const Brain& brain) {
    const auto found = brain.card.find("moves");
    const std::string moves = found == brain.card.end() ? "" : found->second;
    if (moves != "okapi-moves" && moves != "giraffe-moves-15" && moves != "giraffe-moves-20")
        checked::refuse(brain, "it reads the features of moves '" + moves +
                                   "', this build knows okapi-moves, giraffe-moves-15 and giraffe-moves-20. Install a "
                                   "newer okapi");
    return moves;
}

// NAME.weight and NAME.bias; relu stands behind a layer that may have more than one output. Throws InvalidBrain.
DenseLayer read_layer(const Brain& brain, const std::string& name, std::size_t inputs,
                      std::int64_t most = kWidestLayer) {
    const auto& shape = checked::tensor(brain, name + ".weight").shape;
    const std::int64_t outputs = shape.empty() ? 0 : shape[0];
    if (outputs < 1 || outputs > most)
        checked::refuse(brain, "layer '" + name + "' has " + std::to_string(outputs) + " outputs, expected 1" +
                                   (most > 1 ? " to " + std::to_string(most) : "") + ". Train it again");
    return {.inputs = inputs,
            .outputs = std::size_t(outputs),
            .weights = checked::weights(brain, name + ".weight", {outputs, std::int64_t(inputs)}),
            .bias = checked::weights(brain, name + ".bias", {outputs}),
            .activation = most > 1 ? Activation::Relu : Activation::None};
}

}  // namespace

GiraffeWeights read_giraffe(const Brain& brain) {
    static_assert(kWidestLayer <= std::int64_t(kMostNodes));
    checked::check_tensor_count(brain, 2 * (kModalityNames.size() + 2));
    GiraffeWeights weights;
    weights.mover = brain.encoding() == "giraffe-363-mover";
    std::size_t inputs = 0;
    for (std::size_t i = 0; i < kModalityNames.size(); ++i) {
        weights.first[i] = read_layer(brain, kModalityNames[i], giraffe::kModalities[i].count);
        inputs += weights.first[i].outputs;
    }
    weights.joined = read_layer(brain, "joined", inputs);
    weights.output = read_layer(brain, "output", weights.joined.outputs, 1);
    return weights;
}

MoveNetworkWeights read_move_network(const Brain& brain) {
    MoveNetworkWeights weights;
    weights.mover = brain.encoding() == "giraffe-363-mover";
    if (!weights.mover && brain.encoding() != "giraffe-363")
        checked::refuse(brain, "it reads the encoding '" + brain.encoding() +
                                   "', this kind reads giraffe-363, giraffe-363-mover. Train one for that encoding");
    const std::string moves = moves_read_by(brain);
    weights.alone = moves != "okapi-moves";
    weights.exchanges = moves == "giraffe-moves-20";
    const bool hidden = brain.tensors.contains("hidden.weight");
    checked::check_tensor_count(brain, hidden ? 14 : 12);
    std::size_t inputs = 0;
    for (std::size_t i = 0; i < kModalityNames.size(); ++i) {
        weights.first[i] = read_layer(brain, kModalityNames[i], giraffe::kModalities[i].count);
        inputs += weights.first[i].outputs;
    }
    weights.move = read_layer(brain, "move", weights.exchanges ? 20 : weights.alone ? 15 : MoveQuestions::kColumns);
    weights.joined = read_layer(brain, "joined", inputs + weights.move.outputs);
    if (hidden) weights.hidden = read_layer(brain, "hidden", weights.joined.outputs);
    weights.output = read_layer(brain, "output", (hidden ? *weights.hidden : weights.joined).outputs, 1);
    return weights;
}

}  // namespace okapi
