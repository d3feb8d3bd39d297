#include "okapi/samples/random_move.h"

namespace okapi {

std::optional<PackedPosition> after_random_move(const PackedPosition& packed, std::uint64_t choice) {
    Position position = unpack(packed);
    const MoveList moves = legal_moves(position);
    if (moves.empty()) return std::nullopt;
    position.play(moves[int(choice % std::uint64_t(moves.size()))]);
    return pack(position);
}

}  // namespace okapi
