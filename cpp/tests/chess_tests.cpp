// The rules, without Python: perft, FEN, SAN, exchanges, repetition.
#include <algorithm>

#include "check.h"
#include "okapi/chess/perft.h"
#include "okapi/chess/position.h"
#include "okapi/chess/text.h"

using namespace okapi;

namespace {

constexpr const char* kKiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

std::uint64_t leaves(const char* fen, int depth) {
    Position position = Position::from_fen(fen);
    return perft(position, depth);
}

// Walks the tree and compares whatever can be computed in two ways.
void walk(Position& position, int depth) {
    const MoveList moves = legal_moves(position);
    CHECK_EQUAL(moves.size(), count_legal_moves(position));
    CHECK_EQUAL(!moves.empty(), has_legal_move(position));
    CHECK_EQUAL(moves.size(), legal_moves(position, Which::Noisy).size() + legal_moves(position, Which::Quiet).size());
    std::vector<Move> checks;
    for (Move move : legal_moves(position, Which::Quiet))
        if (position.gives_check(move)) checks.push_back(move);
    CHECK(std::ranges::equal(checks, quiet_checks(position)));
    if (depth == 0) return;
    const std::string fen = position.fen(true);
    const Key key = position.key();
    for (Move move : moves) {
        CHECK(position.is_legal(move));
        CHECK(parse_uci(position, to_uci(move, true)) == move);
        CHECK(parse_san(position, to_san(position, move)) == move);
        const bool check = position.gives_check(move);
        position.play(move);
        CHECK_EQUAL(check, position.in_check());
        const Position again = Position::from_fen(position.fen(true));
        CHECK_EQUAL(again.key(), position.key());
        CHECK_EQUAL(again.pawn_key(), position.pawn_key());
        CHECK_EQUAL(again.piece_key(Color::White), position.piece_key(Color::White));
        CHECK_EQUAL(again.piece_key(Color::Black), position.piece_key(Color::Black));
        walk(position, depth - 1);
        position.undo();
        CHECK_EQUAL(fen, position.fen(true));
        CHECK_EQUAL(key, position.key());
    }
}

void play(Position& position, std::initializer_list<const char*> moves) {
    for (const char* text : moves) {
        const std::optional<Move> move = parse_san(position, text);
        CHECK(move.has_value());
        if (move) position.play(*move);
    }
}

std::string san(const char* fen, const char* uci) {
    const Position position = Position::from_fen(fen);
    const std::optional<Move> move = parse_uci(position, uci);
    return move ? to_san(position, *move) : "none";
}

int exchange(const char* fen, const char* uci) {
    const Position position = Position::from_fen(fen);
    const Move move = parse_uci(position, uci).value();
    const int won = position.see(move);
    CHECK(position.see_ge(move, won));
    CHECK(!position.see_ge(move, won + 1));
    return won;
}

}  // namespace

