// Replay goes through games as Position does, its slow twin: same squares, rights and counters, same moves for a text.
#include <random>

#include "check.h"
#include "chess960.h"
#include "okapi/chess/ending.h"
#include "okapi/chess/replay.h"
#include "okapi/chess/text.h"
#include "okapi/samples/packed.h"

using namespace okapi;
using tests::random_chess960;

namespace {

using Random = std::mt19937;

Bitboard from_squares(const Position& position, Kind kind, Square to) {
    Bitboard from = 0;
    for (Move move : legal_moves(position))
        if (move.to() == to && !move.castles() && position.at(move.from()).kind() == kind) from |= bit(move.from());
    return from;
}

// Every text of this shape means the same to both.
void compare_moves(const Position& position, const Replay& replay) {
    for (Move move : legal_moves(position)) {
        const Kind kind = position.at(move.from()).kind();
        if (move.castles()) {
            const Wing wing = move.to().index > move.from().index ? Wing::King : Wing::Queen;
            CHECK(replay.find_castling(wing) == move);
            continue;
        }
        const Kind promotion = move.promotes() ? move.promotion() : Kind::Pawn;
        CHECK(replay.find({kind, promotion, move.to(), bit(move.from())}) == move);
        const bool alone = count(from_squares(position, kind, move.to())) == 1;
        CHECK(replay.find({kind, promotion, move.to()}) == (alone ? move : Move::none()));
    }
    for (Wing wing : {Wing::King, Wing::Queen})
        if (const Move move = replay.find_castling(wing); move.exists()) CHECK(position.is_legal(move));
    for (int kind = 0; kind < kKinds; ++kind)
        for (int to = 0; to < 64; ++to) {
            const bool last = Kind(kind) == Kind::Pawn && (to < 8 || to >= 56);
            const Move move = replay.find({Kind(kind), last ? Kind::Queen : Kind::Pawn, Square(to)});
            if (move.exists()) CHECK(position.is_legal(move));
        }
}

void play_along(Position position, Random& random, int plies) {
    Replay replay(position);
    for (int ply = 0; ply < plies; ++ply) {
        CHECK(pack(position) == pack(replay));
        CHECK_EQUAL(position.checkers(), replay.checkers());
        const MoveList moves = legal_moves(position);
        CHECK_EQUAL(!moves.empty(), replay.has_legal_move());
        compare_moves(position, replay);
        if (moves.empty()) return;
        const Move move = moves[int(random() % unsigned(moves.size()))];
        position.play(move);
        replay.play(move);
    }
}

}  // namespace

TEST(games_go_as_they_do_with_position) {
    Random random(1);
    for (int game = 0; game < 60; ++game) play_along(Position::start(), random, 200);
}

TEST(chess960_goes_as_it_does_with_position) {
    Random random(2);
    for (int game = 0; game < 60; ++game) play_along(random_chess960(random), random, 120);
}

TEST(crowded_positions_go_as_they_do_with_position) {
    Random random(3);
    for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
                            "rnbqkb1r/pp1p1pPp/8/2p1pP2/1P1P4/7P/P1P1P3/RNBQKBNR w KQkq e6 0 1"})
        for (int game = 0; game < 10; ++game) play_along(Position::from_fen(fen), random, 60);
}

TEST(castling_may_be_the_only_move) {
    const Replay replay(Position::from_fen("4r1k1/8/8/8/8/6p1/6P1/5KRB w G - 0 1"));
    CHECK(replay.find_castling(Wing::King).exists());
    CHECK(replay.has_legal_move());
}

TEST(a_null_move_counts_but_takes_nothing) {
    Replay replay(Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 5 9"));
    CHECK(replay.en_passant().exists());
    replay.play(Move::none());
    CHECK(replay.turn() == Color::Black && !replay.en_passant().exists());
    replay.play(Move::none());
    CHECK_EQUAL(10, replay.fullmove_number());
    CHECK_EQUAL(7, replay.halfmove_clock());
    CHECK(!replay.find({Kind::Pawn, Kind::Pawn, *parse_square("d6")}).exists());
}

int main() { return okapi::tests::run(); }
