// Is a position quiet? Asked of every sample that a learner is offered, so it is answered without setting up a
// Position.
#pragma once

#include "okapi/samples/packed.h"

namespace okapi {

// The side to move is not in check, and the move, if there is one, is no capture and no promotion. Any bytes will do;
// those that are no position are not quiet. Whether the move is legal is not looked at.
bool is_quiet(const PackedPosition& packed, Move move);

}  // namespace okapi
