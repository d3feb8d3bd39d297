// Checked access to the tensors of a brain. Everything here throws InvalidBrain, with a hint, where the file is
// not what it should be.
#pragma once

#include <algorithm>
#include <array>

#include "okapi/eval/brain.h"

namespace okapi::checked {

[[noreturn]] void refuse(const Brain& brain, const std::string& why);

const Tensor& tensor(const Brain& brain, const std::string& name);
void check_tensor_count(const Brain& brain, std::size_t expected);

using Shape = std::vector<std::int64_t>;

// The numbers of a tensor that has to have this shape, all of them finite.
std::vector<float> floats(const Brain& brain, const std::string& name, const Shape& shape);
// The same, each at most kMaxWeight.
std::vector<float> weights(const Brain& brain, const std::string& name, const Shape& shape);
// Those of a tensor that has to have this type, too: I8, I16 or I32.
template <class T> std::vector<T> whole_numbers(const Brain& brain, const std::string& name, const Shape& shape);
// The tensor "divisors": numbers above 0.
std::vector<float> divisors(const Brain& brain, const Shape& shape);

template <std::size_t size> std::array<float, size> weights(const Brain& brain, const std::string& name = "weights") {
    std::array<float, size> values;
    std::ranges::copy(weights(brain, name, {std::int64_t(size)}), values.begin());
    return values;
}

}  // namespace okapi::checked
