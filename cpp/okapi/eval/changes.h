// What a move takes off the board and puts on it: all that networks over pieces and squares need to know of it.
#pragma once

#include <array>
#include <span>

#include "okapi/chess/position.h"

namespace okapi {

// At most two of each: a pass has none, castling two and two.
class Changes {
public:
    Changes() = default;
    // Of `move`, which is about to be played.
    Changes(const Position& before, Move move);

    std::span<const PlacedPiece> leave() const { return {leaves_.data(), left_}; }
    std::span<const PlacedPiece> arrive() const { return {arrives_.data(), arrived_}; }

private:
    void take(Piece piece, Square square) { leaves_[left_++] = {piece, square}; }
    void put(Piece piece, Square square) { arrives_[arrived_++] = {piece, square}; }

    std::array<PlacedPiece, 2> leaves_, arrives_;
    std::uint8_t left_ = 0, arrived_ = 0;
};

inline Changes::Changes(const Position& before, Move move) {
    if (!move.exists()) return;
    const Square from = move.from(), to = move.to();
    const Piece piece = before.at(from);
    take(piece, from);
    if (move.castles()) {
        const bool kingside = to.index > from.index;
        const Piece rook(piece.color(), Kind::Rook);
        take(rook, to);
        put(piece, Square(kingside ? File::G : File::C, from.rank()));
        put(rook, Square(kingside ? File::F : File::D, from.rank()));
        return;
    }
    const Square victim = move.type() == MoveType::EnPassant ? Square(to.file(), from.rank()) : to;
    if (before.at(victim).exists()) take(before.at(victim), victim);
    put(move.promotes() ? Piece(piece.color(), move.promotion()) : piece, to);
}

}  // namespace okapi
