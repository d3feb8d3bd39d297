// A game as it is read, stored and written: its moves and annotations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "okapi/chess/ending.h"
#include "okapi/chess/move.h"
#include "okapi/chess/position.h"

namespace okapi {

// Centipawns for the side to move. Mate in n moves is kMateValue - n, being mated -(kMateValue - n).
using Centipawns = std::int16_t;
inline constexpr Centipawns kNoValue = -32768;  // no value
inline constexpr int kMateValue = 32000;

inline constexpr std::uint32_t kNoClock = 0xFFFFFFFF;

struct GameRecord {
    using Tag = std::pair<std::string, std::string>;

    std::vector<Tag> tags{};  // in the order of the file, UTF-8; without Result, FEN, SetUp: they are below
    Position start = Position::start();
    std::vector<Move> moves{};       // Move::none() is a null move
    std::optional<Result> result{};  // nothing: *, or no result at all
    // Annotations, each either empty or complete. Values, best moves and lines belong to positions: entry i to the
    // one before moves[i], the last to the one after the last move. Clocks belong to moves.
    std::vector<Centipawns> values{};        // moves + 1; kNoValue where there is none
    std::vector<Move> best{};                // moves + 1; Move::none() where there is none
    std::vector<std::vector<Move>> lines{};  // moves + 1; the play that was expected: its end is the leaf of TD-leaf
    std::vector<std::uint32_t> clocks{};     // moves; milliseconds left after the move, or kNoClock
};

}  // namespace okapi
