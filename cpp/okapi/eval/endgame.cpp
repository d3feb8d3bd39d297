#include "okapi/eval/endgame.h"

#include <algorithm>
#include <cstdlib>

namespace okapi {

namespace {

int file_of(Square square) { return int(square.file()); }
int rank_of(Square square) { return int(square.rank()); }

// King moves from one square to the other.
int distance(Square a, Square b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

// Steps along ranks and files: finer than distance().
int steps(Square a, Square b) { return std::abs(file_of(a) - file_of(b)) + std::abs(rank_of(a) - rank_of(b)); }

// 0 in the four central squares to 6 in the corners.
int steps_from_centre(Square square) {
    const auto off = [](int coordinate) { return std::max(3 - coordinate, coordinate - 4); };
    return off(file_of(square)) + off(rank_of(square));
}

int steps_to_corner(Square square, bool dark) {
    const Square a = dark ? Square(File::A, Rank::One) : Square(File::A, Rank::Eight);
    const Square b = dark ? Square(File::H, Rank::Eight) : Square(File::H, Rank::One);
    return std::min(steps(square, a), steps(square, b));
}

bool at_most_a_minor_piece(const Position& position, Color color) {
    const Bitboard minors = position.pieces(color, Kind::Knight) | position.pieces(color, Kind::Bishop);
    return count(position.pieces(color)) <= 2 &&
           position.pieces(color) == (minors | position.pieces(color, Kind::King));
}

// Rook pawns on one file, bishops that never reach the colour of the queening square, and the bare king beside it.
bool is_wrong_bishop(const Position& position, Color color) {
    const Bitboard pawns = position.pieces(color, Kind::Pawn);
    const Bitboard bishops = position.pieces(color, Kind::Bishop);
    if (position.pieces(color) != (pawns | bishops | position.pieces(color, Kind::King)) || !pawns) return false;
    for (File file : {File::A, File::H}) {
        const Square corner(file, seen_by(Rank::Eight, color));
        const Bitboard wrong = contains(kDarkSquares, corner) ? ~kDarkSquares : kDarkSquares;
        if (!(pawns & ~bits(file)) && !(bishops & ~wrong) && distance(position.king(~color), corner) <= 1) return true;
    }
    return false;
}

}  // namespace

int endgame::mop_up(const Position& position, Color winner) {
    const Bitboard bishops = position.pieces(winner, Kind::Bishop);
    const Bitboard knights = position.pieces(winner, Kind::Knight);
    const bool heavy = position.pieces(winner, Kind::Rook) | position.pieces(winner, Kind::Queen);
    const bool both_bishops = (bishops & kDarkSquares) && (bishops & ~kDarkSquares);
    if (!heavy && !both_bishops && !(bishops && knights)) return 0;

    const Square bare = position.king(~winner);
    const int near = 14 - steps(bare, position.king(winner));
    if (heavy || both_bishops) return 20 * near + 40 * steps_from_centre(bare);
    return 10 * near + 70 * (7 - steps_to_corner(bare, bishops & kDarkSquares));
}

bool endgame::is_known_draw(const Position& position) {
    for (Color color : {Color::White, Color::Black}) {
        if (several(position.pieces(~color))) continue;
        const Bitboard knights = position.pieces(color, Kind::Knight);
        if (count(knights) <= 2 && position.pieces(color) == (knights | position.pieces(color, Kind::King)))
            return true;
        if (is_wrong_bishop(position, color)) return true;
    }
    return at_most_a_minor_piece(position, Color::White) && at_most_a_minor_piece(position, Color::Black);
}

}  // namespace okapi
