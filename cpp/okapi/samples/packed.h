// A position in 32 bytes, and a sample in 48: what stands in arrays by the million.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "okapi/chess/game_record.h"
#include "okapi/chess/position.h"
#include "okapi/chess/replay.h"

namespace okapi {

// Everything that a FEN says. Integers are little-endian; the same bytes are a row of a numpy array.
struct PackedPosition {
    static constexpr int kCastlingRook = 12;

    std::uint64_t occupied = 0;  // bit 0 is a1, bit 63 h8
    std::array<std::uint8_t, 16>
        pieces{};                  // four bits for each occupied square from a1 on, low bits first: Piece::code,
                                   // or kCastlingRook + colour for a rook that its king may castle with
    std::uint8_t turn = 0;         // 0 White, 1 Black
    std::uint8_t en_passant = 64;  // the square behind the pawn, where taking it is legal; else 64
    std::uint16_t halfmove_clock = 0;
    std::uint16_t fullmove_number = 1;
    std::uint16_t unused = 0;

    bool operator==(const PackedPosition&) const = default;
};
static_assert(sizeof(PackedPosition) == 32);

// Bytes that are no position which Position::from_fen() would accept.
struct InvalidPosition : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

PackedPosition pack(const Position& position);
PackedPosition pack(const Replay& position);
// Throws InvalidPosition.
Position unpack(const PackedPosition& packed);
// For bytes that pack() made: not checked.
Position unpack_unchecked(const PackedPosition& packed);

// Packed positions that lie `stride` bytes apart.
struct PackedRows {
    const std::uint8_t* data;
    std::size_t count;
    std::ptrdiff_t stride;

    // A copy, because rows of a file need not be aligned.
    PackedPosition operator[](std::size_t n) const {
        PackedPosition packed;
        std::memcpy(&packed, data + std::ptrdiff_t(n) * stride, sizeof(packed));
        return packed;
    }
};
// Throws InvalidPosition with the number of the row.
Position unpack(const PackedRows& rows, std::size_t n);

// A training sample: a position, its value, its move, and where it came from.
struct Sample {
    PackedPosition position{};
    Centipawns value = kNoValue;      // for the side to move
    std::uint16_t move = 0;           // Move::bits of the best, or else the played move; 0: none
    std::int8_t result = -1;          // the game's, for the side to move: 0 lost, 1 drawn, 2 won; -1 unknown
    std::uint8_t flags = 0;           // kRandomMove
    std::uint16_t ply = 0;            // moves played before, in its game
    std::uint32_t game = 0xFFFFFFFF;  // its number in the store it came from; all ones: none
    std::uint32_t nodes = 0;          // that the teacher searched; 0: unknown

    static constexpr std::uint8_t kRandomMove = 1;  // a random move led here, so the game's result says nothing
};
static_assert(sizeof(Sample) == 48);

}  // namespace okapi
