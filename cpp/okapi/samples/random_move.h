// Positions that no game reached: one random move away from those that were played, as in lai2015, section 4.3.
#pragma once

#include <cstdint>
#include <optional>

#include "okapi/samples/packed.h"

namespace okapi {

// The position after one of its legal moves: number `choice` of them, modulo their count. Nothing, if there is none.
std::optional<PackedPosition> after_random_move(const PackedPosition& packed, std::uint64_t choice);

}  // namespace okapi
