#include "okapi/eval/brain.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "okapi/eval/checked.h"
#include "okapi/eval/default_brain.h"
#include "okapi/eval/giraffe/giraffe.h"
#include "okapi/eval/halfka/halfka.h"
#include "okapi/eval/linear/linear28.h"
#include "okapi/eval/linear/linear35.h"
#include "okapi/eval/linear/linear5.h"
#include "okapi/eval/mlp/mlp.h"
#include "okapi/eval/nnue/nnue.h"
#include "okapi/eval/piece_networks/piece_networks.h"
#include "okapi/utils/json.h"

namespace okapi {

namespace {

using namespace checked;
using json::in_quotes;

std::string entry(const Brain& brain, const std::string& key) {
    const auto found = brain.card.find(key);
    return found == brain.card.end() ? "" : found->second;
}

// --- Kinds ------------------------------------------------------------------------------------------------------

std::unique_ptr<Evaluator> make_material(const Brain& brain) {
    check_tensor_count(brain, 1);
    return std::make_unique<Material>(weights<5>(brain));
}

std::unique_ptr<Evaluator> make_linear5(const Brain& brain) {
    check_tensor_count(brain, 1);
    return std::make_unique<Linear5>(weights<Linear5::kWeights>(brain));
}

std::unique_ptr<Evaluator> make_linear28(const Brain& brain) {
    check_tensor_count(brain, 2);
    FactorWeights factors{weights<kFactors>(brain), {}};
    std::ranges::copy(divisors(brain, {kFactors}), factors.divisors.begin());
    return std::make_unique<Linear28>(factors);
}

std::unique_ptr<Evaluator> make_linear35(const Brain& brain) {
    check_tensor_count(brain, 2);
    AllFactorWeights factors{weights<kAllFactors>(brain), {}};
    std::ranges::copy(divisors(brain, {kAllFactors}), factors.divisors.begin());
    return std::make_unique<Linear35>(factors);
}

// A hidden layer of `NAME.hidden` [nodes, 5] and the output node `NAME.output` [nodes + 1].
PieceNetwork piece_network(const Brain& brain, const std::string& name) {
    const auto& shape = tensor(brain, name + ".hidden").shape;
    const std::int64_t nodes = shape.empty() ? 0 : shape[0];
    if (nodes < 1 || nodes > std::int64_t(PieceNetwork::kMaxHidden))
        refuse(brain, "tensor '" + name + ".hidden' is for " + std::to_string(nodes) +
                          " nodes, expected 1 to 64. Train it again");
    PieceNetwork network{.hidden = std::vector<std::array<float, 5>>(std::size_t(nodes)),
                         .output = weights(brain, name + ".output", {nodes + 1})};
    const auto hidden = weights(brain, name + ".hidden", {nodes, 5});
    for (std::size_t i = 0; i < hidden.size(); ++i) network.hidden[i / 5][i % 5] = hidden[i];
    return network;
}

std::unique_ptr<Evaluator> make_piece_networks(const Brain& brain) {
    constexpr std::array<const char*, kKinds> kNames = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    check_tensor_count(brain, 2 * kKinds + 4);
    PieceNetworksWeights all;
    const auto inputs = divisors(brain, {kKinds, 4});
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        all.networks[kind] = piece_network(brain, kNames[kind]);
        std::copy_n(inputs.begin() + std::ptrdiff_t(4 * kind), 4, all.networks[kind].divisors.begin());
    }
    const auto pawns = weights(brain, "bishop_pawns", {2, kBishopPawns});
    for (std::size_t i = 0; i < pawns.size(); ++i) all.bishop_pawns[i / kBishopPawns][i % kBishopPawns] = pawns[i];
    all.material = weights<5>(brain, "material");
    all.c = weights<kKinds>(brain, "c");
    return std::make_unique<PieceNetworks>(all);
}

std::unique_ptr<Evaluator> make_mlp(const Brain& brain) { return std::make_unique<Mlp>(read_mlp(brain)); }

std::unique_ptr<Evaluator> make_giraffe(const Brain& brain) { return std::make_unique<Giraffe>(read_giraffe(brain)); }

std::unique_ptr<Evaluator> make_nnue(const Brain& brain) { return std::make_unique<Nnue>(read_nnue(brain)); }

std::unique_ptr<Evaluator> make_layered_nnue(const Brain& brain) {
    return std::make_unique<LayeredNnue>(read_layered_nnue(brain));
}

std::unique_ptr<Evaluator> make_halfka(const Brain& brain) { return std::make_unique<HalfKa>(read_halfka(brain)); }

// Tensors of bytes whose rows have scales, in a tensor with the same name and ".scale", become floats.
void scale_bytes(std::map<std::string, Tensor>& tensors) {
    constexpr std::string_view kScale = ".scale";
    for (auto at = tensors.begin(); at != tensors.end();) {
        const std::string& name = at->first;
        const auto bytes =
            name.ends_with(kScale) ? tensors.find(name.substr(0, name.size() - kScale.size())) : tensors.end();
        if (bytes == tensors.end() || bytes->second.type != "I8") {
            ++at;
            continue;
        }
        Tensor& rows = bytes->second;
        const std::vector<float> scales = at->second.floats();
        if (scales.empty() || rows.shape.empty() || rows.shape[0] != std::int64_t(scales.size()))
            throw InvalidTensors("'" + name + "' has " + std::to_string(scales.size()) +
                                 " scales, not one for each row of its tensor. Was it written by okapi?");
        const std::size_t width = rows.data.size() / scales.size();
        std::vector<std::byte> data(rows.data.size() * sizeof(float));
        for (std::size_t i = 0; i < rows.data.size(); ++i) {
            const float value = float(std::int8_t(rows.data[i])) * scales[i / width];
            std::memcpy(data.data() + i * sizeof(float), &value, sizeof(float));
        }
        rows = {"F32", std::move(rows.shape), std::move(data)};
        at = tensors.erase(at);
    }
}

// A kind that reads several encodings has a row for each.
struct Reading {
    std::string_view kind;
    std::string_view encoding;
    std::unique_ptr<Evaluator> (*make)(const Brain&);
};
constexpr Reading kReadings[] = {
    {"material", "material-5", make_material},
    {"linear-5", "mobility-6", make_linear5},
    {"linear-28", "factors-29", make_linear28},
    {"linear-35", "factors-35", make_linear35},
    {"piece-networks", "pieces-24", make_piece_networks},
    {"mlp", "vector-64", make_mlp},
    {"mlp", "vector-65", make_mlp},
    {"mlp", "bitmap-768", make_mlp},
    {"mlp", "algebraic-768", make_mlp},
    {"giraffe", "giraffe-363-mover", make_giraffe},
    {"giraffe", "giraffe-363", make_giraffe},
    {"nnue", "piece-square-mirrored", make_nnue},
    {"nnue", "piece-square-mirrored-4", make_nnue},
    {"nnue-layers", "piece-square-mirrored", make_layered_nnue},
    {"nnue-layers", "piece-square-mirrored-4", make_layered_nnue},
    {"halfka", "halfka-v2-mirrored", make_halfka},
};

// Brains of okapi 0.x say "perceptron" and "incremental".
std::string_view current_name(std::string_view kind) {
    return kind == "perceptron" ? "mlp" : kind == "incremental" ? "nnue" : kind;
}

}  // namespace

