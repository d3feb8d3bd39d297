#include "okapi/utils/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace okapi {

void parallel_ranges(std::size_t count, int threads, const std::function<void(std::size_t, std::size_t)>& work) {
    const std::size_t shares = std::min(std::size_t(std::max(threads, 1)), std::max<std::size_t>(count, 1));
    std::vector<std::exception_ptr> errors(shares);
    const auto run = [&](std::size_t i) {
        try {
            work(count * i / shares, count * (i + 1) / shares);
        } catch (...) {
            errors[i] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < shares; ++i) others.emplace_back(run, i);
    run(0);
    for (std::thread& thread : others) thread.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

void parallel_for(std::size_t count, int threads, const std::function<RowTask()>& make_task) {
    std::atomic<std::size_t> next{0};
    const std::size_t hands = std::min(std::size_t(std::max(threads, 1)), count);
    parallel_ranges(hands, int(hands), [&](std::size_t begin, std::size_t end) {
        if (begin == end) return;
        const RowTask work = make_task();
        for (std::size_t row; (row = next++) < count;) work(row);
    });
}

}  // namespace okapi
