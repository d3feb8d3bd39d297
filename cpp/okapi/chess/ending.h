// Why games are over, and who won.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "okapi/chess/position.h"

namespace okapi {

enum class Result : std::uint8_t { BlackWins, Draw, WhiteWins };
std::string_view name(Result result);  // as in PGN: 0-1, 1/2-1/2, 1-0

enum class Ending : std::uint8_t {
    // By the rules.
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    Repetition,
    // By adjudication.
    AgreedWin,
    AgreedDraw,
    Tablebase,
    TooLong,
};
std::string_view name(Ending ending);  // "fifty moves"

// Why the game is over by the rules alone, without a claim.
std::optional<Ending> ending(const Position& position);
// The result of a game that the rules ended so.
Result result(const Position& position, Ending by_rule);

}  // namespace okapi
