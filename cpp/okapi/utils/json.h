// As much JSON as brain files need: objects, arrays, strings and numbers, read strictly.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace okapi::json {

// Says what was expected, and at which byte of the text.
struct Malformed : std::runtime_error {
    Malformed(const std::string& expected, std::size_t at)
        : std::runtime_error("expected " + expected + " at byte " + std::to_string(at)) {}
};

// Foreign text for a message: in quotes, printable ASCII, not too long.
std::string in_quotes(std::string_view text);

// Walks once over a text. Every function skips white space first and throws Malformed where the text is something else.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    // Calls `member(key)` for each member of an object; it must read the value.
    template <class Function> void object(Function member) {
        expect('{');
        if (accept('}')) return;
        do {
            std::string key = string();
            expect(':');
            member(std::move(key));
        } while (accept(','));
        expect('}');
    }

    // Calls `element()` for each element of an array; it must read it.
    template <class Function> void array(Function element) {
        expect('[');
        if (accept(']')) return;
        do element();
        while (accept(','));
        expect(']');
    }

    std::string string();         // valid UTF-8
    std::int64_t whole_number();  // 0 to 2^63 - 1, without sign, point or exponent
    double number();              // finite
    void end();                   // nothing may follow

private:
    void skip_space();
    bool accept(char c);
    void expect(char c);
    char take();
    unsigned hex4();
    void escape(std::string& out);
    void utf8(unsigned char lead, std::string& out);

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace okapi::json
