// Joins the positions of several threads into batches, for functions that evaluate many as fast as one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

#include "okapi/eval/callback.h"

namespace okapi {

// At most `at_once` threads call the function at the same time. Positions of others join the next batch.
// Where more threads than that were active lately, one waits a moment for the others, so that their positions
// are not spread over many small batches.
class Batcher {
public:
    Batcher(Opinion opinion, int at_once) : opinion_(std::move(opinion)), at_once_(at_once) {}

    // From any thread. Throws what the function throws for the batch with these positions.
    std::vector<int> ask(const std::vector<Position>& positions);

private:
    struct Question {
        const std::vector<Position>& positions;
        std::vector<int> values{};
        std::exception_ptr error{};
        bool taken = false, answered = false;
    };
    using Batch = std::vector<Question*>;
    using Time = std::chrono::steady_clock;

    static constexpr std::size_t kMost = 256;  // larger batches are no faster
    static constexpr std::chrono::microseconds kLongestWait{300};
    // Do the waiting positions of all active threads fit into the batches that may run at once?
    bool are_many_waiting() const { return waiting_.size() * std::size_t(at_once_) >= lately_; }
    void ask_together(std::unique_lock<std::mutex>& lock);
    Batch take();
    void answer(const Batch& batch) const;

    const Opinion opinion_;
    const int at_once_;
    std::mutex mutex_;  // guards what follows, and all questions
    std::condition_variable changed_;
    Batch waiting_;
    std::size_t taken_ = 0;   // positions that are being evaluated
    std::size_t lately_ = 0;  // how many there were at a time; forgotten batch by batch
    int asking_ = 0;
};

}  // namespace okapi
