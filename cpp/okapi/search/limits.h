// When a search stops, what it returns, and what it reports meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "okapi/chess/move.h"

namespace okapi {

inline constexpr int kMaxPly = 128;
inline constexpr int kMate = 32000;  // mated in n plies is -kMate + n
inline constexpr int kInfinity = 32001;
inline constexpr int kTablebaseWin = 30000;             // less the plies to get there
inline constexpr int kMateBound = kMate - 2 * kMaxPly;  // values beyond are mates
inline constexpr bool is_mate(int value) { return value >= kMateBound || value <= -kMateBound; }

struct Limits {
    int depth = 0;  // 0 here and below: no limit of this kind
    std::uint64_t nodes = 0;
    std::int64_t movetime_ms = 0;
    bool infinite = false;  // until stop()
    bool ponder = false;    // limits count from ponder_hit()
    int mate = 0;           // a mate in so many moves is good enough
    struct Clock {
        std::int64_t time_ms = 0;
        std::int64_t increment_ms = 0;
    };
    std::array<std::optional<Clock>, 2> clocks;  // by colour
    int moves_to_go = 0;
    std::int64_t overhead_ms = 10;  // lost between bestmove and the clock stopping
    std::vector<Move> only;         // search only these root moves, if any are given
    int tablebase_depth = 1;        // probe the tables only in nodes with at least so many plies left,
    int tablebase_pieces = 7;       // with at most so many pieces,
    bool tablebase_fifty = true;    // and let a win that the fifty-move rule spoils be a draw
};

enum class Bound : std::uint8_t { None = 0, Upper = 1, Lower = 2, Exact = 3 };

// One principal variation at one depth.
struct Line {
    std::vector<Move> moves;  // never empty unless there is no legal move
    int value = 0;            // for the side to move at the root
    Bound bound = Bound::Exact;
    int depth = 0;
    int selective_depth = 0;
};

struct Progress {
    int rank = 1;  // MultiPV: 1 is the best
    Line line;
    std::uint64_t nodes = 0;
    std::uint64_t tablebase_hits = 0;
    std::int64_t elapsed_ms = 0;
    int table_permille = 0;
};

struct CurrentMove {
    Move move;
    int number = 1;
    int depth = 0;
};

struct Decision {
    Move move;                // none if there is no legal move
    int value = 0;            // centipawns, side to move
    std::vector<Line> lines;  // best first
    std::uint64_t nodes = 0;
    std::uint64_t tablebase_hits = 0;
    std::int64_t elapsed_ms = 0;
    int depth = 0;
};

}  // namespace okapi
