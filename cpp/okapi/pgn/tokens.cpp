#include "okapi/pgn/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace okapi::pgn {

namespace {

constexpr std::array kLanguages = {
    piece_letters("SLTDK"),  // German, Danish, Norwegian, Swedish, Croatian
    piece_letters("CFTDR"),  // French
    piece_letters("CATDR"),  // Spanish, Italian, Catalan
    piece_letters("CBTDR"),  // Portuguese
    piece_letters("PLTDK"),  // Dutch
    piece_letters("SGWHK"),  // Polish
    piece_letters("JSVDK"),  // Czech, Slovak
    piece_letters("HFBVK"),  // Hungarian
    piece_letters("RLTDK"),  // Finnish
    piece_letters("CNTDR"),  // Romanian
};

struct Replacement {
    std::string_view from, to;
};
// Characters beyond ASCII: figurines of both colours, Russian letters, dashes, signs. King before knight in Russian.
constexpr std::array kReplacements = {
    Replacement{"♔", "K"},  Replacement{"♕", "Q"}, Replacement{"♖", "R"},   Replacement{"♗", "B"},
    Replacement{"♘", "N"},  Replacement{"♙", ""},  Replacement{"♚", "K"},   Replacement{"♛", "Q"},
    Replacement{"♜", "R"},  Replacement{"♝", "B"}, Replacement{"♞", "N"},   Replacement{"♟", ""},
    Replacement{"Кр", "K"}, Replacement{"Ф", "Q"}, Replacement{"Л", "R"},   Replacement{"С", "B"},
    Replacement{"К", "N"},  Replacement{"×", "x"}, Replacement{"–", "-"},   Replacement{"—", "-"},
    Replacement{"−", "-"},  Replacement{"‑", "-"}, Replacement{"½", "1/2"}, Replacement{"\xBD", "1/2"},
};

// The word in ASCII. `foreign`: its piece letters were none of the Latin ones, so they are English now.
std::string plain(std::string_view word, bool* foreign = nullptr) {
    std::string text;
    while (!word.empty()) {
        if (std::uint8_t(word.front()) < 0x80) {
            text += word.front();
            word.remove_prefix(1);
            continue;
        }
        const auto* found = std::find_if(kReplacements.begin(), kReplacements.end(),
                                         [&](const Replacement& r) { return word.starts_with(r.from); });
        if (found == kReplacements.end()) {
            text += word.front();
            word.remove_prefix(1);
            continue;
        }
        text += found->to;
        if (foreign && found->to.size() == 1 && std::isupper(found->to[0])) *foreign = true;
        word.remove_prefix(found->from.size());
    }
    return text;
}

bool drop_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

std::string_view without_remarks(std::string_view text) {
    const auto drop_one = [&text] {
        for (std::string_view end : {"e.p.", "e.p", "ep", "ep.", "mate", "dbl", "ch"})
            if (text.size() > end.size() + 1 && drop_suffix(text, end)) return true;
        constexpr std::string_view kSigns = "+-/#!?=,.";
        const bool sign = !text.empty() && (kSigns.find(text.back()) != std::string_view::npos ||
                                            std::uint8_t(text.back()) >= 0x80);  // such as ± or ∞
        if (sign) text.remove_suffix(1);
        return sign;
    };
    while (drop_one()) {
    }
    return text;
}

// e8(Q), e8/Q and e8=Q are one; X is x; a pawn needs no letter.
std::string in_one_spelling(std::string_view text, const PieceLetters& letters) {
    std::string spelled;
    for (char c : text) {
        if (c == '(' || c == '/') c = '=';
        if (c == ')') continue;
        spelled += c == 'X' ? 'x' : c;
    }
    if (spelled.size() > 2 && spelled[0] == 'P' && letters['P'] < 0) spelled.erase(0, 1);
    // A small letter behind the last square promotes: e7e8q.
    if (const char last = spelled.empty() ? '\0' : spelled.back(); spelled.size() > 3 && std::islower(last)) {
        const char digit =
            spelled[spelled.size() - 2] == '=' ? spelled[spelled.size() - 3] : spelled[spelled.size() - 2];
        if (digit == '1' || digit == '8') spelled.back() = char(std::toupper(last));
    }
    return spelled;
}

std::optional<Wing> castling_wing(std::string_view text) {
    std::string bare;
    for (char c : text) {
        if (c == '-') continue;
        if (c != 'O' && c != '0' && c != 'o') return std::nullopt;
        bare += 'O';
    }
    if (bare == "OO") return Wing::King;
    if (bare == "OOO") return Wing::Queen;
    return std::nullopt;
}

// One reading of the text. Squares alone (g1f3, e1g1) mean whatever piece stands there.
Spelled read_spelled(const Replay& replay, const std::string& text, const PieceLetters& letters) {
    SanParts parts;
    const char* end = read_san(text.c_str(), letters, parts);
    if (!end || *end != '\0') return {Move::none(), Why::Unreadable};
    const bool from_known = count(parts.from) == 1;
    if (from_known && parts.kind == Kind::Pawn)
        if (const Piece piece = replay.at(first(parts.from)); piece.exists()) parts.kind = piece.kind();
    if (const Move move = replay.find(parts); move.exists()) return {move};
    if (from_known && parts.kind == Kind::King && first(parts.from) == replay.king(replay.turn())) {
        const Wing wing = parts.to.index > first(parts.from).index ? Wing::King : Wing::Queen;
        const Move castling = replay.find_castling(wing);
        const File file = wing == Wing::King ? File::G : File::C;
        if (castling.exists() && (parts.to == castling.to() || parts.to.file() == file)) return {castling};
    }
    int fitting = 0;
    for (Square from : squares(replay.reaching(parts.kind, parts.to) & parts.from))
        fitting += replay.is_safe(from, parts.to);
    return {Move::none(), fitting > 1 ? Why::Ambiguous : Why::Illegal};
}

bool equal_folded(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return std::tolower(std::uint8_t(x)) == std::tolower(std::uint8_t(y)); });
}

