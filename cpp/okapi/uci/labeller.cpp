#include "okapi/uci/labeller.h"

#include <stdexcept>

#ifdef _WIN32

namespace okapi::uci {

LabelRun label_positions(const Streams&, std::span<const PackedPosition>, const EngineLabelOptions&, std::span<Label>,
                         std::span<LabelLine>) {
    throw std::runtime_error("pipes cannot be polled here");
}

}  // namespace okapi::uci

#else

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <vector>

namespace okapi::uci {

namespace {

using Time = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLongestLine = 1 << 16;  // longer than any line of an engine
constexpr std::size_t kErrorBytes = 200;       // of its stderr
constexpr milliseconds kLongestPause{20};      // longer ones save nothing more

// One run. The program is kept busy first, and read from second.
class Labeller {
public:
    Labeller(const Streams& streams, std::span<const PackedPosition> positions, const EngineLabelOptions& options,
             std::span<Label> labels, std::span<LabelLine> lines)
        : streams_(streams), options_(options), labels_(labels), lines_(lines), reader_(options.lines) {
        positions_.reserve(positions.size());
        for (const PackedPosition& packed : positions) positions_.push_back(unpack(packed));
    }

    LabelRun run() {
        begun_ = last_answer_ = Time::now();
        while (run_.answered < positions_.size() && run_.failure == EngineFailure::None) {
            send();
            pause();
            receive();
        }
        return run_;
    }

private:
    bool fail(EngineFailure failure, std::string message = {}) {
        run_.failure = failure;
        run_.message = std::move(message);
        return false;
    }

    void send() {
        std::string text;
        for (; sent_ < std::min(positions_.size(), run_.answered + 1 + options_.ahead); ++sent_) {
            if (options_.forget) text += "ucinewgame\n";
            text += "position fen " + positions_[sent_].fen(options_.chess960) + '\n' + options_.go + '\n';
        }
        for (std::string_view left = text; !left.empty();) {
            const ssize_t written = write(streams_.input, left.data(), left.size());
            if (written >= 0)
                left.remove_prefix(std::size_t(written));
            else if ((errno == EAGAIN && !wait(POLLOUT)) || (errno != EAGAIN && errno != EINTR))
                return;  // if it has ended, receive() will find out
        }
    }

    // While requests wait in its pipe we may sleep; each wake-up takes time from the program.
    void pause() const {
        const std::size_t waiting = sent_ - run_.answered - 1;
        if (waiting == 0 || run_.answered == 0) return;
        const auto usual = (Time::now() - begun_) / run_.answered;
        std::this_thread::sleep_for(std::min<Time::duration>(usual * waiting / 2, kLongestPause));
    }

    void receive() {
        const std::size_t before = run_.answered;
        while (run_.failure == EngineFailure::None && run_.answered == before)
            if (wait(POLLIN)) read_some();
    }

    // Until the program writes, or reads on. False if there was failure or only a complaint.
    bool wait(short event) {
        const auto left = std::chrono::duration_cast<milliseconds>(last_answer_ + options_.timeout - Time::now());
        if (left.count() <= 0) return fail(EngineFailure::Timeout);
        std::array<pollfd, 2> polled{pollfd{event == POLLIN ? streams_.output : streams_.input, event, 0},
                                     pollfd{errors_ended_ ? -1 : streams_.errors, POLLIN, 0}};
        if (poll(polled.data(), polled.size(), int(std::min(left, milliseconds(60'000)).count())) <= 0) return false;
        if (polled[1].revents) read_errors();
        return polled[0].revents != 0;
    }

    void read_errors() {
        std::array<char, 4096> chunk;
        const ssize_t size = read(streams_.errors, chunk.data(), chunk.size());
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) errors_ended_ = true;
        if (size <= 0) return;
        errors_.append(chunk.data(), std::size_t(size));
        errors_.erase(0, errors_.size() - std::min(errors_.size(), kErrorBytes));
    }

    void read_some() {
        std::array<char, 1 << 16> chunk;
        const ssize_t size = read(streams_.output, chunk.data(), chunk.size());
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (size <= 0) {
            read_remaining_errors();
            fail(EngineFailure::Closed, errors_);
            return;
        }
        rest_.append(chunk.data(), std::size_t(size));
        std::string_view text = rest_;
        for (std::size_t end; run_.failure == EngineFailure::None && (end = text.find('\n')) != text.npos;) {
            read_line(text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        rest_ = std::string(text.substr(0, kLongestLine));
    }

    void read_remaining_errors() {
        pollfd polled{streams_.errors, POLLIN, 0};
        for (int n = 0; n < 16 && !errors_ended_ && poll(&polled, 1, 100) > 0; ++n) read_errors();
    }

    void read_line(std::string_view line) {
        if (!reader_.read(line)) return;
        const std::size_t number = run_.answered;
        if (number == sent_) return reader_.forget();  // an answer without a request
        const std::optional<Label> label =
            reader_.label(positions_[number], lines_.subspan(number * options_.lines, options_.lines));
        if (!label) {
            fail(EngineFailure::IllegalMove, std::string(reader_.answer()));
            return;
        }
        labels_[number] = *label;
        reader_.forget();
        last_answer_ = Time::now();
        ++run_.answered;
    }

    const Streams streams_;
    const EngineLabelOptions& options_;
    const std::span<Label> labels_;
    const std::span<LabelLine> lines_;
    std::vector<Position> positions_;
    InfoReader reader_;
    LabelRun run_;
    std::size_t sent_ = 0;
    Time::time_point begun_, last_answer_;  // the run, and its last answer
    std::string rest_, errors_;             // of its output, of its standard error
    bool errors_ended_ = false;
};

}  // namespace

LabelRun label_positions(const Streams& streams, std::span<const PackedPosition> positions,
                         const EngineLabelOptions& options, std::span<Label> labels, std::span<LabelLine> lines) {
    if (labels.size() != positions.size() || lines.size() != positions.size() * options.lines || options.lines == 0)
        throw std::invalid_argument("a run needs room for one label and at least one line a position");
    return Labeller(streams, positions, options, labels, lines).run();
}

}  // namespace okapi::uci

#endif
