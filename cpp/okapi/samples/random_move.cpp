#include "okapi/samples/random_move.h"

namespace okapi {

std::optional<PackedPosition> after_random_move(const PackedPosition& packed, std::uint64_t dice) {
    Position position = unpack(packed);
    const MoveList moves = legal_moves(position);
    if (moves.empty()) return std::nullopt;
    position.play(moves[int(dice % std::uint64_t(moves.size()))]);
    return pack(position);
}

}  // namespace okapi
