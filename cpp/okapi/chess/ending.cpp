#include "okapi/chess/ending.h"

namespace okapi {

std::string_view name(Result result) {
    switch (result) {
        case Result::BlackWins:
            return "0-1";
        case Result::Draw:
            return "1/2-1/2";
        case Result::WhiteWins:
            return "1-0";
    }
    return "*";
}

std::string_view name(Ending ending) {
    switch (ending) {
        case Ending::Checkmate:
            return "checkmate";
        case Ending::Stalemate:
            return "stalemate";
        case Ending::InsufficientMaterial:
            return "insufficient material";
        case Ending::FiftyMoves:
            return "fifty moves";
        case Ending::Repetition:
            return "threefold repetition";
        case Ending::AgreedWin:
            return "adjudication: both see it decided";
        case Ending::AgreedDraw:
            return "adjudication: both see it drawn";
        case Ending::Tablebase:
            return "adjudication: tablebase";
        case Ending::TooLong:
            return "adjudication: too long";
    }
    return "";
}

std::optional<Ending> ending(const Position& position) {
    if (!has_legal_move(position)) return position.in_check() ? Ending::Checkmate : Ending::Stalemate;
    if (position.is_insufficient_material()) return Ending::InsufficientMaterial;
    if (position.is_fifty_moves()) return Ending::FiftyMoves;
    if (position.earlier_occurrences() >= 2) return Ending::Repetition;
    return std::nullopt;
}

Result result(const Position& position, Ending by_rule) {
    if (by_rule != Ending::Checkmate) return Result::Draw;
    return position.turn() == Color::White ? Result::BlackWins : Result::WhiteWins;
}

}  // namespace okapi
