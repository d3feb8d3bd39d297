// FEN in and out. The reader knows where in the text each field stands, so that an error can point at it.
#include <algorithm>
#include <charconv>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/chess/text.h"

namespace okapi {

namespace {

constexpr std::string_view kLetters = "PpNnBbRrQqKk";  // by Piece::code

char letter(Piece piece) { return kLetters[piece.code]; }

}  // namespace

InvalidFen::InvalidFen(std::string_view text, std::string which, std::size_t from, std::size_t to, std::string wanted)
    : std::runtime_error(which + " of the FEN is wrong: expected " + wanted),
      fen(text),
      field(std::move(which)),
      start(from),
      end(to),
      expected(std::move(wanted)) {}

struct FenReader {
    std::string_view text;
    Position position;
    struct Field {
        std::size_t start = 0, end = 0;
    };
    std::vector<Field> fields;

    explicit FenReader(std::string_view fen) : text(fen) {
        std::size_t i = 0;
        const auto blank = [&](std::size_t at) { return fen[at] == ' ' || fen[at] == '\t' || fen[at] == '\r'; };
        while (i < fen.size()) {
            while (i < fen.size() && blank(i)) ++i;
            const std::size_t start = i;
            while (i < fen.size() && !blank(i)) ++i;
            if (i > start) fields.push_back({start, i});
        }
    }

    std::string_view word(std::size_t n) const { return text.substr(fields[n].start, fields[n].end - fields[n].start); }

    [[noreturn]] void fail(const char* field, std::size_t start, std::size_t end, const char* expected) const {
        throw InvalidFen(text, field, start, end, expected);
    }
    [[noreturn]] void fail(const char* field, std::size_t n, const char* expected) const {
        if (n < fields.size()) fail(field, fields[n].start, fields[n].end, expected);
        fail(field, text.size(), text.size(), expected);
    }

    Position read() {
        if (fields.size() > 6)
            fail("the end", 6, "at most six fields: pieces, side, castling, en passant, two counters");
        position.keeps_.fill(15);
        read_pieces();
        read_turn();
        read_castling();
        const Square en_passant = read_en_passant();
        position.now_.halfmove_clock = std::uint16_t(read_counter(4, "the halfmove clock", 0));
        position.fullmove_number_ = std::max(1, read_counter(5, "the move number", 1));
        position.finish_setup(en_passant);
        return std::move(position);
    }

