// SAN at speed, for Replay: what parse_san() and to_san() are for Position.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "okapi/chess/move.h"
#include "okapi/chess/replay.h"

namespace okapi {

// The kind that a letter stands for, or -1. Languages differ: the rook is R, T, W or V.
using PieceLetters = std::array<std::int8_t, 256>;

// From the letters of knight, bishop, rook, queen and king.
constexpr PieceLetters piece_letters(const char* nbrqk) {
    PieceLetters letters{};
    letters.fill(-1);
    for (int i = 0; i < 5; ++i) letters[std::uint8_t(nbrqk[i])] = std::int8_t(i + 1);
    return letters;
}
inline constexpr PieceLetters kEnglish = piece_letters("NBRQK");

// Reads a move other than castling from text that ends in something that is no part of a move, such as NUL: Nf3, Nbxd7,
// Nb1-d2, exd5, e2e4, e8=Q, e8Q. The character behind it, or nothing where that is no move.
inline const char* read_san(const char* text, const PieceLetters& letters, SanParts& parts) {
    const auto letter = [&letters](char c) { return letters[std::uint8_t(c)]; };
    constexpr unsigned kNone = 8;
    parts = {};
    if (const int kind = letter(*text); kind >= 0) {
        parts.kind = Kind(kind);
        ++text;
    }
    unsigned from_file = kNone, from_rank = kNone, file = kNone, rank = kNone;
    for (;; ++text) {
        const unsigned f = std::uint8_t(*text) - unsigned('a'), r = std::uint8_t(*text) - unsigned('1');
        if (f < 8) {
            if (file != kNone || rank != kNone) {  // what came before was where the piece stands
                if (from_file != kNone || from_rank != kNone) return nullptr;
                from_file = file;
                from_rank = rank;
                rank = kNone;
            }
            file = f;
        } else if (r < 8) {
            if (rank != kNone) return nullptr;
            rank = r;
        } else if (*text != 'x' && *text != '-' && *text != ':') {
            break;
        }
    }
    if (file == kNone || rank == kNone) return nullptr;
    parts.to = Square(File(file), Rank(rank));
    if (from_file != kNone) parts.from &= bits(File(from_file));
    if (from_rank != kNone) parts.from &= bits(Rank(from_rank));
    const char* piece = text + (*text == '=');
    if (const int kind = letter(*piece); kind >= 0) {
        if (Kind(kind) == Kind::King) return nullptr;
        parts.promotion = Kind(kind);
        return piece + 1;
    }
    return text;
}

// Plays the move, and writes it: Nbd7, exd8=Q#, O-O+. A null move is --.
void play_and_write_san(Replay& replay, Move move, std::string& out);

}  // namespace okapi
