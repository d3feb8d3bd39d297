// Files in the safetensors format: named tensors, and text as metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace okapi {

// A file that is no safetensors file, or a tensor of the wrong type.
struct InvalidTensors : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Tensor {
    std::string type;  // "F32", "I16", ...
    std::vector<std::int64_t> shape;
    std::vector<std::byte> data;
    std::vector<float> floats() const;  // of an F32 or F16 tensor; throws InvalidTensors otherwise
};

struct Safetensors {
    std::map<std::string, std::string> metadata{};
    std::map<std::string, Tensor> tensors{};

    static Safetensors read(std::span<const std::byte> file);  // throws InvalidTensors; never reads outside `file`
};

}  // namespace okapi
