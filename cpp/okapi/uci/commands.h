// The two commands of the protocol that carry more than a word, read into records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/search/limits.h"
#include "okapi/uci/tokens.h"

namespace okapi::uci {

struct PositionCommand {
    std::optional<Position> position;   // nothing if the text describes none
    std::vector<std::string> problems;  // for people
};
// What follows `position`. At a move that is not legal the reading ends: the position before it is the last legal one.
PositionCommand read_position(Tokens tokens);

struct GoCommand {
    Limits limits;
    int perft = 0;  // above zero: only count the positions so many moves away
    std::vector<std::string> problems;
    // Will the search come to an end by itself?
    bool ends() const { return !limits.infinite && !limits.ponder; }
};
// What follows `go`. Numbers are brought into a sensible range. Without any limit the search is infinite; if limits
// were given but none could be read, it is short, so that bestmove comes soon.
GoCommand read_go(Tokens tokens, const Position& position);

}  // namespace okapi::uci
