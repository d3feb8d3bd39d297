// Games for tests of stores and files: random moves and all annotations.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "okapi/chess/ending.h"
#include "okapi/chess/game_record.h"
#include "okapi/chess/text.h"

namespace okapi::tests {

inline const std::vector<std::string>& made_starts() {
    static const std::vector<std::string> fens = {
        "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1",        // Chess960
        "r1bqkbnr/pppp1ppp/2n5/8/2BpP3/5N2/PPP2PPP/RNBQK2R w KQkq - 0 4",  // after some moves
        "8/PPPPPPPP/8/2k5/5K2/8/pppppppp/8 b - - 12 70",                   // promotions to come
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",                               // en passant
        "nnnnknnn/nnnnnnnn/8/8/8/8/8/4K3 b - - 0 1",                       // fifteen knights
    };
    return fens;
}

// Plays on from `position`; sometimes a side passes.
inline std::vector<Move> made_moves(Position position, std::mt19937& random, int plies, bool nulls) {
    std::vector<Move> moves;
    while (int(moves.size()) < plies) {
        const MoveList legal = legal_moves(position);
        if (legal.empty()) break;
        const bool passes = nulls && !position.in_check() && random() % 16 == 0;
        moves.push_back(passes ? Move::none() : legal[int(random() % unsigned(legal.size()))]);
        passes ? position.pass() : position.play(moves.back());
    }
    return moves;
}

// Annotations of the positions of a game: values, best moves and lines, with gaps.
inline void add_thoughts(GameRecord& game, std::mt19937& random) {
    Position position = game.start;
    for (std::size_t ply = 0; ply <= game.moves.size(); ++ply) {
        const bool known = random() % 8 != 0;
        const std::vector<Move> line = made_moves(position, random, int(random() % 6), false);
        const Centipawns extreme = Centipawns(random() % 2 ? kMateValue - 3 : -32767);
        game.values.push_back(!known ? kNoValue : random() % 16 == 0 ? extreme : Centipawns(int(random() % 401) - 200));
        game.best.push_back(line.empty() ? Move::none() : line[0]);
        game.lines.push_back(line);
        if (ply == game.moves.size()) break;
        const Move move = game.moves[ply];
        if (random() % 3 == 0) game.best.back() = move;
        move.exists() ? position.play(move) : position.pass();
    }
}

inline void add_clocks(GameRecord& game, std::mt19937& random) {
    const std::uint32_t unit = random() % 2 ? 1000 : 1;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
        game.clocks.push_back(random() % 9 == 0 ? kNoClock : std::uint32_t(random() % 600000) / unit * unit);
}

inline GameRecord made_game(unsigned number) {
    std::mt19937 random(number);
    GameRecord game;
    if (random() % 3 == 0) game.start = Position::from_fen(made_starts()[random() % made_starts().size()]);
    game.moves = made_moves(game.start, random, number % 50 == 7 ? 1000 : int(random() % 120), random() % 4 == 0);
    if (random() % 5 != 0) game.result = Result(random() % 3);
    if (random() % 3 == 0) add_thoughts(game, random);
    if (random() % 3 == 0) add_clocks(game, random);
    const auto player = [&] { return "Player " + std::to_string(random() % 7); };
    if (number % 11 != 3)
        game.tags = {{"Event", "Cup " + std::to_string(number / 10)},
                     {"Date", number % 3 ? "2024.01." + std::to_string(10 + number % 20) : "2024.??.??"},
                     {"White", player()},
                     {"Black", player()},
                     {"WhiteElo", std::to_string(2000 + random() % 3 * 100)},
                     {"BlackElo", "?"}};
    if (number % 4 == 1)
        for (const char* odd : {"", "007", "1999.13.01", "99999999999", "\xC3\x9Cn\xC3\xAF\n\"quoted\"", "4294967295"})
            game.tags.emplace_back("Odd" + std::to_string(random() % 3), odd);
    return game;
}

inline std::vector<GameRecord> made_games(unsigned count, unsigned first = 0) {
    std::vector<GameRecord> games;
    for (unsigned number = first; number < first + count; ++number) games.push_back(made_game(number));
    return games;
}

inline bool same(const GameRecord& a, const GameRecord& b) {
    return a.tags == b.tags && a.start.fen(true) == b.start.fen(true) && a.moves == b.moves && a.result == b.result &&
           a.values == b.values && a.best == b.best && a.lines == b.lines && a.clocks == b.clocks;
}

}  // namespace okapi::tests
