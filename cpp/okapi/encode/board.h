// What encodings see of a packed position. Cheaper to set up than a Position, which hashes and remembers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "okapi/chess/bitboard.h"
#include "okapi/chess/types.h"
#include "okapi/samples/packed.h"

namespace okapi::encode {

class Board {
public:
    // Checks as much as reading needs: known pieces, at most 16 a side, one king each. Throws InvalidPosition.
    explicit Board(const PackedPosition& packed);

    // From a1 to h8.
    std::span<const PlacedPiece> men() const { return {men_.data(), size_}; }
    Bitboard occupied() const { return occupied_; }
    Bitboard pieces(Color color, Kind kind) const { return pieces_[Piece(color, kind).code]; }
    Bitboard pieces(Color color) const {
        Bitboard set = 0;
        for (std::size_t code = std::size_t(color); code < pieces_.size(); code += 2) set |= pieces_[code];
        return set;
    }
    Square king(Color color) const { return first(pieces(color, Kind::King)); }
    Color turn() const { return turn_; }
    bool can_castle(Color color, Wing wing) const { return rights_ & right(color, wing); }
    // Where a pawn may be taken in passing: none or one square.
    Bitboard en_passant() const { return en_passant_; }

private:
    std::array<PlacedPiece, 32> men_;
    std::size_t size_ = 0;
    std::array<Bitboard, 12> pieces_{};  // by Piece::code
    Bitboard occupied_;
    Bitboard en_passant_;
    Color turn_;
    std::uint8_t rights_ = 0;
};

}  // namespace okapi::encode
