// What programs write into comments: values and clocks.
#pragma once

#include <optional>
#include <string_view>

#include "okapi/chess/game_record.h"
#include "okapi/chess/types.h"

namespace okapi::pgn {

struct Remarks {
    Centipawns value = kNoValue;
    std::uint32_t clock = kNoClock;
};
// [%eval 0.31], [%eval #-3,22], [%clk 1:02:03.5]; `turn` is the side to move where the comment stands. The first
// counts.
Remarks read_remarks(std::string_view comment, Color turn);

// The same way back, without the brackets: 0.31, #-3, 1:02:03.5.
void write_value(Centipawns value, Color turn, std::string& out);
void write_clock(std::uint32_t clock, std::string& out);

}  // namespace okapi::pgn