// The six positions everybody counts: https://www.chessprogramming.org/Perft_Results
TEST(perft_of_the_usual_six) {
    CHECK_EQUAL(197281u, leaves("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4));
    CHECK_EQUAL(97862u, leaves(kKiwipete, 3));
    CHECK_EQUAL(674624u, leaves("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5));
    CHECK_EQUAL(422333u, leaves("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4));
    CHECK_EQUAL(422333u, leaves("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4));
    CHECK_EQUAL(62379u, leaves("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3));
    CHECK_EQUAL(89890u, leaves("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3));
}

TEST(perft_of_chess960) {
    CHECK_EQUAL(326672u, leaves("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4));
    CHECK_EQUAL(667366u, leaves("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4));
    // The rook that castles shields its king from the rook behind: castling would be into check.
    CHECK_EQUAL(1u, leaves("8/8/8/8/8/8/8/k1K5 w - - 0 1", 0));
    CHECK_EQUAL(false, parse_san(Position::from_fen("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1"), "O-O-O").has_value());
}

TEST(divided_perft_adds_up) {
    Position position = Position::from_fen(kKiwipete);
    std::uint64_t sum = 0;
    for (const auto& [move, count] : perft_divide(position, 3)) sum += count;
    CHECK_EQUAL(97862u, sum);
}

TEST(everything_agrees_with_itself) {
    for (const char* fen : {
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
             kKiwipete,
             "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
             "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
             "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
             "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
         }) {
        Position position = Position::from_fen(fen);
        walk(position, 2);
    }
}

TEST(fen_round_trips) {
    for (const char* fen : {
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
             "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 2",
             "8/8/8/8/8/5k2/8/4K2q w - - 99 120",
             "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
         })
        CHECK_EQUAL(std::string(fen), Position::from_fen(fen).fen());
    // En passant that nobody can take is not written; missing counters are the smallest.
    CHECK_EQUAL(std::string("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
                Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3").fen());
    const char* shredder = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    CHECK_EQUAL(std::string(shredder), Position::from_fen(shredder).fen(true));
    CHECK_EQUAL(std::string("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9"),
                Position::from_fen(shredder).fen());
}

TEST(fens_that_are_refused) {
    for (const char* fen : {
             "",
             "hello",
             "8/8/8/8/8/8/8/8 w - - 0 1",
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
             "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1",
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1",
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w XYZ - 0 1",
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1",
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1",
             "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",         // two kings
             "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",         // a pawn on the first rank
             "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",        // the side that waits is in check
             "4k3/PPPPPPPPP/8/8/8/8/8/4K3 w - - 0 1",  // nine squares in a rank
         })
        CHECK_THROWS(InvalidFen, Position::from_fen(fen));
}

TEST(san_is_written_as_people_do) {
    CHECK_EQUAL(std::string("e4"), san("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4"));
    CHECK_EQUAL(std::string("O-O"), san(kKiwipete, "e1g1"));
    CHECK_EQUAL(std::string("O-O-O"), san(kKiwipete, "e1c1"));
    CHECK_EQUAL(std::string("Nxd7"), san(kKiwipete, "e5d7"));
    CHECK_EQUAL(std::string("exd6"), san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"));
    CHECK_EQUAL(std::string("axb8=N"), san("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n"));
    CHECK_EQUAL(std::string("a8=Q+"), san("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"));
    CHECK_EQUAL(std::string("Rad1"), san("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"));
    CHECK_EQUAL(std::string("R1a3"), san("R7/8/4k3/8/8/8/8/R3K3 w - - 0 1", "a1a3"));
    CHECK_EQUAL(std::string("Qa1xd4"), san("1k6/8/8/8/Q2r4/8/8/Q2Q3K w - - 0 1", "a1d4"));
    CHECK_EQUAL(std::string("Ra8#"), san("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"));
}

TEST(san_is_read_forgivingly) {
    const Position position = Position::from_fen(kKiwipete);
    for (const char* text : {"O-O", "0-0", "O-O!?", "o-o"})
        if (const auto move = parse_san(position, text)) CHECK_EQUAL(std::string("e1h1"), to_uci(*move, true));
    CHECK(parse_san(position, "0-0").has_value());
    CHECK(!parse_san(position, "").has_value());
    CHECK(!parse_san(position, "Qh9").has_value());
    CHECK(!parse_san(position, "e8=Q").has_value());
    CHECK(!parse_san(Position::from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1"), "Rd1").has_value());
}

TEST(exchanges) {
    CHECK_EQUAL(100, exchange("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"));
    CHECK_EQUAL(-200, exchange("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"));
    CHECK_EQUAL(100, exchange("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"));
    CHECK_EQUAL(-500, exchange("4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d5"));
    CHECK_EQUAL(0, exchange(kKiwipete, "e1g1"));
}

TEST(repetition) {
    Position position = Position::start();
    play(position, {"Nf3", "Nf6", "Ng1", "Ng8"});
    CHECK_EQUAL(1, position.earlier_occurrences());
    play(position, {"Nf3", "Nf6", "Ng1"});
    CHECK_EQUAL(1, position.earlier_occurrences());
    play(position, {"Ng8"});
    CHECK_EQUAL(2, position.earlier_occurrences());
    play(position, {"e4"});
    CHECK_EQUAL(0, position.earlier_occurrences());
}

TEST(endings) {
    CHECK(Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").is_insufficient_material());
    CHECK(Position::from_fen("4k3/8/8/8/8/8/8/4KB2 w - - 0 1").is_insufficient_material());
    CHECK(!Position::from_fen("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1").is_insufficient_material());
    CHECK(!Position::from_fen("4k3/7p/8/8/8/8/8/4KB2 w - - 0 1").is_insufficient_material());
    CHECK(Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 100 80").is_fifty_moves());
    CHECK(!Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 99 80").is_fifty_moves());
    // Checkmate on the hundredth ply counts as checkmate.
    CHECK(!Position::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 100 80").is_fifty_moves());
}

TEST(passing_and_back) {
    Position position = Position::from_fen("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 2");
    const std::string before = position.fen();
    position.pass();
    CHECK(position.last_was_pass());
    CHECK(position.turn() == Color::Black);
    CHECK(!position.en_passant().exists());
    position.unpass();
    CHECK_EQUAL(before, position.fen());
}

int main() { return okapi::tests::run(); }
