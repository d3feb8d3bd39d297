// A fixed set of positions searched to a fixed depth: how fast the program is, and whether its search has changed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "okapi/search/search.h"

namespace okapi {

inline constexpr int kBenchDepth = 12;

struct BenchResult {
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::uint64_t nps() const { return seconds > 0 ? std::uint64_t(double(nodes) / seconds) : nodes; }
};

struct BenchStep {
    int number = 1;  // of the position, from 1
    std::string_view fen;
    Decision decision;
};

std::span<const std::string_view> bench_positions();

// Searches each position with a fresh table of 16 MB and one thread, whatever `search` had before; its evaluator and
// heuristics are what is measured. The count of nodes depends on nothing else, unless `after_each` ends it by false.
BenchResult run_bench(Search& search, int depth = kBenchDepth,
                      const std::function<bool(const BenchStep&)>& after_each = {});

std::string to_text(const BenchStep& step);
// "4712710 nodes 1323423 nps", as test farms read it.
std::string to_text(const BenchResult& result);

}  // namespace okapi
