// A filter of games.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "okapi/chess/game_record.h"

namespace okapi {

// Unknown values do not match: a game without Elo has no Elo of 2000 or more.
struct GameFilter {
    std::optional<int> min_elo{}, max_elo{};             // of both players
    std::optional<int> since{}, until{};                 // year * 10000 + month * 100 + day, both included
    std::optional<double> min_seconds{}, max_seconds{};  // of a player for a game of 40 moves; the second not included
    std::size_t min_plies = 0, max_plies = std::numeric_limits<std::size_t>::max();
    std::uint8_t results = 15;  // bit n: those with Result n; bit 3: without a result
    std::string player{};       // in White's or Black's name, accents and capitals aside

    bool admits(const GameRecord& game) const;
};

// The value of a tag, or nothing.
std::optional<std::string_view> find_tag(const GameRecord& game, std::string_view name);

// 2024.06.30 as 20240630. What is unknown (??) counts as the first; nothing without a year.
std::optional<int> read_date(std::string_view text);

// Seconds that a player has for 40 moves under a TimeControl: 300+3, 40/7200:3600, 1/86400, 600. Nothing for - or ?.
std::optional<double> read_time_control(std::string_view text);

}  // namespace okapi
