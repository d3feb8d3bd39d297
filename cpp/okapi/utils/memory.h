// How much memory the machine has.
#pragma once

#include <cstdint>

namespace okapi::uci {

// In megabytes; 0 if unknown.
std::uint64_t memory_mb();

}  // namespace okapi::uci
