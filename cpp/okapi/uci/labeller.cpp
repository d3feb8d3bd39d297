#include "okapi/uci/labeller.h"

#include <stdexcept>

#ifdef _WIN32

namespace okapi::uci {

Lesson hold_lesson(const Streams&, std::span<const PackedPosition>, const LessonPlan&, std::span<Label>,
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

constexpr std::size_t kLongestLine = 1 << 16;  // no engine has that much to say
constexpr std::size_t kLastWords = 200;        // of what it complains about
constexpr milliseconds kLongestNap{20};        // longer ones save nothing more

// One lesson. The program is kept busy first, and read from second.
class Teaching {
public:
    Teaching(const Streams& streams, std::span<const PackedPosition> positions, const LessonPlan& plan,
             std::span<Label> labels, std::span<LabelLine> lines)
        : streams_(streams), plan_(plan), labels_(labels), lines_(lines), hearing_(plan.lines) {
        positions_.reserve(positions.size());
        for (const PackedPosition& packed : positions) positions_.push_back(unpack(packed));
    }

    Lesson hold() {
        begun_ = heard_ = Time::now();
        while (lesson_.answered < positions_.size() && lesson_.trouble == Trouble::None) {
            ask();
            nap();
            listen();
        }
        return lesson_;
    }

private:
    bool fail(Trouble trouble, std::string words = {}) {
        lesson_.trouble = trouble;
        lesson_.words = std::move(words);
        return false;
    }

    void ask() {
        std::string text;
        for (; asked_ < std::min(positions_.size(), lesson_.answered + 1 + plan_.ahead); ++asked_) {
            if (plan_.forget) text += "ucinewgame\n";
            text += "position fen " + positions_[asked_].fen(plan_.chess960) + '\n' + plan_.go + '\n';
        }
        for (std::string_view left = text; !left.empty();) {
            const ssize_t written = write(streams_.input, left.data(), left.size());
            if (written >= 0)
                left.remove_prefix(std::size_t(written));
            else if ((errno == EAGAIN && !wait(POLLOUT)) || (errno != EAGAIN && errno != EINTR))
                return;  // if it has ended, listen() will find out
        }
    }

    // While questions wait in its pipe nobody waits for us, and each line that wakes us takes time from the program.
    void nap() const {
        const std::size_t waiting = asked_ - lesson_.answered - 1;
        if (waiting == 0 || lesson_.answered == 0) return;
        const auto usual = (Time::now() - begun_) / lesson_.answered;
        std::this_thread::sleep_for(std::min<Time::duration>(usual * waiting / 2, kLongestNap));
    }

    void listen() {
        const std::size_t before = lesson_.answered;
        while (lesson_.trouble == Trouble::None && lesson_.answered == before)
            if (wait(POLLIN)) read_some();
    }

    // Until the program writes, or reads on. False if there was trouble or only a complaint.
    bool wait(short event) {
        const auto left = std::chrono::duration_cast<milliseconds>(heard_ + plan_.patience - Time::now());
        if (left.count() <= 0) return fail(Trouble::Silent);
        std::array<pollfd, 2> polled{pollfd{event == POLLIN ? streams_.output : streams_.input, event, 0},
                                     pollfd{errors_ended_ ? -1 : streams_.errors, POLLIN, 0}};
        if (poll(polled.data(), polled.size(), int(std::min(left, milliseconds(60'000)).count())) <= 0) return false;
        if (polled[1].revents) overhear();
        return polled[0].revents != 0;
    }

    void overhear() {
        std::array<char, 4096> chunk;
        const ssize_t size = read(streams_.errors, chunk.data(), chunk.size());
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) errors_ended_ = true;
        if (size <= 0) return;
        complaints_.append(chunk.data(), std::size_t(size));
        complaints_.erase(0, complaints_.size() - std::min(complaints_.size(), kLastWords));
    }

    void read_some() {
        std::array<char, 1 << 16> chunk;
        const ssize_t size = read(streams_.output, chunk.data(), chunk.size());
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (size <= 0) {
            overhear_the_rest();
            fail(Trouble::Ended, complaints_);
            return;
        }
        rest_.append(chunk.data(), std::size_t(size));
        std::string_view text = rest_;
        for (std::size_t end; lesson_.trouble == Trouble::None && (end = text.find('\n')) != text.npos;) {
            hear(text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        rest_ = std::string(text.substr(0, kLongestLine));
    }

    void overhear_the_rest() {
        pollfd polled{streams_.errors, POLLIN, 0};
        for (int n = 0; n < 16 && !errors_ended_ && poll(&polled, 1, 100) > 0; ++n) overhear();
    }

    void hear(std::string_view line) {
        if (!hearing_.hear(line)) return;
        const std::size_t number = lesson_.answered;
        if (number == asked_) return hearing_.forget();  // an answer that nobody asked for
        const std::optional<Label> label =
            hearing_.label(positions_[number], lines_.subspan(number * plan_.lines, plan_.lines));
        if (!label) {
            fail(Trouble::Cheated, std::string(hearing_.answer()));
            return;
        }
        labels_[number] = *label;
        hearing_.forget();
        heard_ = Time::now();
        ++lesson_.answered;
    }

    const Streams streams_;
    const LessonPlan& plan_;
    const std::span<Label> labels_;
    const std::span<LabelLine> lines_;
    std::vector<Position> positions_;
    Hearing hearing_;
    Lesson lesson_;
    std::size_t asked_ = 0;
    Time::time_point begun_, heard_;  // the lesson, and its last answer
    std::string rest_, complaints_;   // of its output, of its standard error
    bool errors_ended_ = false;
};

}  // namespace

Lesson hold_lesson(const Streams& streams, std::span<const PackedPosition> positions, const LessonPlan& plan,
                   std::span<Label> labels, std::span<LabelLine> lines) {
    if (labels.size() != positions.size() || lines.size() != positions.size() * plan.lines || plan.lines == 0)
        throw std::invalid_argument("a lesson needs room for one label and at least one line a position");
    return Teaching(streams, positions, plan, labels, lines).hold();
}

}  // namespace okapi::uci

#endif
