#include "okapi/chess/san.h"

namespace okapi {

namespace {

constexpr char kKindLetters[] = "PNBRQK";

// As much of the square as tells the piece from others of its kind that could go there, too.
void write_origin(const Replay& replay, Move move, Kind kind, std::string& out) {
    Bitboard rivals = 0;
    for (Square from : squares(replay.reaching(kind, move.to()) & ~bit(move.from())))
        if (replay.is_safe(from, move.to())) rivals |= bit(from);
    if (!rivals) return;
    const bool same_file = rivals & bits(move.from().file()), same_rank = rivals & bits(move.from().rank());
    if (!same_file || same_rank) out += name(move.from().file());
    if (same_file) out += name(move.from().rank());
}

void write_square(Square square, std::string& out) {
    out += name(square.file());
    out += name(square.rank());
}

void write_body(const Replay& replay, Move move, std::string& out) {
    const Kind kind = replay.at(move.from()).kind();
    if (move.castles()) {
        out += move.to().index > move.from().index ? "O-O" : "O-O-O";
    } else if (kind == Kind::Pawn) {
        if (replay.is_capture(move)) {
            out += name(move.from().file());
            out += 'x';
        }
        write_square(move.to(), out);
        if (move.promotes()) {
            out += '=';
            out += kKindLetters[std::size_t(move.promotion())];
        }
    } else {
        out += kKindLetters[std::size_t(kind)];
        if (kind != Kind::King) write_origin(replay, move, kind, out);
        if (replay.is_capture(move)) out += 'x';
        write_square(move.to(), out);
    }
}

}  // namespace

void play_and_write_san(Replay& replay, Move move, std::string& out) {
    if (!move.exists()) {
        out += "--";
        replay.play(move);
        return;
    }
    write_body(replay, move, out);
    replay.play(move);
    if (replay.in_check()) out += replay.has_legal_move() ? '+' : '#';
}

}  // namespace okapi
