// Chance for row after row of an array, such that none depends on which thread gets it.
#pragma once

#include <cstdint>
#include <random>

namespace okapi {

// The generator of one row. Those of neighbouring rows and seeds have nothing in common.
inline std::mt19937_64 row_rng(std::uint64_t seed, std::uint64_t row) {
    std::seed_seq seeds{std::uint32_t(seed), std::uint32_t(seed >> 32), std::uint32_t(row), std::uint32_t(row >> 32)};
    return std::mt19937_64(seeds);
}

}  // namespace okapi
