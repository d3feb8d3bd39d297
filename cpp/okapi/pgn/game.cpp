#include "okapi/pgn/game.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "okapi/pgn/tags.h"

namespace okapi {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f' || c == '\0'; }

std::string folded(std::string_view text) {
    std::string letters;
    for (char c : text)
        if (std::isalnum(std::uint8_t(c))) letters += char(std::tolower(std::uint8_t(c)));
    return letters;
}

// Standard chess and Chess960 under any of their names; the wild games of the servers only begin elsewhere.
bool is_known_variant(std::string_view variant) {
    const std::string name = folded(variant);
    if (name.starts_with("wild") || name.find("960") != std::string::npos) return true;
    constexpr std::array<std::string_view, 13> kKnown = {"",
                                                         "standard",
                                                         "chess",
                                                         "normal",
                                                         "classical",
                                                         "orthodox",
                                                         "fromposition",
                                                         "fischerandom",
                                                         "fischerrandom",
                                                         "frc",
                                                         "chessfischerrandom",
                                                         "fischerrandomchess",
                                                         "freestyle"};
    return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
}

}  // namespace

PgnGameParser::PgnGameParser() : standard_(record_.start), replay_(standard_) { record_.moves.reserve(512); }

PgnGameParser::Found PgnGameParser::parse(const char* text, const char* end, bool whole) {
    begin_ = text;
    end_ = end;
    whole_ = whole;
    begin();
    const char* moves = read_head(text);
    set_up(moves);
    rest_ = read_moves(moves, kEnglish);
    if (maybe_foreign_) rest_ = read_foreign(moves, rest_);
    const bool cut = !whole_ && !ended_;
    if (cut) rest_ = text;
    return cut ? Found::Nothing : finish();
}

void PgnGameParser::begin() {
    tags_ = 0;
    fen_.clear();
    variant_.clear();
    result_tag_.clear();
    trouble_ = nullptr;
    forget_moves();
}

void PgnGameParser::forget_moves() {
    record_.moves.clear();
    record_.values.clear();
    record_.clocks.clear();
    ended_ = maybe_foreign_ = false;
    marker_.reset();
    last_comment_ = {};
}

PgnGameParser::Found PgnGameParser::finish() {
    const bool moved = !record_.moves.empty();
    if (tags_ == 0 && result_tag_.empty() && fen_.empty() && !moved && !trouble_) return Found::Nothing;
    const int last_number = record_.start.fullmove_number() + int(record_.moves.size() / 2) + 1;
    if (!moved && !marker_ && result_tag_.empty()) complain(begin_, "tags, but no moves and no result");
    if (last_number > 9999) complain(begin_, "a move number is above 9999");
    if (trouble_) return Found::Trouble;
    record_.result = final_result();
    if (!standard_start_ && variant_.empty() && record_.start.is_chess960()) keep_tag(begin_, "Variant", "Chess960");
    record_.tags.resize(tags_);
    if (!record_.values.empty()) record_.values.resize(record_.moves.size() + 1, kNoValue);
    if (!record_.clocks.empty()) record_.clocks.resize(record_.moves.size(), kNoClock);
    return Found::Game;
}

// The tag has priority over a comment.
std::optional<Result> PgnGameParser::final_result() const {
    if (const auto tag = pgn::read_outcome(result_tag_); tag && tag->result) return tag->result;
    return marker_ ? marker_->result : pgn::result_of_comment(last_comment_);
}

void PgnGameParser::complain(const char* where, std::string reason) {
    if (trouble_) return;
    trouble_ = where;
    reason_ = std::move(reason);
}

// --- Tags, and text before a game
// -------------------------------------------------------------------------------------

const char* PgnGameParser::read_head(const char* text) {
    for (const char* p = text; p < end_;) {
        const bool line_start = p == begin_ || p[-1] == '\n' || p[-1] == '\r';
        const bool tagged = tags_ > 0 || !result_tag_.empty() || !fen_.empty();
        if (is_space(*p)) {
            ++p;
        } else if (*p == '[') {
            p = pgn::is_tag(p) ? read_tag(p) : skip_line(p);
        } else if (*p == '%' && line_start) {
            p = skip_line(p);
        } else if (std::string_view(p, std::size_t(end_ - p)).starts_with(kByteOrderMark)) {
            p += kByteOrderMark.size();
        } else if (tagged || begins_game(p)) {
            return p;
        } else if (*p == '{') {
            const void* close = std::memchr(p, '}', std::size_t(end_ - p));
            p = close ? static_cast<const char*>(close) + 1 : end_;
        } else if (*p == ';') {
            p = skip_line(p);
        } else {
            while (p < end_ && !is_space(*p) && *p != '[' && *p != '{') ++p;
        }
    }
    return end_;
}

// Does a game without tags begin here: with the number 1, or a line with a legal move?
bool PgnGameParser::begins_game(const char* text) const {
    if (text[0] == '1' && text[1] == '.') return !std::isdigit(std::uint8_t(text[2]));
    if (text != begin_ && text[-1] != '\n' && text[-1] != '\r') return false;
    SanParts parts;
    const char* end = read_san(text, kEnglish, parts);
    return end && is_space(*end) && standard_.find(parts).exists();
}

const char* PgnGameParser::read_tag(const char* text) {
    const pgn::TagText tag = pgn::read_tag(text);
    if (tag.value.size() > kMaxTagBytes)
        complain(text, "a tag of more than 32 KiB");
    else if (tags_ == kMaxTags)
        complain(text, "more than 250 tags");
    else
        keep_tag(text, tag.name, tag.value);
    return tag.end;
}

void PgnGameParser::keep_tag(const char* where, std::string_view name, std::string_view value) {
    // Files repeat the names of their first game in all others, in the same order.
    const bool as_before = tags_ < record_.tags.size() && record_.tags[tags_].first == name;
    if (!as_before) name = pgn::usual_name(name);
    const auto keep_special = [&](std::string& kept) {
        if (kept.empty()) pgn::decode_value(value, kept);
    };
    if (name == "Result") return keep_special(result_tag_);
    if (name == "FEN") return keep_special(fen_);
    if (name == "SetUp") return;
    std::size_t place = 0;
    while (place < tags_ && record_.tags[place].first != name) ++place;
    if (place < tags_) {  // repeated: the first that is not empty counts
        const std::string& kept = record_.tags[place].second;
        if (!kept.empty() && kept != "?") return;
    } else {
        if (tags_ == record_.tags.size()) record_.tags.emplace_back();
        if (!as_before) record_.tags[tags_].first.assign(name);
        ++tags_;
    }
    pgn::decode_value(value, record_.tags[place].second);
    if (name != "Variant") return;
    variant_ = record_.tags[place].second;
    if (!is_known_variant(variant_)) complain(where, "the variant " + variant_ + " is not read");
}

void PgnGameParser::set_up(const char* where) {
    const bool given = !fen_.empty() && fen_ != "?" && fen_ != "-" && fen_ != kStartFen;
    if (given) {
        try {
            record_.start = Position::from_fen(fen_);
            standard_start_ = false;
            replay_ = Replay(record_.start);
            return;
        } catch (const InvalidFen& error) {
            complain(where, error.what());
        }
    }
    if (!standard_start_) record_.start = Position::start();
    standard_start_ = true;
    replay_ = standard_;
}

}  // namespace okapi
