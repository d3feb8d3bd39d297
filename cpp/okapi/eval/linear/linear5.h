// Material and mobility: equation 18 of vazquez2012, five weights beside the pawn.
#pragma once

#include <array>

#include "okapi/eval/evaluator.h"

namespace okapi {

// Moves of one side as mobility counts them: for each piece the squares it attacks that its own side does not hold, for
// pawns their steps and captures. Pins, checks, castling and en passant play no part.
int count_moves(const Position& position, Color color);
int count_pawn_moves(const Position& position, Bitboard pawns, Color color);  // of some pawns of `color`

// Weights in centipawns: pawn, knight, bishop, rook, queen, and one move more than the opponent has.
class Linear5 final : public Evaluator {
public:
    static constexpr int kWeights = 6;
    explicit Linear5(const std::array<float, kWeights>& weights);

    int value(const Position& position) override;
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Linear5>(*this); }

private:
    std::array<int, kWeights> weights_;  // in kUnit-ths of a centipawn
};

// Weights in centipawns, pawn to queen: 1 3 3 5 9 in the brain that ships.
class Material final : public Evaluator {
public:
    explicit Material(const std::array<float, 5>& weights);

    int value(const Position& position) override;
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Material>(*this); }

private:
    std::array<int, 5> weights_;  // in kUnit-ths of a centipawn
};

}  // namespace okapi
