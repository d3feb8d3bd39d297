// Various positions to compare evaluators on, and the same ones with colours exchanged.
#pragma once

#include <array>
#include <cctype>
#include <string>

#include "okapi/chess/position.h"

namespace okapi::tests {

inline constexpr std::array<const char*, 12> kPositions = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2kr3r/pp1bbppp/2n1pn2/q1ppN3/3P4/2PBPN2/PP1BQPPP/R4RK1 b - - 4 12",
    "6k1/1R3R2/8/8/p7/P1N5/1PP3PP/2K1r3 w - - 0 30",
    "8/5k2/8/8/8/2KBN3/8/8 w - - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "rn2kb1r/pp3ppp/2p1pn2/q4b2/2BP4/2N2N2/PPPB1PPP/R2QK2R w KQkq - 0 8",
    "1nkr4/ppp5/8/4P3/5p2/5P1P/PPP2KP1/1R4R1 b - - 1 25"};

// Colours exchanged and the board turned upside down: the same position for the other side.
inline std::string mirrored(const std::string& fen) {
    const std::size_t end = fen.find(' ');
    std::string board;
    for (std::size_t at = 0; at < end;) {
        const std::size_t slash = std::min(fen.find('/', at), end);
        board = fen.substr(at, slash - at) + (board.empty() ? "" : "/") + board;
        at = slash + 1;
    }
    const auto swapped = [](std::string text) {
        for (char& c : text) c = char(std::islower(c) ? std::toupper(c) : std::tolower(c));
        return text;
    };
    const bool white = fen[end + 1] == 'w';
    const std::size_t rights_end = fen.find(' ', end + 3);
    return swapped(board) + (white ? " b " : " w ") + swapped(fen.substr(end + 3, rights_end - end - 3)) + " - 0 1";
}

// Visits every position of a few games of legal moves picked without sense.
template <class Function> void wander(Function visit) {
    std::uint64_t seed = 1;
    for (const char* fen : kPositions) {
        Position position = Position::from_fen(fen);
        for (int ply = 0; ply < 120; ++ply) {
            const MoveList moves = legal_moves(position);
            visit(position);
            if (moves.empty()) break;
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            position.play(moves[int((seed >> 33) % std::uint64_t(moves.size()))]);
        }
    }
}

}  // namespace okapi::tests
