// Six small networks rate how well each piece stands: equation 17 of vazquez2012, chapter 4. A position is worth
// material + c * p, summed over the pieces, ours less theirs, where p is what the network of a piece's kind answers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "okapi/eval/evaluator.h"
#include "okapi/eval/linear/pawns.h"
#include "okapi/eval/piece_networks/piece_features.h"

namespace okapi {

// Four inputs, one hidden layer, one output; every node but the inputs is logistic.
struct PieceNetwork {
    static constexpr std::size_t kMaxHidden = 64;

    std::vector<std::array<float, 5>> hidden;  // each node's four weights, and its bias
    std::vector<float> output;                 // a weight for each hidden node, and the bias
    std::array<float, 4> divisors{};           // what the inputs are divided by

    double answer(const PieceInputs& inputs) const;  // 0 to 1
};

// What a piece-networks brain holds. Everything by Kind.
struct PieceNetworksWeights {
    std::array<PieceNetwork, kKinds> networks;
    BishopPawns bishop_pawns{};
    std::array<float, 5> material{};  // centipawns; a king has none
    std::array<float, kKinds> c{};    // centipawns for p = 1
};

// The value for the side to move, straight from the definition: slow, and what the fast sum is held against.
double plain_value(const PieceNetworksWeights& weights, const Position& position);

class PieceNetworks final : public Evaluator {
public:
    explicit PieceNetworks(const PieceNetworksWeights& weights);

    int value(const Position& position) override;
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<PieceNetworks>(*this); }

private:
    // A network whose inputs have too many values to tabulate: eight nodes at a time, and answers are remembered, for
    // most positions of a search have their kings and bishops in common.
    class Quick {
    public:
        Quick(const PieceNetwork& network, float c);
        // c * p. The first three are whole numbers, at most 16,382, 16,383 and 15.
        float worth(int first, int second, int third, float fourth);

    private:
        static constexpr std::size_t kNodes = 8;
        using Row = std::array<float, kNodes>;
        struct Block {
            std::array<Row, 4> weights{};
            Row bias{};
            Row output{};
        };
        struct Answer {
            std::uint64_t inputs = ~std::uint64_t(0);  // of no piece
            float worth = 0;
        };
        static constexpr int kMemoryBits = 12;
        float compute(float first, float second, float third, float fourth) const;

        std::vector<Block> blocks_;
        float bias_ = 0;
        float c_ = 0;
        std::vector<Answer> memory_ = std::vector<Answer>(1 << kMemoryBits);
    };

    // material + c * p in kUnit-ths of a centipawn, for every input that can be.
    struct Tables {
        std::vector<int> queen;      // by square as its side sees it, column type, moves
        std::array<int, 135> rook;   // by rooks on the seventh if it is there (0, 1, 2 or more), column type, moves
        std::array<int, 72> knight;  // by on an operations base, supported, periphery, moves
        std::array<int, 16> pawn;    // by passed, central, isolated, doubled
        int bishop;                  // material alone
    };
    static Tables tables(const PieceNetworksWeights& weights);

    // What depends on pawns alone.
    struct Pawns {
        int units = 0;                                      // White's less Black's
        std::array<Bitboard, 2> reach{};                    // pawn_reach() by colour
        std::array<std::array<float, 2>, 2> obstruction{};  // by a bishop's colour and whether it is on a dark square
    };
    Pawns fresh_pawns(const Position& position) const;

    // Of one side, but for its pawns: what tables know, in units, and what kings and bishops add, in centipawns.
    template <Color us> int tabulated(const Position& position, const Pawns& pawns) const;
    template <Color us> float computed(const Position& position, const Pawns& pawns);

    Tables tables_;
    Quick king_;
    Quick bishop_;
    BishopPawns bishop_pawns_;
    PawnMemory<Pawns> pawns_;
};

}  // namespace okapi