std::string Brain::name() const { return entry(*this, "name"); }
std::string Brain::kind() const { return entry(*this, "kind"); }
std::string Brain::encoding() const { return entry(*this, "encoding"); }

Brain Brain::read(std::span<const std::byte> file) {
    try {
        Safetensors found = Safetensors::read(file);
        scale_bytes(found.tensors);
        return {std::move(found.metadata), std::move(found.tensors)};
    } catch (const InvalidTensors& invalid) {
        throw InvalidBrain(invalid.what());
    }
}

Brain Brain::open(const std::string& path) {
    std::error_code error;
    const bool regular = std::filesystem::is_regular_file(path, error);
    std::ifstream file(path, std::ios::binary);
    if (!regular || !file)
        throw InvalidBrain("no brain at " + in_quotes(path) + ". `okapi brains list` names those that ship");
    std::vector<char> bytes(std::filesystem::file_size(path));
    if (!file.read(bytes.data(), std::streamsize(bytes.size())))
        throw InvalidBrain(in_quotes(path) + " cannot be read");
    try {
        return read(std::as_bytes(std::span(bytes)));
    } catch (const InvalidBrain& invalid) {
        throw InvalidBrain(in_quotes(path) + " is " + invalid.what());
    }
}

std::unique_ptr<Evaluator> make_evaluator(const Brain& brain) {
    if (entry(brain, "okapi") != "1")
        throw InvalidBrain(
            "this file has no okapi card of version 1: it is someone else's weights, or from a newer okapi. "
            "`okapi brains show FILE` prints what it says");
    const std::string written = brain.kind();
    const std::string_view kind = current_name(written);
    std::string kinds, encodings;
    const auto list = [](std::string& names, std::string_view name) {
        if (!names.ends_with(name)) names += (names.empty() ? "" : ", ") + std::string(name);
    };
    for (const Reading& reading : kReadings) {
        list(kinds, reading.kind);
        if (reading.kind != kind) continue;
        if (reading.encoding == brain.encoding()) return reading.make(brain);
        list(encodings, reading.encoding);
    }
    if (kind == "convolutional" || kind == "seven-networks")
        refuse(brain, "it needs Python. `okapi uci --brain BRAIN` plays with it");
    if (kind == "giraffe-moves")
        refuse(brain,
               "it says how likely moves are, not what a position is worth. `okapi moves --brain BRAIN` asks it");
    if (encodings.empty())
        refuse(brain, "this build knows the kinds " + kinds + ". Choose one of these, or install a newer okapi");
    refuse(brain, "it reads the encoding " + in_quotes(brain.encoding()) + ", this kind reads " + encodings +
                      ". Train one for that encoding");
}

const Brain& default_brain() {
    static const Brain brain = Brain::read(std::as_bytes(std::span(kDefaultBrain, kDefaultBrainSize)));
    return brain;
}

}  // namespace okapi
