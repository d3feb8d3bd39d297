// A line of text as tokens: what lies between white space. Nothing is copied, so the line must outlive its tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace okapi::uci {

class Tokens {
public:
    explicit Tokens(std::string_view line) : left_(line) { skip_space(); }

    bool done() const { return left_.empty(); }
    std::string_view peek() const { return left_.substr(0, left_.find_first_of(kSpace)); }
    // The next word, empty when there is none.
    std::string_view next() {
        const std::string_view word = peek();
        left_.remove_prefix(word.size());
        skip_space();
        return word;
    }
    // Everything not yet read, with the white space inside it and without that around it.
    std::string_view rest() const {
        const auto last = left_.find_last_not_of(kSpace);
        return last == std::string_view::npos ? std::string_view{} : left_.substr(0, last + 1);
    }

private:
    static constexpr std::string_view kSpace = " \t\r\n\v\f";
    void skip_space() {
        const auto start = left_.find_first_not_of(kSpace);
        left_.remove_prefix(start == std::string_view::npos ? left_.size() : start);
    }

    std::string_view left_;
};

// A whole number, brought into the range of 64 bits if it lies outside. Nothing if the word is no whole number.
std::optional<std::int64_t> parse_number(std::string_view word);

bool same_ignoring_case(std::string_view a, std::string_view b);

// Lengthens a list of tokens by one.
void append(std::string& text, std::string_view word, std::string_view between = " ");

// Foreign text for a message of ours: no control characters, and not too long.
std::string printable(std::string_view text, std::size_t longest = 80);

}  // namespace okapi::uci
