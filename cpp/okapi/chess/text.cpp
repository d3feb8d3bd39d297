#include "okapi/chess/text.h"

#include <algorithm>

namespace okapi {

namespace {

constexpr std::string_view kPieceLetters = "PNBRQK";

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

}  // namespace

std::string name(Square square) { return {name(square.file()), name(square.rank())}; }

std::optional<Square> parse_square(std::string_view text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
    return Square(File(text[0] - 'a'), Rank(text[1] - '1'));
}

// --- UCI ---------------------------------------------------------------------------------------------------------

std::string to_uci(Move move, bool chess960) {
    if (!move.exists()) return "0000";
    Square to = move.to();
    if (move.castles() && !chess960) to = Square(to.index > move.from().index ? File::G : File::C, move.from().rank());
    std::string text = name(move.from()) + name(to);
    if (move.promotes()) text += char(kPieceLetters[std::size_t(move.promotion())] - 'A' + 'a');
    return text;
}

std::optional<Move> parse_uci(const Position& position, std::string_view text) {
    if (text.size() < 4 || text.size() > 5) return std::nullopt;
    const MoveList moves = legal_moves(position);
    for (Move move : moves)
        if (to_uci(move, true) == text) return move;
    // Castling as the king's own two squares; in Chess960 it could be mistaken, so it comes second.
    for (Move move : moves)
        if (move.castles() && to_uci(move, false) == text) return move;
    return std::nullopt;
}

// --- SAN ---------------------------------------------------------------------------------------------------------

std::string to_san(const Position& position, Move move) {
    std::string text;
    const Kind kind = position.at(move.from()).kind();
    if (move.castles()) {
        text = move.to().index > move.from().index ? "O-O" : "O-O-O";
    } else if (kind == Kind::Pawn) {
        if (position.is_capture(move)) text = {name(move.from().file()), 'x'};
        text += name(move.to());
        if (move.promotes()) text += {'=', kPieceLetters[std::size_t(move.promotion())]};
    } else {
        bool rival = false, same_file = false, same_rank = false;
        for (Move other : legal_moves(position)) {
            if (other.to() != move.to() || other.from() == move.from() || other.castles()) continue;
            if (position.at(other.from()).kind() != kind) continue;
            rival = true;
            same_file |= other.from().file() == move.from().file();
            same_rank |= other.from().rank() == move.from().rank();
        }
        text = kPieceLetters[std::size_t(kind)];
        if (rival && (!same_file || same_rank)) text += name(move.from().file());
        if (rival && same_file) text += name(move.from().rank());
        if (position.is_capture(move)) text += 'x';
        text += name(move.to());
    }
    if (position.gives_check(move)) {
        Position after = position;
        after.play(move);
        text += has_legal_move(after) ? '+' : '#';
    }
    return text;
}

namespace {

// The parts of a SAN text: missing parts match anything.
struct SanPattern {
    Kind kind = Kind::Pawn;
    std::optional<File> from_file;
    std::optional<Rank> from_rank;
    Square to;
    std::optional<Kind> promotion;

    bool fits(const Position& position, Move move) const {
        return !move.castles() && move.to() == to && position.at(move.from()).kind() == kind &&
               (!from_file || move.from().file() == *from_file) && (!from_rank || move.from().rank() == *from_rank) &&
               move.promotes() == promotion.has_value() && (!promotion || move.promotion() == *promotion);
    }
};

std::string_view without_marks(std::string_view text) {
    for (std::string_view tail : {" e.p.", "e.p."})
        if (text.ends_with(tail)) text.remove_suffix(tail.size());
    while (!text.empty() && is_one_of(text.back(), "+#!?")) text.remove_suffix(1);
    return text;
}

std::optional<SanPattern> read_san(std::string_view text) {
    SanPattern pattern;
    if (!text.empty() && is_one_of(text.back(), "QRBNqrn") && text.size() > 2) {
        const char c = text.back() >= 'a' ? char(text.back() - 'a' + 'A') : text.back();
        pattern.promotion = Kind(kPieceLetters.find(c));
        text.remove_suffix(1);
        if (text.ends_with('=')) text.remove_suffix(1);
    }
    if (!text.empty() && is_one_of(text.front(), kPieceLetters)) {
        pattern.kind = Kind(kPieceLetters.find(text.front()));
        text.remove_prefix(1);
    }
    if (text.size() < 2) return std::nullopt;
    const auto to = parse_square(text.substr(text.size() - 2));
    if (!to) return std::nullopt;
    pattern.to = *to;
    text.remove_suffix(2);
    if (!text.empty() && is_one_of(text.back(), "x-:")) text.remove_suffix(1);
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'h') {
        pattern.from_file = File(text.front() - 'a');
        text.remove_prefix(1);
    }
    if (!text.empty() && text.front() >= '1' && text.front() <= '8') {
        pattern.from_rank = Rank(text.front() - '1');
        text.remove_prefix(1);
    }
    if (!text.empty()) return std::nullopt;
    return pattern;
}

std::optional<Move> castling_move(const Position& position, Wing wing) {
    for (Move move : legal_moves(position))
        if (move.castles() && (move.to().index > move.from().index) == (wing == Wing::King)) return move;
    return std::nullopt;
}

}  // namespace

std::optional<Move> parse_san(const Position& position, std::string_view text) {
    text = without_marks(text);
    if (text == "O-O" || text == "0-0" || text == "o-o") return castling_move(position, Wing::King);
    if (text == "O-O-O" || text == "0-0-0" || text == "o-o-o") return castling_move(position, Wing::Queen);
    const auto pattern = read_san(text);
    if (!pattern) return std::nullopt;
    std::optional<Move> found;
    for (Move move : legal_moves(position)) {
        if (!pattern->fits(position, move)) continue;
        if (found) return std::nullopt;
        found = move;
    }
    return found;
}

}  // namespace okapi
