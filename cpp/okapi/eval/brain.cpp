#include "okapi/eval/brain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "okapi/eval/default_brain.h"
#include "okapi/eval/json.h"
#include "okapi/eval/linear28.h"
#include "okapi/eval/linear5.h"
#include "okapi/eval/material.h"
#include "okapi/eval/units.h"

namespace okapi {

namespace {

using json::in_quotes;

std::string entry(const Brain& brain, const std::string& key) {
    const auto found = brain.passport.find(key);
    return found == brain.passport.end() ? "" : found->second;
}

std::string text(const std::vector<std::int64_t>& shape) {
    std::string out = "[";
    for (std::int64_t side : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(side);
    return out + "]";
}

// --- Checked tensors --------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const Brain& brain, const std::string& why) {
    throw InvalidBrain("brain " + in_quotes(brain.name()) + " of kind " + in_quotes(brain.kind()) +
                       " cannot be used: " + why);
}

template <std::size_t size> std::array<float, size> floats(const Brain& brain, const std::string& name) {
    const auto found = brain.tensors.find(name);
    if (found == brain.tensors.end())
        refuse(brain, "it has no tensor '" + name + "'. Save it again with the recipe in its passport");
    const Tensor& tensor = found->second;
    if (tensor.type != "F32" || tensor.shape != std::vector{std::int64_t(size)})
        refuse(brain, "tensor '" + name + "' is " + tensor.type + " " + text(tensor.shape) + ", expected F32 [" +
                          std::to_string(size) + "]. Was it made for another encoding?");
    std::array<float, size> values;
    std::ranges::copy(tensor.floats(), values.begin());
    for (float value : values)
        if (!std::isfinite(value))
            refuse(brain, "tensor '" + name + "' holds " + std::to_string(value) + ". Train it again");
    return values;
}

template <std::size_t size> std::array<float, size> weights(const Brain& brain) {
    const auto values = floats<size>(brain, "weights");
    for (float value : values)
        if (std::abs(value) > kMaxWeight)
            refuse(brain,
                   "a weight is " + std::to_string(value) + " centipawns, expected at most 20,000. Train it again");
    return values;
}

void check_tensor_count(const Brain& brain, std::size_t expected) {
    if (brain.tensors.size() != expected)
        refuse(brain, "it has " + std::to_string(brain.tensors.size()) + " tensors, expected " +
                          std::to_string(expected) + ". A newer okapi may read it");
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
    const FactorWeights factors{weights<kFactors>(brain), floats<kFactors>(brain, "divisors")};
    for (float divisor : factors.divisors)
        if (!(divisor > 0))
            refuse(brain, "tensor 'divisors' holds " + std::to_string(divisor) + ", expected numbers above 0");
    return std::make_unique<Linear28>(factors);
}

struct Reading {
    std::string_view kind;
    std::string_view encoding;
    std::unique_ptr<Evaluator> (*make)(const Brain&);
};
constexpr std::array<Reading, 3> kReadings = {{
    {"material", "material-5", make_material},
    {"linear-5", "mobility-6", make_linear5},
    {"linear-28", "factors-29", make_linear28},
}};

}  // namespace

std::string Brain::name() const { return entry(*this, "name"); }
std::string Brain::kind() const { return entry(*this, "kind"); }
std::string Brain::encoding() const { return entry(*this, "encoding"); }

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
            "this file has no okapi passport of version 1: it is someone else's weights, or from a newer okapi. "
            "`okapi brains show FILE` prints what it says");
    std::string known;
    for (const Reading& reading : kReadings) {
        known += (known.empty() ? "" : ", ") + std::string(reading.kind);
        if (reading.kind != brain.kind()) continue;
        if (reading.encoding == brain.encoding()) return reading.make(brain);
        refuse(brain, "it reads the encoding " + in_quotes(brain.encoding()) + ", this kind reads " +
                          in_quotes(reading.encoding) + ". Train one for that encoding");
    }
    refuse(brain, "this build knows the kinds " + known + ". Choose one of these, or install a newer okapi");
}

const Brain& default_brain() {
    static const Brain brain = Brain::read(std::as_bytes(std::span(kDefaultBrain, kDefaultBrainSize)));
    return brain;
}

}  // namespace okapi
