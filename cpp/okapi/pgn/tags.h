// Tag pairs of PGN, as the world writes them.
#pragma once

#include <string>
#include <string_view>

#include "okapi/chess/game_record.h"

namespace okapi::pgn {

// [Name "Value"]. Missing closing quotes and brackets, or both quotes, are accepted.
struct TagText {
    std::string_view name, value;  // the value still with its escapes
    const char* end = nullptr;     // behind the pair
};
// `text` stands at the [ of something that is_tag() and ends in NUL.
TagText read_tag(const char* text);

// The name as everybody writes it, where it is a known one in other capitals.
std::string_view usual_name(std::string_view name);

// The value without escapes and control characters, in UTF-8: bytes that are none are taken for Windows-1252.
void decode_value(std::string_view raw, std::string& value);
// For writing: with escapes.
void write_tag(std::string_view name, std::string_view value, std::string& out);

}  // namespace okapi::pgn
