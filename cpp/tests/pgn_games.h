// Random games with everything that PGN can say about them, for the tests of PGN.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "chess960.h"
#include "okapi/chess/game_record.h"
#include "okapi/chess/position.h"
#include "okapi/pgn/reader.h"

namespace okapi::tests {

using Random = std::mt19937_64;

inline int below(Random& random, int limit) { return int(random() % unsigned(limit)); }

// `number` makes its tags unlike those of all others.
inline GameRecord random_game(Random& random, int number) {
    GameRecord game;
    game.tags = {{"Event", "Event " + std::to_string(number)}, {"White", "Ärger, \"Ö\" \\"}, {"Black", "黒"}};
    if (below(random, 4) == 0) game.tags.emplace_back("WhiteElo", std::to_string(below(random, 3000)));
    if (below(random, 4) == 0) {
        game.start = random_chess960(random);
        game.tags.emplace_back("Variant", "Chess960");
    } else if (below(random, 4) == 0) {
        game.start = Position::from_fen("4k2r/P6p/8/3pP3/8/8/p5PP/R3K3 b Qk - 7 33");
    }
    Position position = game.start;
    const int plies = below(random, 120);
    const bool valued = below(random, 2), timed = below(random, 2), passes = below(random, 8) == 0;
    for (int ply = 0; ply < plies; ++ply) {
        const MoveList moves = legal_moves(position);
        if (moves.empty()) break;
        if (passes && below(random, 10) == 0 && !position.in_check()) {
            position.pass();
            game.moves.push_back(Move::none());
        } else {
            game.moves.push_back(moves[below(random, moves.size())]);
            position.play(game.moves.back());
        }
        if (timed) game.clocks.push_back(below(random, 9) ? std::uint32_t(below(random, 10'000'000)) : kNoClock);
    }
    if (valued && !game.moves.empty()) {
        const auto any = [&random] { return below(random, 9) ? Centipawns(below(random, 4000) - 2000) : kNoValue; };
        for (std::size_t i = 0; i <= game.moves.size(); ++i) game.values.push_back(any());
        game.values.back() = Centipawns(below(random, 2) ? kMateValue - 7 : 12 - kMateValue);
    }
    if (timed && !game.clocks.empty()) game.clocks.front() = 61'250;
    if (const int result = below(random, 4); result < 3) game.result = Result(result);
    return game;
}

inline bool same(const GameRecord& a, const GameRecord& b) {
    return a.tags == b.tags && a.start.fen(true) == b.start.fen(true) && a.moves == b.moves && a.result == b.result &&
           a.values == b.values && a.clocks == b.clocks;
}

struct Read {
    std::vector<GameRecord> games;
    std::vector<Complaint> complaints;
};

// Fed in pieces of so many bytes.
inline Read read_pgn(std::string_view text, std::size_t piece = std::string::npos) {
    Read read;
    PgnReader reader;
    const auto drain = [&] {
        for (PgnReader::Found found; (found = reader.next()) != PgnReader::Found::Nothing;)
            if (found == PgnReader::Found::Game)
                read.games.push_back(reader.game());
            else
                read.complaints.push_back(reader.complaint());
    };
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
        reader.feed(text.substr(0, piece));
        drain();
    }
    reader.finish();
    drain();
    return read;
}

}  // namespace okapi::tests
