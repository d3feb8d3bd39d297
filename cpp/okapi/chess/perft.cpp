#include "okapi/chess/perft.h"

namespace okapi {

std::uint64_t perft(Position& position, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return std::uint64_t(count_legal_moves(position));
    std::uint64_t total = 0;
    for (Move move : legal_moves(position)) {
        position.play(move);
        total += perft(position, depth - 1);
        position.undo();
    }
    return total;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(Position& position, int depth) {
    std::vector<std::pair<Move, std::uint64_t>> parts;
    for (Move move : legal_moves(position)) {
        position.play(move);
        parts.emplace_back(move, perft(position, depth - 1));
        position.undo();
    }
    return parts;
}

}  // namespace okapi
