#include "okapi/uci/job_thread.h"

#include <cassert>
#include <utility>

namespace okapi::uci {

JobThread::JobThread() : thread_([this] { work(); }) {}

JobThread::~JobThread() {
    {
        const std::lock_guard lock(mutex_);
        leaving_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void JobThread::start(std::function<void()> job) {
    {
        const std::lock_guard lock(mutex_);
        assert(stage_ == Stage::Idle);
        job_ = std::move(job);
        stage_ = Stage::Working;
    }
    changed_.notify_all();
}

Stage JobThread::stage() const {
    const std::lock_guard lock(mutex_);
    return stage_;
}

void JobThread::about_to_answer() {
    const std::lock_guard lock(mutex_);
    stage_ = Stage::Answering;
}

bool JobThread::wait_until_idle(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, longest, [this] { return stage_ == Stage::Idle; });
}

void JobThread::wait_until_idle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stage_ == Stage::Idle; });
}

void JobThread::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return leaving_ || stage_ == Stage::Working; });
        if (stage_ != Stage::Working) return;  // a job in hand comes before leaving
        const std::function<void()> job = std::exchange(job_, {});
        lock.unlock();
        job();
        lock.lock();
        stage_ = Stage::Idle;
        changed_.notify_all();
    }
}

}  // namespace okapi::uci
