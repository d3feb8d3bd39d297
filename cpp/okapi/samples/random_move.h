// Positions that no game reached: one random move away from those that were played, as in lai2015, section 4.3.
#pragma once

#include <cstdint>
#include <optional>

#include "okapi/samples/packed.h"

namespace okapi {

// The position after one of its legal moves: number `dice` of them, counted round and round. Nothing, if there is none.
std::optional<PackedPosition> after_random_move(const PackedPosition& packed, std::uint64_t dice);

}  // namespace okapi
