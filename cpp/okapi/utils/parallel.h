// Work on many rows, on as many threads as wanted.
#pragma once

#include <cstddef>
#include <functional>

namespace okapi {

// Calls `work(begin, end)` for shares of [0, count), each on a thread of its own. Rethrows what the first share threw.
void parallel_ranges(std::size_t count, int threads, const std::function<void(std::size_t, std::size_t)>& work);

// The same for rows that take long, some longer than others: each thread calls `make_task` once, and what it is given
// for one row after the other, whichever is next when it is free.
using RowTask = std::function<void(std::size_t row)>;
void parallel_for(std::size_t count, int threads, const std::function<RowTask()>& make_task);

}  // namespace okapi
