#include "okapi/uci/writer.h"

#include <stdexcept>
#include <utility>

namespace okapi::uci {

Writer::Writer(std::ostream& out, std::function<void()> on_closed) : out_(out), on_closed_(std::move(on_closed)) {}

void Writer::write(std::string_view line) {
    const std::lock_guard lock(mutex_);
    log("<<", line);
    out_ << line << '\n' << std::flush;
    if (!out_ && on_closed_) on_closed_();
}

void Writer::error(std::string_view what) { write("info string ERROR " + std::string(what)); }

void Writer::log_input(std::string_view line) {
    const std::lock_guard lock(mutex_);
    log(">>", line);
}

void Writer::log_to(const std::string& path) {
    std::ofstream file;
    if (!path.empty()) {
        file.open(path, std::ios::app);
        if (!file) throw std::runtime_error("cannot write to this file");
    }
    const std::lock_guard lock(mutex_);
    log_ = std::move(file);
}

void Writer::log(std::string_view direction, std::string_view line) {
    if (!log_.is_open()) return;
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    log_ << std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count() << " ms " << direction << ' ' << line
         << std::endl;
}

}  // namespace okapi::uci
