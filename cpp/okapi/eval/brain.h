// Brains in the core: a safetensors file with the model card in its metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/eval/evaluator.h"
#include "okapi/utils/safetensors.h"

namespace okapi {

// A file that is no brain, or one this build cannot use. The message has a hint.
struct InvalidBrain : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Brain {
    std::map<std::string, std::string> card;  // the file's metadata, as it stands
    std::map<std::string, Tensor> tensors;

    // From the card; empty where it is silent.
    std::string name() const;
    std::string kind() const;  // "material", "linear-28", "piece-networks", "mlp", "nnue", ...
    std::string encoding() const;

    static Brain read(std::span<const std::byte> file);  // throws InvalidBrain; never reads outside `file`
    static Brain open(const std::string& path);
};

// Throws InvalidBrain where the kind or encoding is unknown here, or the tensors are not what the kind needs.
std::unique_ptr<Evaluator> make_evaluator(const Brain& brain);
// The brain that is compiled into this program.
const Brain& default_brain();

}  // namespace okapi
