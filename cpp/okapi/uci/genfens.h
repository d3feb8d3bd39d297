// Random openings for data generation, in the form OpenBench asks for: `genfens N seed S book <None|FILE> [...]`.
#pragma once

#include <string_view>

#include "okapi/search/search.h"
#include "okapi/uci/writer.h"

namespace okapi {

// Says `info string genfens FEN` N times: 8 or 9 random moves from the start position or from a random line of the book
// (FEN or EPD), neither decided yet nor over. The same seed gives the same openings. Throws std::runtime_error where
// the command or the book cannot be read.
void generate_fens(std::string_view command, Search& search, uci::Writer& writer);

}  // namespace okapi
