// Moves as text: UCI ("e2e4", "e7e8q", castling by "e1g1" or "e1h1") and SAN ("Nbxd7+", "O-O", "e8=Q#").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "okapi/chess/move.h"
#include "okapi/chess/position.h"

namespace okapi {

std::string name(Square square);
std::optional<Square> parse_square(std::string_view text);

// `chess960`: write castling as the king taking its rook. Move::none() is "0000".
std::string to_uci(Move move, bool chess960 = false);
// Both ways of writing castling are understood. Nothing, if the text is no legal move here.
std::optional<Move> parse_uci(const Position& position, std::string_view text);

std::string to_san(const Position& position, Move move);
// Forgiving: "e2-e4", "0-0", "e8Q", "Ngf3!?" and "exd6 e.p." are understood. Nothing if no or several moves fit.
std::optional<Move> parse_san(const Position& position, std::string_view text);

}  // namespace okapi
