// Info lines: the formats that UCI front ends rely on.
#pragma once

#include <string>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/search/limits.h"

namespace okapi::uci {

// Per mille, for the side to move; together 1000.
struct Wdl {
    int win = 0;
    int draw = 0;
    int loss = 0;
};
// Keeps the expected score: win + draw / 2. The weaker side makes half of its points by draws, which is what 505,894
// positions of master games show, evaluated by Stockfish 15.1 with 2,000 nodes each, at every expected score from 0.02
// to 0.98.
Wdl wdl(int value);

// "cp 34", "mate 3", "mate -2". Won by the tables: 20000 centipawns less the plies to get there.
std::string score(int value);

// The moves up to the end of the game: at most to mate, stalemate, a draw by rule, or the first move that is not legal.
std::vector<Move> playable(const Position& root, const std::vector<Move>& moves);

struct InfoFormat {
    bool chess960 = false;
    bool wdl = false;
};
std::string info_line(const Position& root, const Progress& progress, InfoFormat format);

// The info line where there is no legal move.
std::string no_move_line(const Position& root, InfoFormat format);

}  // namespace okapi::uci
