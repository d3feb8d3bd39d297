// What the tests of the search share.
#pragma once

#include <array>
#include <memory>

#include "linear_brain.h"
#include "okapi/search/search.h"

namespace okapi::tests {

inline constexpr std::array<float, 5> kPieces = {100, 300, 300, 500, 900};
inline constexpr const char* kKiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

inline std::unique_ptr<Search> search(int threads = 1) {
    return std::make_unique<Search>(make_evaluator(linear_brain()), 4, threads);
}

inline Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

}  // namespace okapi::tests
