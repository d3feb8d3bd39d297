// A thread that does one job at a time, and lets others see how far it has come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace okapi::uci {

enum class Stage {
    Idle,       // nothing to do
    Working,    // a job was handed over
    Answering,  // it is over but for a moment
};

class JobThread {
public:
    JobThread();
    // Waits for the job in hand.
    ~JobThread();
    JobThread(const JobThread&) = delete;
    JobThread& operator=(const JobThread&) = delete;

    // Only when idle. The job must not throw.
    void start(std::function<void()> job);
    Stage stage() const;

    // The job itself calls this when only a moment's work is left.
    void about_to_answer();

    // Until the job is over, or for so long. True if it is over.
    bool wait_until_idle(std::chrono::milliseconds longest);
    void wait_until_idle();

private:
    void work();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> job_;
    Stage stage_ = Stage::Idle;
    bool leaving_ = false;
    std::thread thread_;  // last: it uses all the others
};

}  // namespace okapi::uci
