// Movetext: the part of the reader that has to be fast.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "okapi/pgn/comment.h"
#include "okapi/pgn/game.h"

namespace okapi {

namespace {

enum class Class : std::uint8_t {
    Word,
    Blank,
    End,
    Move,
    Castling,
    Digit,
    Comment,
    Line,
    Variation,
    Glyph,
    Tag,
    Star,
    Sign
};

constexpr std::array<Class, 256> kClasses = [] {
    std::array<Class, 256> classes{};  // Word: letters that begin no move in English, and all beyond ASCII
    const auto set = [&classes](const char* characters, Class value) {
        for (; *characters; ++characters) classes[std::uint8_t(*characters)] = value;
    };
    set(" \t\r\n\v\f", Class::Blank);
    set("abcdefghNBRQK", Class::Move);
    set("O", Class::Castling);
    set("0123456789", Class::Digit);
    set("!?+#=.,:'\"&/\\^_`|~<>)}]\x7F", Class::Sign);
    set("{", Class::Comment);
    set(";", Class::Line);
    set("(", Class::Variation);
    set("$", Class::Glyph);
    set("[", Class::Tag);
    set("*", Class::Star);
    classes[0] = Class::End;
    return classes;
}();

Class class_of(char c) { return kClasses[std::uint8_t(c)]; }

// What may follow a move without a blank.
bool ends_word(char c) {
    switch (class_of(c)) {
        case Class::Blank:
        case Class::End:
        case Class::Comment:
        case Class::Line:
        case Class::Variation:
        case Class::Glyph:
            return true;
        default:
            return c == ')' || c == '}';
    }
}

bool is_suffix(char c) { return c == '+' || c == '#' || c == '!' || c == '?'; }

std::string shown(std::string_view word) {
    constexpr std::size_t kLongest = 24;
    std::string text;
    for (char c : word.substr(0, kLongest)) text += c >= ' ' && c < 0x7F ? c : '.';
    return word.size() > kLongest ? text + "..." : text;
}

}  // namespace

const char* PgnGameParser::read_moves(const char* p, const PieceLetters& letters) {
    while (!ended_) {
        switch (class_of(*p)) {
            case Class::Blank:
            case Class::Sign:
                ++p;
                break;
            case Class::End:
                if (p >= end_) return end_;
                ++p;
                break;
            case Class::Move:
                p = read_move(p, letters);
                break;
            case Class::Castling:
                p = read_castling(p);
                break;
            case Class::Digit:
                p = read_number(p, letters);
                break;
            case Class::Word:
                p = *p == '%' && (p == begin_ || p[-1] == '\n' || p[-1] == '\r') ? skip_line(p) : read_word(p, letters);
                break;
            case Class::Comment:
                p = read_comment(p);
                break;
            case Class::Line:
                p = skip_line(p);
                break;
            case Class::Variation:
                p = skip_variation(p);
                break;
            case Class::Glyph:
                for (++p; std::isdigit(std::uint8_t(*p));) ++p;
                break;
            case Class::Tag:
                if (pgn::is_tag(p)) {  // the next game's
                    ended_ = true;
                    return p;
                }
                ++p;
                break;
            case Class::Star:
                ended_ = true;
                marker_ = pgn::Outcome{};
                return p + 1;
        }
    }
    return p;
}

const char* PgnGameParser::read_move(const char* text, const PieceLetters& letters) {
    SanParts parts;
    const char* p = read_san(text, letters, parts);
    if (!p) return read_word(text, letters);
    while (is_suffix(*p)) ++p;
    if (!ends_word(*p)) return read_word(text, letters);
    if (trouble_) return p;
    const Move move = replay_.find(parts);
    if (!move.exists()) return read_word(text, letters);
    play(move);
    return p;
}

const char* PgnGameParser::read_castling(const char* text) {
    if (text[1] != '-' || text[2] != 'O') return read_word(text, kEnglish);
    const bool queenside = text[3] == '-' && text[4] == 'O';
    const char* p = text + (queenside ? 5 : 3);
    while (is_suffix(*p)) ++p;
    if (!ends_word(*p)) return read_word(text, kEnglish);
    if (trouble_) return p;
    const Move move = replay_.find_castling(queenside ? Wing::Queen : Wing::King);
    if (!move.exists()) return read_word(text, kEnglish);
    play(move);
    return p;
}

// 12. and 12... and 12 are numbers of moves, 1-0 and 0-0 are not.
const char* PgnGameParser::read_number(const char* text, const PieceLetters& letters) {
    const char* p = text;
    while (std::isdigit(std::uint8_t(*p))) ++p;
    if (*p == '.') {
        while (*p == '.') ++p;
        return p;
    }
    const bool zeros = p - text == 4 && std::string_view(text, 4) == "0000";
    const bool number = !zeros && (ends_word(*p) || class_of(*p) == Class::Move || class_of(*p) == Class::Castling);
    return number && (whole_ || p < end_) ? p : read_word(text, letters);
}

const char* PgnGameParser::word_end(const char* text) const {
    const char* p = text;
    while (!ends_word(*p)) ++p;
    // e8(Q) is one word.
    if (*p == '(' && p > text && std::isdigit(std::uint8_t(p[-1])) && std::isupper(std::uint8_t(p[1])) && p[2] == ')') {
        p += 3;
        while (is_suffix(*p)) ++p;
    }
    return p;
}

const char* PgnGameParser::read_word(const char* text, const PieceLetters& letters) {
    const char* end = std::max(word_end(text), text + 1);
    if (end >= end_ && !whole_) return end_;  // perhaps there is more of it
    const std::string_view word(text, std::size_t(end - text));
    if (const auto outcome = pgn::read_outcome(word.substr(0, 8)); outcome && word.size() <= 8) {
        ended_ = true;
        marker_ = outcome;
    } else if (!trouble_) {
        play_word(text, word, letters);
    }
    return end;
}

void PgnGameParser::play_word(const char* text, std::string_view word, const PieceLetters& letters) {
    if (pgn::is_null_move(word)) return play_null_move(text);
    const pgn::Spelled spelled = pgn::read_any_move(replay_, word, letters);
    if (spelled.move.exists()) return play(spelled.move);
    if (spelled.why == pgn::Why::Unreadable && pgn::is_remark(word)) return;
    const bool capital = std::isupper(std::uint8_t(word[0])) && word[0] != 'O';
    maybe_foreign_ = capital && word.size() > 2 && &letters == &kEnglish;
    complain_move(text, word,
                  spelled.why == pgn::Why::Illegal     ? "is not legal"
                  : spelled.why == pgn::Why::Ambiguous ? "is ambiguous"
                                                       : "is no move");
}

void PgnGameParser::play_null_move(const char* text) {
    if (replay_.in_check()) return complain_move(text, "--", "is not legal in check");
    play(Move::none());
}

void PgnGameParser::play(Move move) {
    if (record_.moves.size() == kMaxPlies) return complain(begin_, "more than 12000 half-moves");
    record_.moves.push_back(move);
    replay_.play(move);
}

void PgnGameParser::complain_move(const char* where, std::string_view word, const char* why) {
    complain(where, std::to_string(replay_.fullmove_number()) + (replay_.turn() == Color::White ? ". " : "... ") +
                        shown(word) + " " + why);
}

const char* PgnGameParser::read_comment(const char* text) {
    const void* close = std::memchr(text, '}', std::size_t(end_ - text));
    if (!close) {
        complain(text, "a comment is never closed");
        return end_;
    }
    const char* end = static_cast<const char*>(close);
    last_comment_ = {text + 1, std::size_t(end - text - 1)};
    const pgn::Remarks remarks = pgn::read_remarks(last_comment_, replay_.turn());
    const std::size_t plies = record_.moves.size();
    if (remarks.value != kNoValue && record_.values.size() <= plies) {
        record_.values.resize(plies, kNoValue);
        record_.values.push_back(remarks.value);
    }
    if (remarks.clock != kNoClock && plies > 0 && record_.clocks.size() < plies) {
        record_.clocks.resize(plies - 1, kNoClock);
        record_.clocks.push_back(remarks.clock);
    }
    return end + 1;
}

const char* PgnGameParser::skip_variation(const char* text) {
    int depth = 0;
    for (const char* p = text; p < end_; ++p) {
        if (*p == '(') {
            ++depth;
        } else if (*p == ')') {
            if (--depth == 0) return p + 1;
        } else if (*p == ';') {
            p = skip_line(p) - 1;
        } else if (*p == '{') {
            const void* close = std::memchr(p, '}', std::size_t(end_ - p));
            if (!close) break;
            p = static_cast<const char*>(close);
        }
    }
    complain(text, "a variation is never closed");
    return end_;
}

const char* PgnGameParser::skip_line(const char* text) const {
    while (text < end_ && *text != '\n' && *text != '\r') ++text;
    return text;
}

const char* PgnGameParser::read_foreign(const char* moves, const char* rest) {
    const std::string reason = reason_;
    const char* const trouble = trouble_;
    const bool ended = ended_;
    const auto attempt = [this, moves](const PieceLetters& letters) {
        forget_moves();
        trouble_ = nullptr;
        set_up(moves);
        return read_moves(moves, letters);
    };
    std::vector<Move> found;
    const PieceLetters* language = nullptr;
    for (const PieceLetters& letters : pgn::languages()) {
        attempt(letters);
        if (trouble_) continue;
        if (language && record_.moves != found) {  // it means one thing here and another there
            language = nullptr;
            break;
        }
        language = &letters;
        found = record_.moves;
    }
    if (language) return attempt(*language);
    reason_ = reason;
    trouble_ = trouble;
    ended_ = ended;
    return rest;
}

}  // namespace okapi
