// Quiet moves that give check.
#pragma once

#include "okapi/chess/position.h"

namespace okapi {

// In the order of legal_moves(), without asking every one of these.
MoveList quiet_checks(const Position& position);

}  // namespace okapi
