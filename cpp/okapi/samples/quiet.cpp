#include "okapi/samples/quiet.h"

#include <algorithm>

#include "okapi/chess/attacks.h"

namespace okapi {

namespace {

constexpr int kCastlingRook = 12;  // + colour, as in packed.h

// Just the pieces, in the words that rules need.
struct Pieces {
    std::array<Bitboard, 14> of{};  // by code

    explicit Pieces(const PackedPosition& packed) {
        std::size_t n = 0;
        for (Square square : squares(packed.occupied)) {
            const int code = packed.pieces[n / 2] >> (n % 2 * 4) & 15;
            of[std::size_t(std::min(code, kCastlingRook + 1))] |= bit(square);
            ++n;
        }
        for (Color color : {Color::White, Color::Black})
            of[Piece(color, Kind::Rook).code] |= of[std::size_t(kCastlingRook + index(color))];
    }
    Bitboard operator()(Color color, Kind kind) const { return of[Piece(color, kind).code]; }
};

}  // namespace

bool is_quiet(const PackedPosition& packed, Move move) {
    const bool takes = move.type() == MoveType::EnPassant || (!move.castles() && contains(packed.occupied, move.to()));
    if (move.exists() && (takes || move.promotes())) return false;
    if (count(packed.occupied) > 32) return false;
    const Pieces pieces(packed);
    const Color side = Color(packed.turn & 1), enemy = ~side;
    if (count(pieces(side, Kind::King)) != 1) return false;
    const Square king = first(pieces(side, Kind::King));
    const Bitboard queens = pieces(enemy, Kind::Queen);
    return ((pawn_attacks(king, side) & pieces(enemy, Kind::Pawn)) |
            (knight_attacks(king) & pieces(enemy, Kind::Knight)) |
            (bishop_attacks(king, packed.occupied) & (pieces(enemy, Kind::Bishop) | queens)) |
            (rook_attacks(king, packed.occupied) & (pieces(enemy, Kind::Rook) | queens))) == 0;
}

}  // namespace okapi
