// Keys that tell positions apart. They are Polyglot's, with the en passant file only where the capture is legal.
#pragma once

#include <array>

#include "okapi/chess/types.h"

namespace okapi::zobrist {

extern const std::array<Key, 781> kPolyglot;

// Polyglot counts black pawn, white pawn, black knight, ...: our piece codes with the colour turned round.
inline Key piece(Piece p, Square square) { return kPolyglot[std::size_t(64 * (p.code ^ 1) + square.index)]; }
inline Key castling(int right) { return kPolyglot[std::size_t(768 + right)]; }  // K, Q, k, q
inline Key en_passant(File file) { return kPolyglot[std::size_t(772 + int(file))]; }
inline Key white_to_move() { return kPolyglot[780]; }

}  // namespace okapi::zobrist
