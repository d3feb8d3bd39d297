#include "okapi/store/names.h"

#include <array>
#include <cstdint>

namespace okapi {

namespace {

// What the letters U+00C0 to U+017F are without their accents; a blank stays as it is.
constexpr std::string_view kLatin1 =
    "aaaaaaaceeeeiiiidnooooo ouuuuyts"
    "aaaaaaaceeeeiiiidnooooo ouuuuyty";
constexpr std::string_view kExtended =
    "aaaaaaccccccccdddd"  // U+0100
    "eeeeeeeeeegggggggghhhh"
    "iiiiiiiiiiiijjkkkllllllllll"
    "nnnnnnnnnoooooooorrrrrr"
    "ssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kLatin1.size() == 64 && kExtended.size() == 128);

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || std::uint8_t(c) >= 0x80; }

}  // namespace

std::string folded(std::string_view utf8) {
    std::string out;
    out.reserve(utf8.size());
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const std::uint8_t byte = std::uint8_t(utf8[i]);
        if (byte >= 'A' && byte <= 'Z') {
            out += char(byte - 'A' + 'a');
            continue;
        }
        const bool accented = byte >= 0xC3 && byte <= 0xC5 && i + 1 < utf8.size();
        if (accented) {
            const unsigned code = (byte & 0x1Fu) << 6 | (std::uint8_t(utf8[i + 1]) & 0x3Fu);
            const char plain = code < 0x100 ? kLatin1[code - 0xC0] : kExtended[code - 0x100];
            if (plain != ' ') {
                out += plain;
                ++i;
                continue;
            }
        }
        out += utf8[i];
    }
    return out;
}

std::string surname(std::string_view utf8) {
    const std::string name = folded(utf8.substr(0, utf8.find(',')));
    std::string last, word;
    const auto end_word = [&] {
        if (word.size() > 1 || last.empty()) last = word.empty() ? last : word;
        word.clear();
    };
    for (char c : name) {
        if (c == ' ' || c == '.')
            end_word();
        else if (is_letter(c))
            word += c;
    }
    end_word();
    return last;
}

}  // namespace okapi
