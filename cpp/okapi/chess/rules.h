// The rules that need more than a table, for any board with the accessors of Position and Replay.
#pragma once

#include "okapi/chess/attacks.h"
#include "okapi/chess/bitboard.h"
#include "okapi/chess/types.h"

namespace okapi::rules {

// Sliding pieces that see `square` when just `occupied` stands in the way.
template <class Board> Bitboard sliders_to(const Board& board, Square square, Bitboard occupied) {
    return (rook_attacks(square, occupied) & (board.pieces(Kind::Rook) | board.pieces(Kind::Queen))) |
           (bishop_attacks(square, occupied) & (board.pieces(Kind::Bishop) | board.pieces(Kind::Queen)));
}

// Pieces of both sides.
template <class Board> Bitboard attackers_to(const Board& board, Square square, Bitboard occupied) {
    return (pawn_attacks(square, Color::White) & board.pieces(Color::Black, Kind::Pawn)) |
           (pawn_attacks(square, Color::Black) & board.pieces(Color::White, Kind::Pawn)) |
           (knight_attacks(square) & board.pieces(Kind::Knight)) | (king_attacks(square) & board.pieces(Kind::King)) |
           sliders_to(board, square, occupied);
}

// Does taking en passant leave the king safe?
template <class Board> bool en_passant_is_safe(const Board& board, Square from, Square to) {
    const Bitboard taken = bit(Square(to.file(), from.rank()));
    const Bitboard occupied = (board.pieces() ^ bit(from) ^ taken) | bit(to);
    return (attackers_to(board, board.king(board.turn()), occupied) & board.pieces(~board.turn()) & ~taken) == 0;
}

// `target` if a pawn of the side to move may take en passant there.
template <class Board> Square legal_en_passant(const Board& board, Square target) {
    for (Square from : squares(pawn_attacks(target, ~board.turn()) & board.pieces(board.turn(), Kind::Pawn)))
        if (en_passant_is_safe(board, from, target)) return target;
    return Square::none();
}

// For a king that is not in check.
template <class Board> bool castling_is_legal(const Board& board, Wing wing) {
    const Color side = board.turn();
    if (!board.can_castle(side, wing)) return false;
    const Square from = board.king(side), rook = board.castling_rook(side, wing);
    const Square to(wing == Wing::King ? File::G : File::C, from.rank());
    const Square rook_to(wing == Wing::King ? File::F : File::D, from.rank());

    const Bitboard king_path = between(from, to) | bit(to);
    const Bitboard others = board.pieces() & ~bit(from) & ~bit(rook);
    if (others & (king_path | between(rook, rook_to) | bit(rook_to))) return false;
    const auto attacked = [&](Square square, Bitboard occupied) {
        return (attackers_to(board, square, occupied) & board.pieces(~side)) != 0;
    };
    for (Square square : squares(king_path & ~bit(from)))
        if (attacked(square, others)) return false;
    // In Chess960 the rook may have shielded the king's new square.
    return !attacked(to, others | bit(rook_to));
}

}  // namespace okapi::rules
