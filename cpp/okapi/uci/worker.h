// A thread that does one job at a time, and lets others see how far it has come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace okapi::uci {

// A job goes through these in order; it may leave out those in the middle.
enum class Stage {
    Idle,       // nothing to do
    Started,    // the job was handed over
    Underway,   // it has shown a first sign of life
    Answering,  // it is over but for a moment: the next job may be prepared
};

class Worker {
public:
    Worker();
    // Waits for the job in hand.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Only when idle. The job must not throw.
    void start(std::function<void()> job);
    Stage stage() const;

    // The job itself calls this.
    void reach(Stage stage);

    // Until the job is over, or for so long. True if it is over.
    bool wait_until_idle(std::chrono::milliseconds longest);
    void wait_until_idle();
    // Until the job is underway or further, or for so long.
    void wait_until_underway(std::chrono::milliseconds longest);

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
