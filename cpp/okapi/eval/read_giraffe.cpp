// A giraffe brain: layers NAME.weight and NAME.bias for the three modalities, what joins them, and the output.
#include "okapi/eval/checked.h"
#include "okapi/eval/giraffe.h"

namespace okapi {

namespace {

using checked::refuse;

constexpr std::int64_t kWidest = 512;
constexpr std::array<const char*, 3> kNames = {"position", "pieces", "squares"};

DenseLayer layer(const Brain& brain, const std::string& name, std::size_t inputs, std::int64_t most = kWidest) {
    const auto& shape = checked::tensor(brain, name + ".weight").shape;
    const std::int64_t outputs = shape.empty() ? 0 : shape[0];
    if (outputs < 1 || outputs > most)
        refuse(brain, "layer '" + name + "' has " + std::to_string(outputs) + " outputs, expected 1" +
                          (most > 1 ? " to " + std::to_string(most) : "") + ". Train it again");
    return {.inputs = inputs,
            .outputs = std::size_t(outputs),
            .weights = checked::weights(brain, name + ".weight", {outputs, std::int64_t(inputs)}),
            .bias = checked::weights(brain, name + ".bias", {outputs}),
            .activation = most > 1 ? Activation::Relu : Activation::None};
}

}  // namespace

GiraffeWeights read_giraffe(const Brain& brain) {
    checked::check_tensor_count(brain, 2 * (kNames.size() + 2));
    GiraffeWeights weights;
    weights.mover = brain.encoding() == "giraffe-363-mover";
    std::size_t inputs = 0;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        weights.first[i] = layer(brain, kNames[i], giraffe::kModalities[i].count);
        inputs += weights.first[i].outputs;
    }
    weights.joined = layer(brain, "joined", inputs);
    weights.output = layer(brain, "output", weights.joined.outputs, 1);
    return weights;
}

}  // namespace okapi
