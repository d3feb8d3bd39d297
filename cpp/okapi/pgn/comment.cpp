#include "okapi/pgn/comment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace okapi::pgn {

namespace {

// Below, a value is centipawns; from here on it is a mate.
constexpr int kLongestMate = 999;
constexpr int kMostCentipawns = kMateValue - kLongestMate - 1;

std::optional<long> read_number(std::string_view& text) {
    long number = 0;
    if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(std::size_t(end - text.data()));
    return error == std::errc() ? std::optional(std::min(number, 1'000'000L)) : std::nullopt;
}

// The digits behind the point as thousandths.
long read_fraction(std::string_view& text) {
    if (!text.starts_with('.')) return 0;
    text.remove_prefix(1);
    long thousandths = 0, worth = 100;
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), worth /= 10)
        thousandths += (text[0] - '0') * worth;
    return thousandths;
}

std::string_view argument(std::string_view comment, std::string_view command) {
    const std::size_t at = comment.find(command);
    if (at == std::string_view::npos) return {};
    comment.remove_prefix(at + command.size());
    comment = comment.substr(0, comment.find(']'));
    while (comment.starts_with(' ')) comment.remove_prefix(1);
    return comment;
}

Centipawns read_value(std::string_view text, Color turn) {
    const bool mate = text.starts_with('#');
    if (mate) text.remove_prefix(1);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const std::optional<long> whole = read_number(text);
    if (!whole) return kNoValue;
    if (mate && *whole == 0) return Centipawns(-kMateValue);
    const long white = mate ? kMateValue - std::min(*whole, long(kLongestMate))
                            : std::min(100 * *whole + (read_fraction(text) + 5) / 10, long(kMostCentipawns));
    return Centipawns((turn == Color::White) == negative ? -white : white);
}

std::uint32_t read_clock(std::string_view text) {
    long seconds = 0;
    for (int part = 0; part < 3; ++part) {
        const std::optional<long> number = read_number(text);
        if (!number) return kNoClock;
        seconds = 60 * seconds + *number;
        if (!text.starts_with(':')) break;
        text.remove_prefix(1);
    }
    const long long milliseconds = 1000LL * seconds + read_fraction(text);
    return milliseconds < kNoClock ? std::uint32_t(milliseconds) : kNoClock;
}

void write_number(long number, std::string& out) { out += std::to_string(number); }

void write_two_digits(long number, std::string& out) {
    out += char('0' + number / 10);
    out += char('0' + number % 10);
}

}  // namespace

Remarks read_remarks(std::string_view comment, Color turn) {
    Remarks remarks;
    if (comment.find("[%") == std::string_view::npos) return remarks;
    if (const std::string_view text = argument(comment, "[%eval"); !text.empty())
        remarks.value = read_value(text, turn);
    if (const std::string_view text = argument(comment, "[%clk"); !text.empty()) remarks.clock = read_clock(text);
    return remarks;
}

void write_value(Centipawns value, Color turn, std::string& out) {
    const int white = turn == Color::White ? value : -value;
    const int size = std::abs(white);
    if (size > kMostCentipawns) out += '#';
    if (white < 0) out += '-';
    if (size > kMostCentipawns) {
        write_number(kMateValue - size, out);
        return;
    }
    write_number(size / 100, out);
    out += '.';
    write_two_digits(size % 100, out);
}

void write_clock(std::uint32_t clock, std::string& out) {
    const long seconds = clock / 1000, thousandths = clock % 1000;
    write_number(seconds / 3600, out);
    out += ':';
    write_two_digits(seconds / 60 % 60, out);
    out += ':';
    write_two_digits(seconds % 60, out);
    if (!thousandths) return;
    out += '.';
    out += char('0' + thousandths / 100);
    if (thousandths % 100) write_two_digits(thousandths % 100, out);
}

}  // namespace okapi::pgn