bool contains_folded(std::string_view text, std::string_view part) {
    for (std::size_t i = 0; i + part.size() <= text.size(); ++i)
        if (equal_folded(text.substr(i, part.size()), part)) return true;
    return false;
}

}  // namespace

bool is_tag(const char* text) {
    if (text[0] != '[' || !std::isalpha(std::uint8_t(text[1]))) return false;
    constexpr int kLongestName = 64;
    int i = 2;
    while (i < kLongestName && (std::isalnum(std::uint8_t(text[i])) || text[i] == '_' || text[i] == '-')) ++i;
    return text[i] == ' ' || text[i] == '\t' || text[i] == '"';
}

std::optional<Outcome> read_outcome(std::string_view word) {
    std::string text = plain(word);
    while (!text.empty() && (text.back() == '.' || text.back() == ',')) text.pop_back();
    std::replace(text.begin(), text.end(), ':', '-');
    if (text == "*") return Outcome{};
    if (text == "1-0" || text == "1-O") return Outcome{Result::WhiteWins};
    if (text == "0-1" || text == "O-1") return Outcome{Result::BlackWins};
    if (text == "1/2-1/2" || text == "1/2" || text == "0.5-0.5") return Outcome{Result::Draw};
    return std::nullopt;
}

std::optional<Result> result_of_comment(std::string_view comment) {
    const auto says = [comment](std::string_view part) { return contains_folded(comment, part); };
    for (std::string_view loss : {" resigns", " checkmated", " forfeits", " ran out of time"}) {
        if (says("White" + std::string(loss))) return Result::BlackWins;
        if (says("Black" + std::string(loss))) return Result::WhiteWins;
    }
    if (says("game drawn") || says("drawn by") || says("draw agreed")) return Result::Draw;
    return std::nullopt;
}

bool is_null_move(std::string_view word) {
    for (std::string_view name : {"--", "Z0", "null", "pass", "@@@@", "0000"})
        if (equal_folded(word, name)) return true;
    return false;
}

bool is_remark(std::string_view word) {
    for (std::string_view name : {"ep", "e.p.", "e.p", "ch", "check", "dbl", "mate", "N", "D", "TN", "+/=", "=/+"})
        if (word == name) return true;
    return std::none_of(word.begin(), word.end(), [](char c) { return std::isalnum(std::uint8_t(c)) || c == '@'; }) &&
           word != "--" && plain(word) == word;
}

Spelled read_any_move(const Replay& replay, std::string_view word, const PieceLetters& letters) {
    constexpr std::size_t kLongestMove = 24;
    if (word.size() > kLongestMove) return {Move::none(), Why::Unreadable};
    bool foreign = false;
    const std::string ascii = plain(word, &foreign);
    const PieceLetters& known = foreign ? kEnglish : letters;
    const std::string_view bare = without_remarks(ascii);
    if (const std::optional<Wing> wing = castling_wing(bare)) {
        const Move move = replay.find_castling(*wing);
        return {move, move.exists() ? Why::Fine : Why::Illegal};
    }
    std::string text = in_one_spelling(bare, known);
    const Spelled as_it_stands = read_spelled(replay, text, known);
    if (as_it_stands.move.exists()) return as_it_stands;
    // A small letter for a piece. b is a pawn's file first.
    if (!text.empty() && std::islower(std::uint8_t(text[0])) && known[std::size_t(std::toupper(text[0]))] >= 0) {
        text[0] = char(std::toupper(text[0]));
        const Spelled as_piece = read_spelled(replay, text, known);
        if (as_piece.move.exists() || as_it_stands.why == Why::Unreadable) return as_piece;
    }
    return as_it_stands;
}

std::span<const PieceLetters> languages() { return kLanguages; }

}  // namespace okapi::pgn
