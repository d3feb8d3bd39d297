// Names of players, as far as they can be compared: one person is written in many ways.
#pragma once

#include <string>
#include <string_view>

namespace okapi {

// In small letters without accents: Müller, MÜLLER and Muller are one.
std::string folded(std::string_view utf8);

// The last word of what stands before the comma, or of the whole name where there is none, folded; initials are no
// words. "Kasparov, Garry", "Kasparov,G", "Garry Kasparov" and "Kasparov G." are all kasparov. Empty for "?".
std::string surname(std::string_view utf8);

}  // namespace okapi
