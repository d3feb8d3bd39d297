// Syzygy endgame tables through the Fathom library, where the build found it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "okapi/chess/position.h"

namespace okapi::tablebase {

enum class Wdl : std::int8_t { Loss = -2, BlessedLoss = -1, Draw = 0, CursedWin = 1, Win = 2 };

// Was this build linked with Fathom?
bool available();
// Reads the tables below `path` (several folders as in PATH); an empty path forgets them. The number of pieces covered,
// 0 if none were found. Not while a search runs.
int load(const std::string& path);
int max_pieces();

// For the side to move; nothing where the tables do not reach, castling is possible, or the 50-move clock is not zero.
std::optional<Wdl> probe(const Position& position);

struct RankedMove {
    Move move;
    Wdl verdict;
    int distance;  // plies to the next capture or pawn move (DTZ)
};
// Every legal move with its verdict for the side to move, best first; empty where the tables do not reach.
std::vector<RankedMove> probe_root(const Position& position);

}  // namespace okapi::tablebase
