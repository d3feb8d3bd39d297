#include "okapi/utils/json.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace okapi::json {

namespace {

void append_utf8(std::uint32_t code, std::string& out) {
    const auto tail = [&](int shift) { out += char(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        out += char(0xC0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        out += char(0xE0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        out += char(0xF0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

bool is_surrogate(std::uint32_t code) { return code >= 0xD800 && code < 0xE000; }

}  // namespace

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kMost = 60;
    std::string out = "'";
    for (char c : text.substr(0, kMost)) out += c >= 0x20 && c < 0x7F ? c : '?';
    return out + (text.size() > kMost ? "...'" : "'");
}

void Reader::skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
}

bool Reader::accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

void Reader::expect(char c) {
    if (!accept(c)) throw Malformed(std::string("'") + c + "'", at_);
}

char Reader::take() {
    if (at_ == text_.size()) throw Malformed("more text", at_);
    return text_[at_++];
}

unsigned Reader::hex4() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = take();
        const bool digit = c >= '0' && c <= '9', lower = c >= 'a' && c <= 'f', upper = c >= 'A' && c <= 'F';
        if (!digit && !lower && !upper) throw Malformed("four hexadecimal digits", at_ - 1);
        code = code * 16 + unsigned(digit ? c - '0' : lower ? c - 'a' + 10 : c - 'A' + 10);
    }
    return code;
}

// What follows a backslash.
void Reader::escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    const char c = take();
    if (const std::size_t i = kNames.find(c); i != std::string_view::npos) {
        out += kMeant[i];
        return;
    }
    if (c != 'u') throw Malformed("an escape that JSON knows", at_ - 1);
    std::uint32_t code = hex4();
    if (is_surrogate(code)) {
        const std::size_t start = at_;
        if (code >= 0xDC00 || take() != '\\' || take() != 'u') throw Malformed("a pair of surrogates", start);
        const std::uint32_t low = hex4();
        if (low < 0xDC00 || low >= 0xE000) throw Malformed("a low surrogate", start);
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(code, out);
}

// The rest of a character of two to four bytes, which must be the shortest way to write it.
void Reader::utf8(unsigned char lead, std::string& out) {
    const std::size_t start = at_ - 1;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    std::uint32_t code = lead & (0x3Fu >> more);
    for (int i = 0; i < more; ++i) {
        const auto next = static_cast<unsigned char>(take());
        if ((next & 0xC0) != 0x80) throw Malformed("UTF-8", start);
        code = code << 6 | (next & 0x3F);
    }
    constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
    if (lead < 0xC2 || lead > 0xF4 || code < kLeast[more - 1] || code > 0x10FFFF || is_surrogate(code))
        throw Malformed("UTF-8", start);
    append_utf8(code, out);
}

std::string Reader::string() {
    expect('"');
    std::string out;
    while (true) {
        const char c = take();
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"') return out;
        if (c == '\\')
            escape(out);
        else if (byte < 0x20)
            throw Malformed("no control characters in a string", at_ - 1);
        else if (byte < 0x80)
            out += c;
        else
            utf8(byte, out);
    }
}

std::int64_t Reader::whole_number() {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    skip_space();
    const std::size_t start = at_;
    std::int64_t number = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        const int digit = text_[at_] - '0';
        if (number > (kMost - digit) / 10) throw Malformed("a number below 2^63", start);
        number = number * 10 + digit;
    }
    if (at_ == start) throw Malformed("a whole number", start);
    if (text_[start] == '0' && at_ - start > 1) throw Malformed("a number without leading zeros", start);
    return number;
}

double Reader::number() {
    skip_space();
    const std::size_t start = at_;
    const auto is_digit = [&](std::size_t at) { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; };
    const auto is_one_of = [&](std::string_view signs) {
        return at_ < text_.size() && signs.find(text_[at_]) != std::string_view::npos;
    };
    const auto digits = [&] {
        if (!is_digit(at_)) throw Malformed("a number", start);
        while (is_digit(at_)) ++at_;
    };
    at_ += is_one_of("-");
    if (is_one_of("0") && is_digit(at_ + 1)) throw Malformed("a number without leading zeros", start);
    digits();
    if (is_one_of(".")) ++at_, digits();
    if (is_one_of("eE")) {
        ++at_;
        at_ += is_one_of("+-");
        digits();
    }
    double number = 0;
    const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + at_, number);
    if (error != std::errc{} || !std::isfinite(number)) throw Malformed("a number that a double can hold", start);
    return number;
}

void Reader::end() {
    skip_space();
    if (at_ != text_.size()) throw Malformed("the end", at_);
}

}  // namespace okapi::json
