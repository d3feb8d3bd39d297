// Limited strength: a smaller search and a random choice among its lines, without dropping pieces.
//
// The ratings hold for the champion; docs/reference/uci.md says on which scale, and how certain they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/search/limits.h"

namespace okapi::handicap {

inline constexpr int kLowest = 800;
inline constexpr int kHighest = 3200;

// How a player of some rating searches.
struct Level {
    std::uint64_t nodes;  // nodes of its search
    int lines;            // lines of its search
    double temperature;   // a move that loses this much expected score in a balanced game is e times less likely
    int visible_loss;     // sees moves that lose so many centipawns by plain captures
    int visible_mate;     // sees mates in so many moves
};
Level level(int elo);

// Which of `lines`, best first and not empty, the player plays. The same seed gives the same choice.
std::size_t choose(const Position& position, const std::vector<Line>& lines, const Level& level, std::uint64_t seed);

// A move that mates at once, whether or not a small search came to look at it.
std::optional<Move> mate_in_one(const Position& position);

}  // namespace okapi::handicap
