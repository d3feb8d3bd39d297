// Words of PGN movetext as the world writes them: results, null moves, castling, and SAN in all its spellings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "okapi/chess/ending.h"
#include "okapi/chess/replay.h"
#include "okapi/chess/san.h"

namespace okapi::pgn {

// Is this the beginning of a tag pair: [Name followed by a blank? `text` ends in NUL.
bool is_tag(const char* text);

struct Outcome {
    std::optional<Result> result;  // nothing: *
};
// 1-0, 0-1, 1/2-1/2, 1/2, ½-½, 1:0 and *; nothing, where it is no such thing.
std::optional<Outcome> read_outcome(std::string_view word);
// What FICS and ICC write instead: Black resigns, Game drawn by repetition.
std::optional<Result> result_of_comment(std::string_view comment);

bool is_null_move(std::string_view word);
// Signs and words that tell about the move before them: !?, +-, e.p., mate.
bool is_remark(std::string_view word);

enum class Why : std::uint8_t { Fine, Unreadable, Illegal, Ambiguous };
struct Spelled {
    Move move;
    Why why = Why::Fine;
};
// A move in any spelling; slow, for what read_san() does not understand.
Spelled read_any_move(const Replay& replay, std::string_view word, const PieceLetters& letters);

// Piece letters of other languages, for games that make no sense in English.
std::span<const PieceLetters> languages();

}  // namespace okapi::pgn
