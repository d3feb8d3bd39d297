// The 64-bit xxHash: fast enough to check everything that is read.
#pragma once

#include <cstdint>
#include <span>

namespace okapi {

// XXH64 with seed 0.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

}  // namespace okapi
