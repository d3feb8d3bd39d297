#include "okapi/uci/info_reader.h"

#include <algorithm>
#include <limits>

#include "okapi/chess/text.h"
#include "okapi/uci/tokens.h"

namespace okapi::uci {

namespace {

constexpr int kMostCentipawns = 20000;  // beyond that there are only mates

template <class Number> Number number(std::string_view word, std::int64_t lowest, std::int64_t highest) {
    return Number(std::clamp(parse_number(word).value_or(0), lowest, highest));
}

template <class Number> Number number(std::string_view word) {
    return number<Number>(word, 0, std::numeric_limits<Number>::max());
}

// Some write e7e8Q.
std::string in_small_letters(std::string_view word) {
    std::string text(word);
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return text;
}

Centipawns mate_in(std::string_view word) {
    const int moves = number<int>(word, -9999, 9999);
    return Centipawns(moves > 0 ? kMateValue - moves : -kMateValue - moves);
}

}  // namespace

bool InfoReader::read(std::string_view line) {
    Tokens tokens(line);
    const std::string_view first = tokens.next();
    if (first == "bestmove") {
        answer_ = in_small_letters(tokens.next());
        return true;
    }
    if (first != "info") return false;
    Said said{.is_bound = false};
    std::size_t rank = 1;
    while (!tokens.done()) {
        const std::string_view word = tokens.next();
        if (word == "string") break;
        if (word == "depth") {
            said.depth = number<std::uint8_t>(tokens.next());
        } else if (word == "nodes") {
            nodes_ = number<std::uint32_t>(tokens.next());
        } else if (word == "multipv") {
            rank = number<std::size_t>(tokens.next(), 1, 1000);
        } else if (word == "cp") {
            said.value = number<Centipawns>(tokens.next(), -kMostCentipawns, kMostCentipawns);
        } else if (word == "mate") {
            said.value = mate_in(tokens.next());
        } else if (word == "lowerbound" || word == "upperbound") {
            said.is_bound = true;
        } else if (word == "wdl") {
            for (std::uint16_t& part : said.wdl) part = number<std::uint16_t>(tokens.next(), 0, 1000);
        } else if (word == "pv") {
            said.move = in_small_letters(tokens.next());
            break;
        }
    }
    if (said.value == kNoValue || rank > said_.size()) return false;
    Said& kept = said_[rank - 1];
    if (kept.is_bound || !said.is_bound) kept = std::move(said);
    return false;
}

std::optional<Label> InfoReader::label(const Position& position, std::span<LabelLine> lines) const {
    const std::optional<Move> move = parse_uci(position, answer_);
    if (!move) return std::nullopt;
    const Said& best = said_.front();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::optional<Move> begins = parse_uci(position, said_[i].move);
        lines[i] = begins ? LabelLine{begins->bits, said_[i].value} : LabelLine{};
    }
    return Label{best.value, move->bits, nodes_, best.wdl, best.depth};
}

void InfoReader::forget() {
    std::ranges::fill(said_, Said{});
    nodes_ = 0;
    answer_.clear();
}

}  // namespace okapi::uci
