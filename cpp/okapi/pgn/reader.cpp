#include "okapi/pgn/reader.h"

#include <algorithm>
#include <cstring>

namespace okapi {

namespace {

constexpr std::size_t kSearchLimit = 1 << 20;
constexpr std::size_t kLongestTagName = 80;  // with some room; pgn::is_tag() looks no further

bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_blank_or_line_end(char c) { return c == ' ' || c == '\t' || is_line_end(c); }

// Lines end with LF, CR LF or CR.
std::size_t count_lines(const char* begin, const char* end) {
    std::size_t lines = std::size_t(std::count(begin, end, '\n'));
    const char* cr = begin;
    while ((cr = static_cast<const char*>(std::memchr(cr, '\r', std::size_t(end - cr))))) {
        ++cr;
        if (*cr != '\n') ++lines;
    }
    return lines;
}

}  // namespace

PgnReader::PgnReader(std::uint64_t offset, std::uint64_t line)
    : buffer_(1), search_limit_(kSearchLimit), base_(offset), line_(line) {}

void PgnReader::feed(std::string_view bytes) {
    leave_segment();
    // What was read makes room for what comes.
    if (at_ > 0) std::memmove(buffer_.data(), buffer_.data() + at_, size_ - at_);
    base_ += at_;
    size_ -= at_;
    scanned_ -= at_;
    at_ = 0;
    if (buffer_.size() < size_ + bytes.size() + 1) buffer_.resize(size_ + bytes.size() + 1);
    std::copy(bytes.begin(), bytes.end(), buffer_.begin() + std::ptrdiff_t(size_));
    size_ += bytes.size();
    buffer_[size_] = '\0';
}

PgnReader::Found PgnReader::next() {
    while (in_segment_ || find_segment()) {
        if (giant_ && whole_) return give_up();
        if (giant_) {
            leave_segment();
            advance(scanned_);
            continue;
        }
        const char* text = buffer_.data() + at_;
        const PgnGameParser::Found found = parser_.parse(text, buffer_.data() + segment_end_, whole_);
        if (found == PgnGameParser::Found::Nothing) {
            const std::size_t end = segment_end_;
            leave_segment();
            if (whole_) {
                advance(end);
            } else if (size_ - at_ <= kMaxGameBytes) {
                search_limit_ = 2 * (size_ - at_);
            } else {
                giant_ = true;
                giant_line_ = line_;
                giant_offset_ = offset();
            }
            continue;
        }
        search_limit_ = kSearchLimit;
        const std::size_t rest = std::size_t(parser_.rest() - buffer_.data());
        if (found == PgnGameParser::Found::Game) {
            advance(rest);
            return Found::Game;
        }
        const std::uint64_t line = line_ + count_lines(text, parser_.trouble());
        const std::uint64_t offset = this->offset() + std::uint64_t(parser_.trouble() - text);
        advance(rest);
        return complain(line, offset, parser_.reason());
    }
    return Found::Nothing;
}

PgnReader::Found PgnReader::give_up() {
    giant_ = false;
    search_limit_ = kSearchLimit;
    const std::size_t end = segment_end_;
    leave_segment();
    advance(end);
    return complain(giant_line_, giant_offset_, "16 MiB without the end of a game");
}

PgnReader::Found PgnReader::complain(std::uint64_t line, std::uint64_t offset, std::string reason) {
    complaint_ = {line, offset, std::move(reason)};
    return Found::Complaint;
}

void PgnReader::advance(std::size_t to) {
    line_ += count_lines(buffer_.data() + at_, buffer_.data() + to);
    at_ = to;
    scanned_ = std::max(scanned_, to);
    if (in_segment_ && at_ == segment_end_) leave_segment();
}

// --- Segments
// ---------------------------------------------------------------------------------------------------------

void PgnReader::enter_segment(std::size_t end, bool whole) {
    in_segment_ = true;
    segment_end_ = end;
    whole_ = whole;
    covered_ = buffer_[end];
    buffer_[end] = '\0';
}

void PgnReader::leave_segment() {
    if (in_segment_) buffer_[segment_end_] = covered_;
    in_segment_ = false;
}

bool PgnReader::find_segment() {
    if (at_ == size_) {
        if (!finished_ || !giant_) return false;
        enter_segment(size_, true);
        return true;
    }
    if (find_boundary())
        enter_segment(scanned_, true);
    else if (finished_)
        enter_segment(size_, true);
    else if (size_ - at_ > search_limit_ || giant_)
        enter_segment(size_, false);
    return in_segment_;
}

bool PgnReader::find_boundary() {
    scanned_ = std::max(scanned_, at_ + 1);
    while (scanned_ < size_) {
        const void* bracket = std::memchr(buffer_.data() + scanned_, '[', size_ - scanned_);
        if (!bracket) {
            scanned_ = size_;
            return false;
        }
        scanned_ = std::size_t(static_cast<const char*>(bracket) - buffer_.data());
        if (size_ - scanned_ < kLongestTagName && !finished_) return false;  // wait for the rest of its name
        if (is_boundary(scanned_)) return true;
        ++scanned_;
    }
    return false;
}

// A game begins at a line with the tag Event, unless the line before it is a tag; and at any other tag that follows an
// empty line, unless a tag comes before that. Comments and variations that were never closed end here, too.
bool PgnReader::is_boundary(std::size_t at) const {
    const char* text = buffer_.data() + at;
    const char* floor = buffer_.data() + at_;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const char* line = text;
    if (line - floor >= 3 && std::string_view(line - 3, 3) == kByteOrderMark) line -= 3;
    if (line == floor || !is_line_end(line[-1]) || !pgn::is_tag(text)) return false;
    int feeds = 0, returns = 0;
    const char* before = line;
    for (; before > floor && is_blank_or_line_end(before[-1]); --before) {
        feeds += before[-1] == '\n';
        returns += before[-1] == '\r';
    }
    if (before == floor) return giant_;  // nothing that could end here
    const bool empty_line = std::max(feeds, returns) > 1, tag_before = before[-1] == ']';
    const bool event = std::strncmp(text, "[Event", 6) == 0 && !std::isalnum(static_cast<unsigned char>(text[6]));
    return event ? empty_line || !tag_before : empty_line && !tag_before;
}

}  // namespace okapi
