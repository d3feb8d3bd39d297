#include "okapi/samples/traits.h"

#include <algorithm>

#include "okapi/chess/attacks.h"

namespace okapi {

namespace {

Traits of_position(const Position& position) {
    Traits found = 0;
    if (position.in_check()) found = found | Trait::InCheck;
    if (!has_legal_move(position)) found = found | (position.in_check() ? Trait::Checkmate : Trait::Stalemate);
    if (position.is_insufficient_material()) found = found | Trait::Insufficient;
    if (position.is_chess960()) found = found | Trait::Chess960;
    return found;
}

Traits of_move(const Position& position, Move move) {
    if (!position.is_legal(move)) return Traits(Trait::Illegal);
    Traits found = 0;
    if (position.is_capture(move)) found = found | Trait::Capture;
    if (move.promotes()) found = found | Trait::Promotion;
    if (position.gives_check(move)) found = found | Trait::Check;
    return found;
}

}  // namespace

Traits traits(const PackedPosition& packed, Move move) {
    try {
        const Position position = unpack(packed);
        return Traits(of_position(position) | (move.exists() ? of_move(position, move) : 0));
    } catch (const InvalidPosition&) {
        return Traits(Trait::Broken);
    }
}

namespace {

constexpr int kCastlingRook = 12;  // + colour, as in packed.h

// Just the pieces, by colour and kind.
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

std::optional<PackedPosition> after_random_move(const PackedPosition& packed, std::uint64_t choice) {
    Position position = unpack(packed);
    const MoveList moves = legal_moves(position);
    if (moves.empty()) return std::nullopt;
    position.play(moves[int(choice % std::uint64_t(moves.size()))]);
    return pack(position);
}

}  // namespace okapi
