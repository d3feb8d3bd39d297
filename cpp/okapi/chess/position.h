// Squares, side to move, rights, counters, and the game that led here as far as repetition needs it.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/chess/attacks.h"
#include "okapi/chess/bitboard.h"
#include "okapi/chess/move.h"
#include "okapi/chess/types.h"

namespace okapi {

inline constexpr std::string_view kStartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// A FEN that does not describe a position that chess can have. [start, end) is the part of the text that is wrong.
struct InvalidFen : std::runtime_error {
    InvalidFen(std::string_view fen, std::string field, std::size_t start, std::size_t end, std::string expected);
    std::string fen;
    std::string field;
    std::size_t start;
    std::size_t end;
    std::string expected;
};

// A castling right as a bit: K 1, Q 2, k 4, q 8.
constexpr std::uint8_t right(Color color, Wing wing) { return std::uint8_t(1 << (2 * int(color) + int(wing))); }

class Position {
public:
    // --- Text ---------------------------------------------------------------------------------------------------
    static Position start() { return from_fen(kStartFen); }
    // Reads FEN, X-FEN and Shredder-FEN; counters may be missing. Throws InvalidFen.
    static Position from_fen(std::string_view fen);
    // Writes rights as KQkq where that is unambiguous (X-FEN), or always as files (Shredder-FEN). The en passant square
    // is written only where the capture is legal.
    std::string fen(bool shredder = false) const;

    // --- Looking ------------------------------------------------------------------------------------------------
    Color turn() const { return turn_; }
    Piece at(Square square) const { return board_[square.index]; }
    Bitboard pieces() const { return colors_[0] | colors_[1]; }
    Bitboard pieces(Color color) const { return colors_[index(color)]; }
    Bitboard pieces(Kind kind) const { return kinds_[index(kind)]; }
    Bitboard pieces(Color color, Kind kind) const { return colors_[index(color)] & kinds_[index(kind)]; }
    Square king(Color color) const { return first(pieces(color, Kind::King)); }

    bool can_castle(Color color, Wing wing) const { return now_.rights & right(color, wing); }
    bool any_castling() const { return now_.rights != 0; }
    std::uint8_t castling_rights() const { return now_.rights; }
    // Where the castling rook stands; meaningful while can_castle().
    Square castling_rook(Color color, Wing wing) const { return rooks_[std::size_t(2 * int(color) + int(wing))]; }
    // A right that standard chess does not know: king not on the e-file or rook not in the corner.
    bool is_chess960() const;
    // The square behind a pawn that just moved two squares, if taking it is legal.
    Square en_passant() const { return now_.en_passant; }
    int halfmove_clock() const { return now_.halfmove_clock; }
    int fullmove_number() const { return fullmove_number_; }

    Key key() const { return now_.key; }                                       // the Polyglot key
    Key pawn_key() const { return now_.pawn_key; }                             // of pawns alone
    Key piece_key(Color color) const { return now_.piece_key[index(color)]; }  // of one side's other pieces

    // The key after a plain move or capture; other moves change more. Good enough to fetch memory ahead of time.
    Key likely_key_after(Move move) const;

    // --- Attacks ------------------------------------------------------------------------------------------------
    Bitboard checkers() const { return now_.checkers; }
    bool in_check() const { return now_.checkers != 0; }
    Bitboard attackers_to(Square square, Bitboard occupied) const;
    bool attacked_by(Color color, Square square, Bitboard occupied) const {
        return (attackers_to(square, occupied) & pieces(color)) != 0;
    }
    // Would this legal move give check?
    bool gives_check(Move move) const;

    // --- Moves --------------------------------------------------------------------------------------------------
    bool is_legal(Move move) const;
    bool is_capture(Move move) const {
        return move.type() == MoveType::EnPassant || (at(move.to()).exists() && !move.castles());
    }
    // Captures and promotions to a queen: what quiescence looks at.
    bool is_noisy(Move move) const { return is_capture(move) || (move.promotes() && move.promotion() == Kind::Queen); }
    Piece captured_by(Move move) const {
        return move.type() == MoveType::EnPassant ? Piece(~turn_, Kind::Pawn)
               : move.castles()                   ? Piece::none()
                                                  : at(move.to());
    }
    // The move must be legal.
    void play(Move move);
    void undo();
    // The side to move does nothing. Not when in check.
    void pass();
    void unpass();
    bool last_was_pass() const { return now_.move == Move::none() && now_.plies_since_pass == 0 && !past_.empty(); }
    Move last_move() const { return now_.move; }
    // Moves played since the position was set up.
    int plies() const { return int(past_.size()); }

    // --- Endings ------------------------------------------------------------------------------------------------
    // How often this position stood before in the game.
    int earlier_occurrences() const;
    // Did this position stand before, at most `plies` ago (once is enough), or twice at all? What search calls a draw.
    bool repeats_within(int plies) const;
    bool is_fifty_moves() const;  // and not checkmate
    bool is_insufficient_material() const;

    // --- Exchanges ----------------------------------------------------------------------------------------------
    // What the best exchange on the target square, begun by this move, wins in the values of kSeeValue.
    int see(Move move) const;
    bool see_ge(Move move, int threshold) const;

private:
    struct State {
        Key key = 0;
        Key pawn_key = 0;
        std::array<Key, 2> piece_key{};
        Bitboard checkers = 0;
        std::uint16_t halfmove_clock = 0;
        std::uint16_t plies_since_pass = 0;
        std::uint8_t rights = 0;
        Square en_passant;
        Piece captured;
        Move move;
    };

    Position() = default;
    void put(Square square, Piece piece);
    Piece lift(Square square);
    void put_hashed(Square square, Piece piece);
    void lift_hashed(Square square);
    void hash(Piece piece, Square square);
    void hash_rights(std::uint8_t rights);
    void set_up_castling(Color color, Wing wing, Square rook);
    std::string castling_text(bool shredder) const;
    void finish_setup(Square en_passant);
    bool en_passant_is_legal(Square from, Square to) const;
    Square legal_en_passant(Square target) const;
    bool castling_is_legal(Wing wing) const;
    Bitboard xrays(Square square, Bitboard occupied) const;
    friend struct FenReader;
    friend struct Unpacker;
    template <Color, class Sink> friend struct Generator;

    std::array<Piece, 64> board_{};
    std::array<Bitboard, 6> kinds_{};
    std::array<Bitboard, 2> colors_{};
    std::array<std::uint8_t, 64> keeps_{};  // rights that survive a move from or to a square
    std::array<Square, 4> rooks_{};
    Color turn_ = Color::White;
    int fullmove_number_ = 1;
    State now_;
    std::vector<State> past_;
};

// Piece values for static exchange evaluation only.
inline constexpr std::array<int, 6> kSeeValue = {100, 300, 300, 500, 900, 20000};

// --- Legal moves ------------------------------------------------------------------------------------------------
enum class Which { All, Noisy, Quiet };  // Noisy as in is_noisy(); Quiet is the rest

MoveList legal_moves(const Position& position, Which which = Which::All);
int count_legal_moves(const Position& position);
bool has_legal_move(const Position& position);

// Quiet moves that give check, in the order of legal_moves().
MoveList quiet_checks(const Position& position);

}  // namespace okapi
