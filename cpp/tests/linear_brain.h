// A small brain that stays as it is, whatever brain is compiled in. Tests run in the project's folder.
#pragma once

#include "okapi/eval/brain.h"

namespace okapi::tests {

inline constexpr const char* kLinearBrain = "src/okapi/brains/shipped/okapi-28.safetensors";

inline const Brain& linear_brain() {
    static const Brain brain = Brain::open(kLinearBrain);
    return brain;
}

}  // namespace okapi::tests
