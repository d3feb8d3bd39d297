#include "okapi/selfplay/adjudication.h"

#include <cstdlib>

#include "okapi/search/tablebase.h"

namespace okapi {

namespace {

std::optional<Verdict> look_up(const Position& position) {
    if (count(position.pieces()) > tablebase::max_pieces()) return std::nullopt;
    const std::optional<tablebase::Wdl> known = tablebase::probe(position);
    if (!known) return std::nullopt;
    // A win that the fifty-move rule spoils is a draw.
    const bool won = *known == tablebase::Wdl::Win, lost = *known == tablebase::Wdl::Loss;
    if (!won && !lost) return Verdict{Result::Draw, Ending::Tablebase};
    return Verdict{won == (position.turn() == Color::White) ? Result::WhiteWins : Result::BlackWins, Ending::Tablebase};
}

}  // namespace

void Adjudicator::add(int value, const Position& position) {
    ++plies_;
    const int white = position.turn() == Color::Black ? value : -value;
    const int ahead = !asked_.resign_score || std::abs(white) < *asked_.resign_score ? 0 : white > 0 ? 1 : -1;
    ahead_ = ahead_ * ahead > 0 ? ahead_ + ahead : ahead;
    const bool even = asked_.draw_score && std::abs(white) <= *asked_.draw_score && position.halfmove_clock() > 0 &&
                      position.fullmove_number() >= asked_.draw_after;
    even_ = even ? even_ + 1 : 0;
}

std::optional<Verdict> Adjudicator::verdict(const Position& position) const {
    if (const std::optional<Ending> by_rule = ending(position)) return Verdict{result(position, *by_rule), *by_rule};
    if (asked_.tablebases)
        if (const std::optional<Verdict> known = look_up(position)) return known;
    if (asked_.resign_score && ahead_ != 0 && std::abs(ahead_) >= 2 * asked_.resign_moves)
        return Verdict{ahead_ > 0 ? Result::WhiteWins : Result::BlackWins, Ending::AgreedWin};
    if (asked_.draw_score && even_ > 0 && even_ >= 2 * asked_.draw_moves)
        return Verdict{Result::Draw, Ending::AgreedDraw};
    if (asked_.max_plies > 0 && plies_ >= asked_.max_plies) return Verdict{Result::Draw, Ending::TooLong};
    return std::nullopt;
}

}  // namespace okapi
