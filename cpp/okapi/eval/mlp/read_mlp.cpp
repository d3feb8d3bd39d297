// An MLP brain: the layers that its card lists, each with the tensors NAME.weight and NAME.bias.
#include <set>

#include "okapi/eval/checked.h"
#include "okapi/eval/mlp/mlp.h"
#include "okapi/utils/json.h"

namespace okapi {

namespace {

using checked::refuse;
using json::in_quotes;

// More than any MLP needs; a file cannot make the core use much more memory than it has bytes itself.
constexpr std::size_t kMostLayers = 64;
constexpr std::int64_t kWidest = 16384;

struct Listed {
    std::string what, name, activation;
};

Listed parse_layer(const Brain& brain, json::Reader& reader) {
    Listed layer;
    reader.object([&](const std::string& key) {
        if (key == "do") return void(layer.what = reader.string());
        if (key == "name") return void(layer.name = reader.string());
        if (key == "activation") return void(layer.activation = reader.string());
        refuse(brain, "a layer has the unknown field " + in_quotes(key) + ". A newer okapi may read it");
    });
    return layer;
}

std::vector<Listed> parse_layers(const Brain& brain) {
    const auto found = brain.card.find("layers");
    if (found == brain.card.end()) refuse(brain, "its card has no 'layers'. Save it again with the recipe in its card");
    std::vector<Listed> layers;
    json::Reader reader(found->second);
    try {
        reader.array([&] {
            if (layers.size() == kMostLayers) refuse(brain, "it has more than 64 layers. Train a smaller one");
            layers.push_back(parse_layer(brain, reader));
        });
        reader.end();
    } catch (const json::Malformed& malformed) {
        refuse(brain,
               std::string("in its layers, ") + malformed.what() + ". Save it again with the recipe in its card");
    }
    if (layers.empty()) refuse(brain, "it has no layers. Train it again");
    return layers;
}

Activation activation(const Brain& brain, const Listed& layer) {
    for (std::size_t i = 0; i < kActivationNames.size(); ++i)
        if (layer.activation == kActivationNames[i]) return Activation(i);
    refuse(brain, "layer " + in_quotes(layer.name) + " has the activation " + in_quotes(layer.activation) +
                      ", expected none, relu, elu, tanh or sigmoid. A newer okapi may read it");
}

DenseLayer dense_layer(const Brain& brain, const Listed& listed, std::size_t inputs) {
    if (listed.what != "dense")
        refuse(brain, "it has a layer that does " + in_quotes(listed.what) +
                          ", and perceptrons have dense ones only. Save it as a convolutional brain");
    const auto& shape = checked::tensor(brain, listed.name + ".weight").shape;
    const std::int64_t outputs = shape.empty() ? 0 : shape[0];
    if (outputs < 1 || outputs > kWidest)
        refuse(brain, "layer " + in_quotes(listed.name) + " has " + std::to_string(outputs) +
                          " outputs, expected 1 to 16384. Train it again");
    return {.inputs = inputs,
            .outputs = std::size_t(outputs),
            .weights = checked::weights(brain, listed.name + ".weight", {outputs, std::int64_t(inputs)}),
            .bias = checked::weights(brain, listed.name + ".bias", {outputs}),
            .activation = activation(brain, listed)};
}

}  // namespace

MlpWeights read_mlp(const Brain& brain) {
    MlpWeights weights;
    std::size_t inputs = 0;
    for (std::size_t i = 0; i < kMlpInputs.size(); ++i)
        if (brain.encoding() == kMlpInputs[i].name) weights.input = MlpInput(i), inputs = kMlpInputs[i].inputs;
    if (inputs == 0) refuse(brain, "perceptrons do not read the encoding " + in_quotes(brain.encoding()));

    std::set<std::string> names;
    for (const Listed& listed : parse_layers(brain)) {
        if (!names.insert(listed.name).second)
            refuse(brain, "two of its layers are named " + in_quotes(listed.name) + ". Save it again");
        weights.layers.push_back(dense_layer(brain, listed, inputs));
        inputs = weights.layers.back().outputs;
    }
    checked::check_tensor_count(brain, 2 * names.size());
    weights.output = read_output(brain, inputs);
    return weights;
}

}  // namespace okapi
