// The small nouns of chess: colours, kinds, pieces, files, ranks, squares. Each is its own type, so that a rank cannot
// stand where a file is meant.
#pragma once

#include <cstdint>

namespace okapi {

enum class Color : std::uint8_t { White, Black };
constexpr Color operator~(Color color) { return Color(std::uint8_t(color) ^ 1); }
constexpr int index(Color color) { return int(color); }

enum class Kind : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King };
constexpr int kKinds = 6;
constexpr int index(Kind kind) { return int(kind); }

// A kind with a colour, or no piece at all. The code is 2 * kind + colour, 12 for none.
struct Piece {
    std::uint8_t code = 12;

    constexpr Piece() = default;
    constexpr Piece(Color color, Kind kind) : code(std::uint8_t(2 * int(kind) + int(color))) {}
    static constexpr Piece none() { return Piece{}; }

    constexpr bool exists() const { return code < 12; }
    constexpr Color color() const { return Color(code & 1); }
    constexpr Kind kind() const { return Kind(code >> 1); }
    constexpr bool is(Color c, Kind k) const { return *this == Piece(c, k); }
    constexpr bool operator==(const Piece&) const = default;
};

enum class File : std::uint8_t { A, B, C, D, E, F, G, H };
enum class Rank : std::uint8_t { One, Two, Three, Four, Five, Six, Seven, Eight };
constexpr char name(File file) { return char('a' + int(file)); }
constexpr char name(Rank rank) { return char('1' + int(rank)); }

// The rank as `color` counts it: White's own back rank and Black's are both One.
constexpr Rank seen_by(Rank rank, Color color) { return color == Color::White ? rank : Rank(7 - int(rank)); }

// a1 = 0, b1 = 1, ... h8 = 63; 64 stands for no square.
struct Square {
    std::uint8_t index = 64;

    constexpr Square() = default;
    constexpr explicit Square(int i) : index(std::uint8_t(i)) {}
    constexpr Square(File file, Rank rank) : index(std::uint8_t(int(rank) * 8 + int(file))) {}
    static constexpr Square none() { return Square{}; }

    constexpr bool exists() const { return index < 64; }
    constexpr File file() const { return File(index & 7); }
    constexpr Rank rank() const { return Rank(index >> 3); }
    constexpr Square mirrored() const { return Square(index ^ 56); }  // a1 <-> a8
    constexpr Square seen_by(Color color) const { return color == Color::White ? *this : mirrored(); }
    constexpr bool operator==(const Square&) const = default;
};

// A piece and where it stands.
struct PlacedPiece {
    Piece piece;
    Square square;
};

enum class Wing : std::uint8_t { King, Queen };  // the side of the board one castles to

using Key = std::uint64_t;

}  // namespace okapi
