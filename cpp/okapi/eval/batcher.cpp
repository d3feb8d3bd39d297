#include "okapi/eval/batcher.h"

#include <algorithm>
#include <utility>

namespace okapi {

std::vector<int> Batcher::ask(const std::vector<Position>& positions) {
    Question mine{positions};
    const auto patient_until = Time::now() + kLongestWait;
    std::unique_lock lock(mutex_);
    waiting_.push_back(&mine);
    lately_ = std::max(lately_, waiting_.size() + taken_);
    if (are_many_waiting()) changed_.notify_all();
    while (!mine.answered) {
        if (mine.taken || asking_ == at_once_)
            changed_.wait(lock);
        else if (!are_many_waiting() && Time::now() < patient_until)
            changed_.wait_until(lock, patient_until);
        else
            ask_together(lock);
    }
    if (mine.error) std::rethrow_exception(mine.error);
    return std::move(mine.values);
}

void Batcher::ask_together(std::unique_lock<std::mutex>& lock) {
    const Batch batch = take();
    ++asking_;
    taken_ += batch.size();
    lock.unlock();
    answer(batch);
    lock.lock();
    --asking_;
    taken_ -= batch.size();
    if (lately_ > 0) --lately_;
    for (Question* question : batch) question->answered = true;
    changed_.notify_all();
}

// The questions that have waited longest.
Batcher::Batch Batcher::take() {
    std::size_t positions = 0, count = 0;
    while (count < waiting_.size() && positions < kMost) {
        positions += waiting_[count]->positions.size();
        waiting_[count++]->taken = true;
    }
    const auto end = waiting_.begin() + std::ptrdiff_t(count);
    Batch batch(waiting_.begin(), end);
    waiting_.erase(waiting_.begin(), end);
    return batch;
}

void Batcher::answer(const Batch& batch) const {
    try {
        if (batch.size() == 1) {
            batch.front()->values = opinion_(batch.front()->positions);
            return;
        }
        std::vector<Position> all;
        for (const Question* question : batch)
            all.insert(all.end(), question->positions.begin(), question->positions.end());
        const std::vector<int> values = opinion_(all);
        auto next = values.begin();
        for (Question* question : batch) {
            const auto end = next + std::ptrdiff_t(question->positions.size());
            question->values.assign(next, end);
            next = end;
        }
    } catch (...) {
        for (Question* question : batch) question->error = std::current_exception();
    }
}

}  // namespace okapi
