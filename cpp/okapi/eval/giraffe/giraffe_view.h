// The board that Giraffe's features are made of: as White sees it, or as the side to move does.
#pragma once

#include "okapi/chess/position.h"

namespace okapi::giraffe {

struct View {
    std::array<std::array<Bitboard, kKinds>, 2> pieces;  // White's, Black's
    std::array<std::uint8_t, 2> castling;                // of either side: 1 towards h, 2 towards a
    bool white_to_move;

    // Turned round: colours exchanged, the first rank the eighth.
    View turned() const;
};
View seen_by_white(const Position& position);
// As if White were to move: turned round where Black is.
View seen_by_mover(const Position& position);

}  // namespace okapi::giraffe
