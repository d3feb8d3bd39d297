#include "okapi/samples/traits.h"

namespace okapi {

namespace {

Traits of_position(const Position& position) {
    Traits found = 0;
    if (position.in_check()) found = found | Trait::InCheck;
    if (!has_legal_move(position)) found = found | (position.in_check() ? Trait::Checkmate : Trait::Stalemate);
    if (position.is_insufficient_material()) found = found | Trait::Insufficient;
    if (position.is_chess960()) found = found | Trait::Chess960;
    return found;
}

Traits of_move(const Position& position, Move move) {
    if (!position.is_legal(move)) return Traits(Trait::Illegal);
    Traits found = 0;
    if (position.is_capture(move)) found = found | Trait::Capture;
    if (move.promotes()) found = found | Trait::Promotion;
    if (position.gives_check(move)) found = found | Trait::Check;
    return found;
}

}  // namespace

Traits traits(const PackedPosition& packed, Move move) {
    try {
        const Position position = unpack(packed);
        return Traits(of_position(position) | (move.exists() ? of_move(position, move) : 0));
    } catch (const InvalidPosition&) {
        return Traits(Trait::Broken);
    }
}

}  // namespace okapi
