#include "okapi/encode/board.h"

namespace okapi::encode {

Board::Board(const PackedPosition& packed)
    : occupied_(packed.occupied),
      en_passant_(packed.en_passant < 64 ? Bitboard(1) << packed.en_passant : Bitboard(0)),
      turn_(Color(packed.turn & 1)) {
    if (count(occupied_) > 32) throw InvalidPosition("these bytes are no position: more than 32 pieces");
    std::array<Bitboard, 2> castling_rooks{};
    for (Square square : squares(occupied_)) {
        Piece piece;
        piece.code = packed.pieces[size_ / 2] >> (size_ % 2 * 4) & 15;
        if (piece.code >= PackedPosition::kCastlingRook) {
            if (piece.code > PackedPosition::kCastlingRook + 1)
                throw InvalidPosition("these bytes are no position: a piece is none");
            const Color color = Color(piece.code & 1);
            castling_rooks[std::size_t(color)] |= bit(square);
            piece = Piece(color, Kind::Rook);
        }
        pieces_[piece.code] |= bit(square);
        men_[size_++] = {piece, square};
    }
    for (Color color : {Color::White, Color::Black}) {
        if (count(pieces(color, Kind::King)) != 1)
            throw InvalidPosition("these bytes are no position: a side has not exactly one king");
        if (count(pieces(color)) > 16)
            throw InvalidPosition("these bytes are no position: a side has more than 16 pieces");
        for (Square rook : squares(castling_rooks[std::size_t(color)]))
            rights_ |= right(color, rook.index > king(color).index ? Wing::King : Wing::Queen);
    }
}

}  // namespace okapi::encode
