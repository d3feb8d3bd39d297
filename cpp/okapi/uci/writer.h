// Writes lines from any thread, and logs input and output on request.
#pragma once

#include <chrono>
#include <fstream>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace okapi::uci {

class Writer {
public:
    // `on_closed` is called, by the writing thread, when the output is closed.
    explicit Writer(std::ostream& out, std::function<void()> on_closed = {});

    // Writes one line and flushes. Lines of different threads never mix.
    void write(std::string_view line);
    // Reports an error in the input. The prefix is the one that front ends show to people.
    void error(std::string_view what);
    // For the log alone.
    void log_input(std::string_view line);
    // Begins a log at the end of the file; an empty path ends it. Throws std::runtime_error if it cannot be written,
    // and then keeps the former log.
    void log_to(const std::string& path);

private:
    void log(std::string_view direction, std::string_view line);

    std::mutex mutex_;
    std::ostream& out_;
    std::ofstream log_;
    std::function<void()> on_closed_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace okapi::uci
