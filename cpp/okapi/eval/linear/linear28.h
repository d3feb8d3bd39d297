// The sum of weight * factor / divisor over the factors of vazquez2012, chapter 6: 28 weights, and the pawn, their
// unit.
#pragma once

#include <array>

#include "okapi/eval/evaluator.h"
#include "okapi/eval/linear/factors.h"
#include "okapi/eval/linear/pawns.h"

namespace okapi {

// What a linear-28 brain holds, by Factor.
struct FactorWeights {
    std::array<float, kFactors> weights{};   // centipawns
    std::array<float, kFactors> divisors{};  // how much of the factor earns the whole weight
};

class Linear28 final : public Evaluator {
public:
    explicit Linear28(const FactorWeights& weights);

    int value(const Position& position) override;
    int units(const Position& position);  // White's less Black's, in kUnit-ths of a centipawn, not kept within bounds
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Linear28>(*this); }

private:
    // All in kUnit-ths of a centipawn.
    struct Tables {
        // By number of moves; the piece itself is included.
        std::array<int, 9> knight_moves;
        std::array<int, 14> bishop_moves;
        std::array<int, 15> rook_moves;
        std::array<int, 28> queen_moves;
        std::array<int, 64> knight_square;
        int knight_supported;
        int knight_base;
        std::array<int, 8> column;    // by own pawns on the file (4), theirs (2), an own pawn ahead (1)
        std::array<int, 16> seventh;  // by rooks on the seventh rank
        std::array<int, 9> king_pawns;
        int castled;
        std::array<int, 5> defence;  // by kind, each piece that bears on its own king
        std::array<int, 5> attack;   // by kind, each piece that bears on the enemy king
    };
    static Tables tables(const FactorWeights& weights);
    static PawnWeights pawn_weights(const FactorWeights& weights);

    // Everything but pawn structure, for one side.
    template <Color us> int pieces(const Position& position, const PawnStructure& pawns) const;
    template <Color us> int knights(const Position& position, const PawnStructure& pawns) const;
    template <Color us> int rooks(const Position& position) const;
    template <Color us> int kings(const Position& position) const;

    Tables tables_;
    PawnTable pawns_;
};

}  // namespace okapi
