// Questions of several threads, put together: what answers many positions almost as fast as one is asked less often.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

#include "okapi/eval/callback.h"

namespace okapi {

// Nobody waits for others to ask: a thread asks at once, unless as many as may are asking already. Whatever came up
// until one of them is back is asked together. So batches grow with the number of threads, and with nothing else.
class Gathering {
public:
    Gathering(Opinion opinion, int at_once) : opinion_(std::move(opinion)), at_once_(at_once) {}

    // From any thread. Throws what the opinion throws about the batch that these positions were part of.
    std::vector<int> ask(const std::vector<Position>& positions);

private:
    struct Question {
        const std::vector<Position>& positions;
        std::vector<int> values{};
        std::exception_ptr error{};
        bool taken = false, answered = false;
    };
    using Batch = std::vector<Question*>;

    // Larger batches are no faster.
    static constexpr std::size_t kMost = 256;
    Batch take();
    void answer(const Batch& batch) const;

    const Opinion opinion_;
    const int at_once_;
    std::mutex mutex_;  // guards what follows, and all questions
    std::condition_variable changed_;
    Batch waiting_;
    int asking_ = 0;
};

}  // namespace okapi
