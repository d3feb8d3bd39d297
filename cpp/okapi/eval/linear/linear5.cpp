#include "okapi/eval/linear/linear5.h"

#include "okapi/eval/linear/units.h"

namespace okapi {

int count_pawn_moves(const Position& position, Bitboard pawns, Color color) {
    const Bitboard empty = ~position.pieces();
    const Bitboard enemies = position.pieces(~color);
    const Bitboard third = bits(seen_by(Rank::Three, color));
    const Bitboard once = forward(pawns, color) & empty;
    const Bitboard twice = forward(once & third, color) & empty;
    const Bitboard ahead = forward(pawns, color);
    return count(once) + count(twice) + count(east(ahead) & enemies) + count(west(ahead) & enemies);
}

int count_moves(const Position& position, Color color) {
    const Bitboard occupied = position.pieces();
    const Bitboard free = ~position.pieces(color);
    const auto own = [&](Kind kind) { return squares(position.pieces(color, kind)); };

    int moves = count_pawn_moves(position, position.pieces(color, Kind::Pawn), color) +
                count(king_attacks(position.king(color)) & free);
    for (Square square : own(Kind::Knight)) moves += count(knight_attacks(square) & free);
    for (Square square : own(Kind::Bishop)) moves += count(bishop_attacks(square, occupied) & free);
    for (Square square : own(Kind::Rook)) moves += count(rook_attacks(square, occupied) & free);
    for (Square square : own(Kind::Queen)) moves += count(queen_attacks(square, occupied) & free);
    return moves;
}

Linear5::Linear5(const std::array<float, kWeights>& weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights_[i] = to_units(weights[i]);
}

int Linear5::value(const Position& position) {
    const Color us = position.turn();
    int units = weights_[5] * (count_moves(position, us) - count_moves(position, ~us));
    for (int kind = 0; kind < 5; ++kind)
        units += weights_[std::size_t(kind)] *
                 (count(position.pieces(us, Kind(kind))) - count(position.pieces(~us, Kind(kind))));
    return from_units(units);
}

Material::Material(const std::array<float, 5>& weights) {
    for (std::size_t kind = 0; kind < weights.size(); ++kind) weights_[kind] = to_units(weights[kind]);
}

int Material::value(const Position& position) {
    const Color us = position.turn();
    int units = 0;
    for (int kind = 0; kind < 5; ++kind)
        units += weights_[std::size_t(kind)] *
                 (count(position.pieces(us, Kind(kind))) - count(position.pieces(~us, Kind(kind))));
    return from_units(units);
}

}  // namespace okapi
