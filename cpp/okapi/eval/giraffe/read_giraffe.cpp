// A giraffe brain: layers NAME.weight and NAME.bias for the three modalities, what joins them, and the output.
#include "okapi/eval/checked.h"
#include "okapi/eval/giraffe/giraffe.h"
#include "okapi/eval/giraffe/read_layer.h"

namespace okapi {

DenseLayer read_layer(const Brain& brain, const std::string& name, std::size_t inputs, std::int64_t most) {
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

}  // namespace okapi
