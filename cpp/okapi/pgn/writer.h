// PGN out: the same games that the reader would read.
#pragma once

#include <string>

#include "okapi/chess/game_record.h"

namespace okapi {

// Appends the game and an empty line: its tags in their order, Result behind Black, SetUp and FEN last; [%eval] and
// [%clk] as comments; lines of at most 80 characters, where words allow it.
void write_pgn(const GameRecord& game, std::string& out);

}  // namespace okapi
