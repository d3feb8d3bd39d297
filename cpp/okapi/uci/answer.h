// One `go`, from the request to bestmove, on the search thread.
#pragma once

#include <functional>

#include "okapi/chess/position.h"
#include "okapi/search/limits.h"
#include "okapi/search/search.h"
#include "okapi/uci/book.h"
#include "okapi/uci/options.h"
#include "okapi/uci/predicted_moves.h"
#include "okapi/uci/writer.h"

namespace okapi::uci {

struct SearchRequest {
    Position position;
    Limits limits;
    Settings settings;
    const PredictedMoves* people = nullptr;  // who choose the move; the search only says what it is worth
};

// Searches and writes exactly one bestmove, also after an error; just before it, calls `about_to_answer`. Does not
// throw.
void answer(const SearchRequest& request, Search& search, const Book& book, Writer& writer,
            const std::function<void()>& about_to_answer);

}  // namespace okapi::uci
