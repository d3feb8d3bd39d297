#include "okapi/uci/tokens.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace okapi::uci {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

}  // namespace

std::optional<std::int64_t> parse_number(std::string_view word) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (end != word.data() + word.size() || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range)
        return word.starts_with('-') ? std::numeric_limits<std::int64_t>::min()
                                     : std::numeric_limits<std::int64_t>::max();
    return number;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

void append(std::string& text, std::string_view word, std::string_view between) {
    if (!text.empty()) text += between;
    text += word;
}

std::string printable(std::string_view text, std::size_t longest) {
    std::string shown(text.substr(0, longest));
    for (char& c : shown)
        if (c < ' ' || c > '~') c = '?';
    return text.size() > longest ? shown + "..." : shown;
}

}  // namespace okapi::uci
