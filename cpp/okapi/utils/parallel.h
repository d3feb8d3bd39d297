// Work on many rows, on as many threads as wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>

namespace okapi {

// Calls `work(begin, end)` for shares of [0, count), each on a thread of its own. Rethrows what the first share threw.
void parallel_ranges(std::size_t count, int threads, const std::function<void(std::size_t, std::size_t)>& work);

// The same for rows that take long, some longer than others: each thread calls `make_task` once, and what it is given
// for one row after the other, whichever is next when it is free.
using RowTask = std::function<void(std::size_t row)>;
void parallel_for(std::size_t count, int threads, const std::function<RowTask()>& make_task);

// The generator of one row. Those of neighbouring rows and seeds have nothing in common.
inline std::mt19937_64 row_rng(std::uint64_t seed, std::uint64_t row) {
    std::seed_seq seeds{std::uint32_t(seed), std::uint32_t(seed >> 32), std::uint32_t(row), std::uint32_t(row >> 32)};
    return std::mt19937_64(seeds);
}

}  // namespace okapi
