#include "okapi/eval/nnue/layers.h"

#include <algorithm>

#include "okapi/eval/checked.h"

namespace okapi {

namespace {

// A sum of a node adds less than 2^30 to its bias: no sum of 32 bits may overflow.
std::vector<std::int32_t> biases(const Brain& brain, const std::string& name, const checked::Shape& shape) {
    constexpr std::int32_t kMost = 1 << 30;
    auto found = checked::whole_numbers<std::int32_t>(brain, name, shape);
    if (std::ranges::any_of(found, [](std::int32_t bias) { return bias > kMost || bias < -kMost; }))
        checked::refuse(brain, "a number of '" + name + "' is beyond 2^30. Was the file damaged?");
    return found;
}

// [outputs][inputs] as [inputs / kInputGroup][outputs][kInputGroup].
AlignedVector<std::int8_t> grouped(const std::int8_t* weights, std::size_t outputs, std::size_t inputs) {
    AlignedVector<std::int8_t> all(outputs * inputs);
    for (std::size_t n = 0; n < outputs; ++n)
        for (std::size_t i = 0; i < inputs; ++i)
            all[(i / kInputGroup * outputs + n) * kInputGroup + i % kInputGroup] = weights[n * inputs + i];
    return all;
}

}  // namespace

LayerStack::Output LayerStack::of(const std::uint8_t* pairs, const AccumulatorKernels& kernels) const {
    alignas(64) std::array<std::int32_t, kFirst> nodes = first_bias;
    kernels.dense(nodes.data(), pairs, first.data(), first.size() / kFirst, kFirst);
    alignas(64) std::array<std::uint8_t, kSecond> inputs{};
    for (std::size_t n = 0; n < kNodes; ++n) {
        const std::int64_t node = nodes[n];
        inputs[n] = std::uint8_t(std::min<std::int64_t>(node * node >> 19, 127));
        inputs[kNodes + n] = std::uint8_t(std::clamp<std::int32_t>(nodes[n] >> 6, 0, 127));
    }
    alignas(64) std::array<std::int32_t, kSecond> sums = second_bias;
    kernels.dense(sums.data(), inputs.data(), second.data(), kSecond, kSecond);
    std::int32_t value = 0;
    for (std::size_t n = 0; n < kSecond; ++n) value += std::clamp(sums[n] >> 6, 0, 127) * last[n];
    return {std::int64_t(value) + last_bias, nodes[kNodes]};
}

std::vector<LayerStack> read_layer_stacks(const Brain& brain, std::size_t count, std::size_t inputs) {
    constexpr auto kFirst = LayerStack::kFirst, kSecond = LayerStack::kSecond;
    const auto shape = [](auto... sizes) { return checked::Shape{std::int64_t(sizes)...}; };
    const auto first = checked::whole_numbers<std::int8_t>(brain, "first_weight", shape(count, kFirst, inputs));
    const auto first_bias = biases(brain, "first_bias", shape(count, kFirst));
    const auto second = checked::whole_numbers<std::int8_t>(brain, "second_weight", shape(count, kSecond, kSecond));
    const auto second_bias = biases(brain, "second_bias", shape(count, kSecond));
    const auto last = checked::whole_numbers<std::int8_t>(brain, "last_weight", shape(count, kSecond));
    const auto last_bias = checked::whole_numbers<std::int32_t>(brain, "last_bias", shape(count));
    std::vector<LayerStack> stacks(count);
    for (std::size_t s = 0; s < count; ++s) {
        LayerStack& stack = stacks[s];
        stack.first = grouped(first.data() + s * kFirst * inputs, kFirst, inputs);
        stack.second = grouped(second.data() + s * kSecond * kSecond, kSecond, kSecond);
        std::copy_n(first_bias.data() + s * kFirst, kFirst, stack.first_bias.begin());
        std::copy_n(second_bias.data() + s * kSecond, kSecond, stack.second_bias.begin());
        std::copy_n(last.data() + s * kSecond, kSecond, stack.last.begin());
        stack.last_bias = last_bias[s];
    }
    return stacks;
}

}  // namespace okapi
