#include "okapi/pgn/tags.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>

namespace okapi::pgn {

namespace {

constexpr std::array<std::string_view, 24> kNames = {
    "Event",     "Site",      "Date",       "Round",      "White",   "Black",   "Result",      "ECO",
    "WhiteElo",  "BlackElo",  "FEN",        "SetUp",      "Variant", "UTCDate", "UTCTime",     "TimeControl",
    "EventDate", "Annotator", "WhiteTitle", "BlackTitle", "Opening", "Source",  "Termination", "PlyCount",
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_line_end(char c) { return c == '\n' || c == '\r' || c == '\0'; }

const char* line_end(const char* text) { return text + std::strcspn(text, "\r\n"); }

// Of 0x80 to 0x9F; those that Windows-1252 leaves open stand for themselves.
constexpr std::array<std::uint16_t, 32> kWindows = {
    0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
    0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178,
};

void append_utf8(unsigned code, std::string& out) {
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        out += char(0xC0 | code >> 6);
        out += char(0x80 | (code & 0x3F));
    } else {
        out += char(0xE0 | code >> 12);
        out += char(0x80 | (code >> 6 & 0x3F));
        out += char(0x80 | (code & 0x3F));
    }
}

// The length of the character at the front, or 0 where the bytes are no UTF-8.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return i < text.size() ? std::uint8_t(text[i]) : std::uint8_t(0); };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const bool overlong = lead == 0xE0 && byte(1) < 0xA0, surrogate = lead == 0xED && byte(1) > 0x9F;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const bool overlong = lead == 0xF0 && byte(1) < 0x90, beyond = lead == 0xF4 && byte(1) > 0x8F;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

bool is_plain(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return c == '\\' || std::uint8_t(c) < 0x20 || std::uint8_t(c) >= 0x7F; });
}

// Behind the quote that closes the value: the first that a bracket follows, or else the last of the line.
const char* closing_quote(const char* value) {
    const char* last = nullptr;
    for (const char* p = value; !is_line_end(*p); ++p) {
        if (*p == '\\' && (p[1] == '"' || p[1] == '\\')) {
            ++p;
        } else if (*p == '"') {
            last = p;
            const char* next = p + 1;
            while (is_blank(*next)) ++next;
            if (*next == ']') return p;
        }
    }
    return last;
}

}  // namespace

TagText read_tag(const char* text) {
    TagText tag;
    const char* p = text + 1;
    const char* name = p;
    while (!is_blank(*p) && *p != '"') ++p;
    tag.name = {name, std::size_t(p - name)};
    while (is_blank(*p)) ++p;
    const bool quoted = *p == '"';
    const char* value = p + quoted;
    if (const char* quote = quoted ? closing_quote(value) : nullptr) {
        tag.value = {value, std::size_t(quote - value)};
        p = quote + 1;
        while (is_blank(*p)) ++p;
        tag.end = p + (*p == ']');
        return tag;
    }
    const char* end = line_end(value);
    tag.end = end;
    while (end > value && (is_blank(end[-1]) || end[-1] == '\0')) --end;
    if (end > value && end[-1] == ']') --end;
    tag.value = {value, std::size_t(end - value)};
    return tag;
}

std::string_view usual_name(std::string_view name) {
    for (std::string_view known : kNames)
        if (std::equal(name.begin(), name.end(), known.begin(), known.end(),
                       [](char a, char b) { return std::tolower(std::uint8_t(a)) == std::tolower(std::uint8_t(b)); }))
            return known;
    return name;
}

void decode_value(std::string_view raw, std::string& value) {
    if (is_plain(raw)) {
        value.assign(raw);
        return;
    }
    value.clear();
    const bool utf8 = is_utf8(raw);
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const std::uint8_t byte = std::uint8_t(raw[i]);
        if (raw[i] == '\\' && i + 1 < raw.size() && (raw[i + 1] == '"' || raw[i + 1] == '\\'))
            value += raw[++i];
        else if (raw[i] == '\t')
            value += ' ';
        else if (byte < 0x20 || byte == 0x7F)
            continue;
        else if (byte < 0x80 || utf8)
            value += raw[i];
        else
            append_utf8(byte < 0xA0 ? kWindows[byte - 0x80] : byte, value);
    }
}

void write_tag(std::string_view name, std::string_view value, std::string& out) {
    out += '[';
    out += name;
    out += " \"";
    for (char c : value) {
        if (c == '"' || c == '\\') out += '\\';
        out += std::uint8_t(c) < 0x20 ? ' ' : c;
    }
    out += "\"]\n";
}

}  // namespace okapi::pgn
