// A position for going through games at speed: it only moves forward, and keeps no keys and no history.
#pragma once

#include <array>
#include <cstdint>

#include "okapi/chess/bitboard.h"
#include "okapi/chess/move.h"
#include "okapi/chess/position.h"
#include "okapi/chess/types.h"

namespace okapi {

// The parts of a SAN text like Nbd7 or exd8=Q. Missing parts match anything.
struct SanParts {
    Kind kind = Kind::Pawn;
    Kind promotion = Kind::Pawn;  // Pawn: none
    Square to;
    Bitboard from = ~Bitboard(0);  // the squares that the piece may come from
};

class Replay {
public:
    explicit Replay(const Position& start);

    // --- Accessors, named as in Position ------------------------------------------------------------------------
    Color turn() const { return turn_; }
    Piece at(Square square) const { return board_[square.index]; }
    Bitboard pieces() const { return colors_[0] | colors_[1]; }
    Bitboard pieces(Color color) const { return colors_[std::size_t(color)]; }
    Bitboard pieces(Kind kind) const { return kinds_[std::size_t(kind)]; }
    Bitboard pieces(Color color, Kind kind) const { return pieces(color) & pieces(kind); }
    Square king(Color color) const { return first(pieces(color, Kind::King)); }
    bool can_castle(Color color, Wing wing) const { return rights_ & right(color, wing); }
    Square castling_rook(Color color, Wing wing) const { return rooks_[std::size_t(2 * int(color) + int(wing))]; }
    // The square behind a pawn that just moved two squares, if taking it is legal. Computed on each call.
    Square en_passant() const;
    int halfmove_clock() const { return halfmove_clock_; }
    int fullmove_number() const { return fullmove_number_; }
    Bitboard checkers() const;
    bool in_check() const { return checkers() != 0; }
    bool is_capture(Move move) const {
        return move.type() == MoveType::EnPassant || (at(move.to()).exists() && !move.castles());
    }

    // --- Moves --------------------------------------------------------------------------------------------------
    // Pieces of the side to move with a pseudo-legal move to `to`, without castling.
    Bitboard reaching(Kind kind, Square to) const;
    // Would one of those pieces leave its king safe?
    bool is_safe(Square from, Square to) const;
    // The only legal move that fits; Move::none() where none or several do.
    Move find(const SanParts& parts) const;
    // The legal castling move, or Move::none().
    Move find_castling(Wing wing) const;
    bool has_legal_move() const;

    // The move must be legal. Move::none() is a null move: not when in check.
    void play(Move move);

private:
    void put(Square square, Piece piece);
    void lift(Square square);

    std::array<Piece, 64> board_{};
    std::array<Bitboard, 6> kinds_{};
    std::array<Bitboard, 2> colors_{};
    std::array<std::uint8_t, 64> keeps_{};  // rights that survive a move from or to a square
    std::array<Square, 4> rooks_{};
    Color turn_ = Color::White;
    std::uint8_t rights_ = 0;
    Square passed_;  // that a pawn just jumped over
    std::uint16_t halfmove_clock_ = 0;
    int fullmove_number_ = 1;
};

inline void Replay::put(Square square, Piece piece) {
    board_[square.index] = piece;
    kinds_[std::size_t(piece.kind())] |= bit(square);
    colors_[std::size_t(piece.color())] |= bit(square);
}

inline void Replay::lift(Square square) {
    const Piece piece = board_[square.index];
    board_[square.index] = Piece::none();
    kinds_[std::size_t(piece.kind())] ^= bit(square);
    colors_[std::size_t(piece.color())] ^= bit(square);
}

inline void Replay::play(Move move) {
    passed_ = Square::none();
    ++halfmove_clock_;
    fullmove_number_ += turn_ == Color::Black;
    if (move.exists()) {
        const Square from = move.from(), to = move.to();
        const Piece piece = at(from);
        if (move.castles()) {
            const bool kingside = to.index > from.index;
            lift(from);
            lift(to);
            put(Square(kingside ? File::G : File::C, from.rank()), piece);
            put(Square(kingside ? File::F : File::D, from.rank()), Piece(turn_, Kind::Rook));
        } else {
            const Square victim = move.type() == MoveType::EnPassant ? Square(to.file(), from.rank()) : to;
            if (at(victim).exists()) {
                lift(victim);
                halfmove_clock_ = 0;
            }
            lift(from);
            put(to, move.promotes() ? Piece(turn_, move.promotion()) : piece);
            if (piece.kind() == Kind::Pawn) {
                halfmove_clock_ = 0;
                if ((from.index ^ to.index) == 16) passed_ = Square((from.index + to.index) / 2);
            }
        }
        rights_ &= keeps_[from.index] & keeps_[to.index];
    }
    turn_ = ~turn_;
}

}  // namespace okapi