    void read_pieces() {
        constexpr const char* kField = "the piece placement";
        if (fields.empty())
            fail(kField, 0,
                 "eight ranks of pieces, as in "
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        int file = 0, rank = 7;
        for (std::size_t i = fields[0].start; i < fields[0].end; ++i) {
            const char c = text[i];
            if (c == '/') {
                if (file != 8) fail(kField, fields[0].start, i, "eight squares in each rank");
                if (--rank < 0) fail(kField, i, i + 1, "eight ranks");
                file = 0;
            } else if (c >= '1' && c <= '8') {
                file += c - '0';
            } else if (const auto code = kLetters.find(c); code != std::string_view::npos) {
                if (file >= 8) fail(kField, i, i + 1, "eight squares in each rank");
                Piece piece;
                piece.code = std::uint8_t(code);
                position.put_hashed(Square(File(file++), Rank(rank)), piece);
            } else {
                fail(kField, i, i + 1, "a piece (PNBRQK or pnbrqk), a digit 1-8 or /");
            }
            if (file > 8) fail(kField, i, i + 1, "eight squares in each rank");
        }
        if (rank != 0 || file != 8) fail(kField, 0, "eight ranks of eight squares");
        check_pieces(kField);
    }

    void check_pieces(const char* field) const {
        for (Color color : {Color::White, Color::Black}) {
            const bool white = color == Color::White;
            if (count(position.pieces(color, Kind::King)) != 1)
                fail(field, 0, white ? "exactly one white king (K)" : "exactly one black king (k)");
            if (count(position.pieces(color)) > 16)
                fail(field, 0, white ? "at most 16 white pieces" : "at most 16 black pieces");
            if (count(position.pieces(color, Kind::Pawn)) > 8)
                fail(field, 0, white ? "at most 8 white pawns" : "at most 8 black pawns");
        }
        if (position.pieces(Kind::Pawn) & (bits(Rank::One) | bits(Rank::Eight)))
            fail(field, 0, "no pawn on the first or last rank");
    }

    void read_turn() {
        if (fields.size() < 2 || (word(1) != "w" && word(1) != "b")) fail("the side to move", 1, "w or b");
        position.turn_ = word(1) == "w" ? Color::White : Color::Black;
        const Square idle_king = position.king(~position.turn_);
        if (position.attackers_to(idle_king, position.pieces()) & position.pieces(position.turn_))
            fail("the side to move", 1, "the other side to move: this one could take the king");
    }

    // K, Q, k and q mean the outermost rook on that side (X-FEN); a file letter means the rook there (Shredder-FEN).
    void read_castling() {
        if (fields.size() < 3 || word(2) == "-") return;
        for (std::size_t i = fields[2].start; i < fields[2].end; ++i) {
            const char c = text[i];
            const bool white = c >= 'A' && c <= 'Z';
            const char lower = white ? char(c - 'A' + 'a') : c;
            const Color color = white ? Color::White : Color::Black;
            if (lower != 'k' && lower != 'q' && (lower < 'a' || lower > 'h'))
                fail("the castling rights", i, i + 1, "- or letters KQkq, or files of rooks as in HAha");
            const Square rook = castling_rook(color, lower);
            if (!rook.exists())
                fail("the castling rights", i, i + 1, "a king on its first rank and a rook to castle with");
            const Wing wing = rook.index > position.king(color).index ? Wing::King : Wing::Queen;
            if (position.can_castle(color, wing)) fail("the castling rights", i, i + 1, "each right only once");
            position.set_up_castling(color, wing, rook);
        }
    }

    Square castling_rook(Color color, char lower) const {
        const Rank home = seen_by(Rank::One, color);
        const Square king = position.king(color);
        if (king.rank() != home) return Square::none();
        const Bitboard rooks = position.pieces(color, Kind::Rook) & bits(home);
        if (lower == 'k' || lower == 'q') {
            Square found;
            for (Square s : squares(rooks))
                if (lower == 'k' ? s.index > king.index : s.index < king.index && !found.exists()) found = s;
            return found;
        }
        const Square named(File(lower - 'a'), home);
        return contains(rooks, named) ? named : Square::none();
    }

    Square read_en_passant() const {
        if (fields.size() < 4 || word(3) == "-") return Square::none();
        const auto square = parse_square(word(3));
        const Color mover = ~position.turn_;
        if (!square || seen_by(square->rank(), mover) != Rank::Three)
            fail(
                "the en passant square", 3,
                position.turn_ == Color::White ? "- or a square on the sixth rank" : "- or a square on the third rank");
        // A square without its pawn, or one that has something on it, allows no capture: many programs write such.
        const int up = mover == Color::White ? 8 : -8;
        const bool pawn = position.at(Square(square->index + up)).is(mover, Kind::Pawn);
        const bool clear = !position.at(*square).exists() && !position.at(Square(square->index - up)).exists();
        return pawn && clear ? *square : Square::none();
    }

    int read_counter(std::size_t n, const char* field, int missing) const {
        if (fields.size() <= n || word(n) == "-") return missing;
        int value = 0;
        const std::string_view digits = word(n);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || value > 9999)
            fail(field, n, "a number from 0 to 9999");
        return value;
    }
};

Position Position::from_fen(std::string_view fen) { return FenReader(fen).read(); }

std::string Position::fen(bool shredder) const {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const Piece piece = at(Square(File(file), Rank(rank)));
            if (!piece.exists()) {
                ++empty;
                continue;
            }
            if (empty) text += char('0' + empty);
            empty = 0;
            text += letter(piece);
        }
        if (empty) text += char('0' + empty);
        if (rank) text += '/';
    }
    text += turn_ == Color::White ? " w " : " b ";
    text += castling_text(shredder);
    text += ' ';
    text += en_passant().exists() ? name(en_passant()) : "-";
    return text + ' ' + std::to_string(halfmove_clock()) + ' ' + std::to_string(fullmove_number());
}

std::string Position::castling_text(bool shredder) const {
    std::string text;
    for (Color color : {Color::White, Color::Black})
        for (Wing wing : {Wing::King, Wing::Queen}) {
            if (!can_castle(color, wing)) continue;
            const Square rook = castling_rook(color, wing);
            // An outer rook of our own on the same side makes K or Q ambiguous.
            const Bitboard wing_side = wing == Wing::King ? ~((bit(rook) << 1) - 1) : bit(rook) - 1;
            const bool outer = pieces(color, Kind::Rook) & bits(rook.rank()) & wing_side;
            char c = wing == Wing::King ? 'k' : 'q';
            if (shredder || outer) c = name(rook.file());
            text += color == Color::White ? char(c - 'a' + 'A') : c;
        }
    return text.empty() ? "-" : text;
}

}  // namespace okapi
