#include "okapi/samples/packed.h"

#include <string>

namespace okapi {

namespace {

template <class Board> PackedPosition packed_from(const Board& position) {
    PackedPosition packed;
    packed.occupied = position.pieces();
    Bitboard castling_rooks = 0;
    for (Color color : {Color::White, Color::Black})
        for (Wing wing : {Wing::King, Wing::Queen})
            if (position.can_castle(color, wing)) castling_rooks |= bit(position.castling_rook(color, wing));
    std::size_t n = 0;
    for (Square square : squares(packed.occupied)) {
        const Piece piece = position.at(square);
        const int code =
            contains(castling_rooks, square) ? PackedPosition::kCastlingRook + index(piece.color()) : piece.code;
        packed.pieces[n / 2] |= std::uint8_t(code << (n % 2 * 4));
        ++n;
    }
    packed.turn = std::uint8_t(position.turn());
    packed.en_passant = position.en_passant().index;
    packed.halfmove_clock = std::uint16_t(position.halfmove_clock());
    packed.fullmove_number = std::uint16_t(position.fullmove_number());
    return packed;
}

}  // namespace

PackedPosition pack(const Position& position) { return packed_from(position); }

PackedPosition pack(const Replay& position) { return packed_from(position); }

// Sets up positions from bytes; a friend of Position, as FenReader is.
struct Unpacker {
    const PackedPosition& packed;

    Position unpack() const {
        Position position;
        position.keeps_.fill(15);
        std::array<Bitboard, 2> castling_rooks{};
        std::size_t n = 0;
        for (Square square : squares(packed.occupied)) {
            const int code = packed.pieces[n / 2] >> (n % 2 * 4) & 15;
            ++n;
            Piece piece;
            piece.code = std::uint8_t(code);
            if (code >= PackedPosition::kCastlingRook) {
                const Color color = Color(code & 1);
                piece = Piece(color, Kind::Rook);
                castling_rooks[std::size_t(index(color))] |= bit(square);
            }
            position.put_hashed(square, piece);
        }
        position.turn_ = Color(packed.turn & 1);
        for (Color color : {Color::White, Color::Black})
            for (Square rook : squares(castling_rooks[std::size_t(index(color))]))
                position.set_up_castling(color, rook.index > position.king(color).index ? Wing::King : Wing::Queen,
                                         rook);
        position.now_.halfmove_clock = packed.halfmove_clock;
        position.fullmove_number_ = packed.fullmove_number;
        position.finish_setup(Square(packed.en_passant));
        return position;
    }
};

Position unpack_unchecked(const PackedPosition& packed) { return Unpacker{packed}.unpack(); }

Position unpack(const PackedPosition& packed) {
    const auto fail = [](const std::string& why) { throw InvalidPosition("these bytes are no position: " + why); };
    if (count(packed.occupied) > 32) fail("more than 32 pieces");
    if (packed.turn > 1) fail("the side to move is neither White nor Black");
    if (packed.en_passant > 64) fail("the en passant square is none");
    if (packed.halfmove_clock > 9999 || packed.fullmove_number > 9999) fail("a counter is above 9999");
    std::array<int, 12> pieces{};
    std::array<int, 2> rooks{};
    std::size_t n = 0;
    for ([[maybe_unused]] Square square : squares(packed.occupied)) {
        const int code = packed.pieces[n / 2] >> (n % 2 * 4) & 15;
        ++n;
        if (code > PackedPosition::kCastlingRook + 1) fail("a piece is none");
        if (code >= PackedPosition::kCastlingRook && ++rooks[std::size_t(code & 1)] > 2)
            fail("more than two rooks to castle with");
        ++pieces[std::size_t(code >= PackedPosition::kCastlingRook ? Piece(Color(code & 1), Kind::Rook).code : code)];
    }
    for (Color color : {Color::White, Color::Black})
        if (pieces[Piece(color, Kind::King).code] != 1) fail("a side has not exactly one king");
    // The rest is what a FEN has to be, too: let its reader look at it.
    Position position = unpack_unchecked(packed);
    try {
        position = Position::from_fen(position.fen(true));
    } catch (const InvalidFen& e) {
        fail(e.field + " should be " + e.expected);
    }
    if (pack(position) != packed) fail("they say more than a FEN can, or contradict themselves");
    return position;
}

Position unpack(const PackedRows& rows, std::size_t n) {
    try {
        return unpack(rows[n]);
    } catch (const InvalidPosition& e) {
        throw InvalidPosition("number " + std::to_string(n) + ": " + e.what());
    }
}

}  // namespace okapi
