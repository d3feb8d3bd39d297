#include "okapi/eval/checked.h"

#include <cmath>
#include <cstring>

#include "okapi/eval/linear/units.h"
#include "okapi/utils/json.h"

namespace okapi::checked {

using json::in_quotes;

namespace {

std::string text(const Shape& shape) {
    std::string out = "[";
    for (std::int64_t side : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(side);
    return out + "]";
}

[[noreturn]] void refuse_tensor(const Brain& brain, const std::string& name, const Tensor& found,
                                const std::string& type, const Shape& shape) {
    refuse(brain, "tensor " + in_quotes(name) + " is " + found.type + " " + text(found.shape) + ", expected " + type +
                      " " + text(shape) + ". Was it made for another encoding?");
}

}  // namespace

void refuse(const Brain& brain, const std::string& why) {
    throw InvalidBrain("brain " + in_quotes(brain.name()) + " of kind " + in_quotes(brain.kind()) +
                       " cannot be used: " + why);
}

const Tensor& tensor(const Brain& brain, const std::string& name) {
    const auto found = brain.tensors.find(name);
    if (found == brain.tensors.end())
        refuse(brain, "it has no tensor " + in_quotes(name) + ". Save it again with the recipe in its card");
    return found->second;
}

void check_tensor_count(const Brain& brain, std::size_t expected) {
    if (brain.tensors.size() != expected)
        refuse(brain, "it has " + std::to_string(brain.tensors.size()) + " tensors, expected " +
                          std::to_string(expected) + ". A newer okapi may read it");
}

std::vector<float> floats(const Brain& brain, const std::string& name, const Shape& shape) {
    const Tensor& found = tensor(brain, name);
    if ((found.type != "F32" && found.type != "F16") || found.shape != shape)
        refuse_tensor(brain, name, found, "F32", shape);
    std::vector<float> values = found.floats();
    for (float value : values)
        if (!std::isfinite(value))
            refuse(brain, "tensor " + in_quotes(name) + " holds " + std::to_string(value) + ". Train it again");
    return values;
}

std::vector<float> weights(const Brain& brain, const std::string& name, const Shape& shape) {
    std::vector<float> values = floats(brain, name, shape);
    for (float value : values)
        if (std::abs(value) > kMaxWeight)
            refuse(brain, "a weight of tensor " + in_quotes(name) + " is " + std::to_string(value) +
                              ", expected at most 20,000. Train it again");
    return values;
}

template <class T> std::vector<T> whole_numbers(const Brain& brain, const std::string& name, const Shape& shape) {
    const Tensor& found = tensor(brain, name);
    const std::string type = sizeof(T) == 1 ? "I8" : sizeof(T) == 2 ? "I16" : "I32";
    if (found.type != type || found.shape != shape) refuse_tensor(brain, name, found, type, shape);
    std::vector<T> values(found.data.size() / sizeof(T));
    std::memcpy(values.data(), found.data.data(), found.data.size());
    return values;
}

template std::vector<std::int8_t> whole_numbers(const Brain&, const std::string&, const Shape&);
template std::vector<std::int16_t> whole_numbers(const Brain&, const std::string&, const Shape&);
template std::vector<std::int32_t> whole_numbers(const Brain&, const std::string&, const Shape&);

std::vector<float> divisors(const Brain& brain, const Shape& shape) {
    auto values = floats(brain, "divisors", shape);
    for (float divisor : values)
        if (!(divisor > 0))
            refuse(brain, "tensor 'divisors' holds " + std::to_string(divisor) + ", expected numbers above 0");
    return values;
}

}  // namespace okapi::checked
