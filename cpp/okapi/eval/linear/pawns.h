// What depends on pawns alone: their factors, and the squares they will ever guard. Remembered by pawn key.
#pragma once

#include <array>
#include <vector>

#include "okapi/chess/position.h"

namespace okapi {

// Own pawns with each of the thesis' four properties. A pawn can have several.
struct PawnFactors {
    Bitboard doubled = 0;   // another own pawn on the same file
    Bitboard isolated = 0;  // no own pawn on a file beside it
    Bitboard central = 0;   // on c, d, e or f, fourth or fifth rank
    Bitboard passed = 0;    // no enemy pawn ahead on its file or one beside it
};
PawnFactors pawn_factors(Bitboard own, Bitboard enemy, Color color);

struct PawnStructure {
    int units = 0;                    // material and properties, White's less Black's, in kUnit-ths of a centipawn
    std::array<Bitboard, 2> reach{};  // pawn_reach() by colour
};

// In kUnit-ths of a centipawn, for one pawn.
struct PawnWeights {
    int pawn = 0;
    int doubled = 0;
    int isolated = 0;
    int central = 0;
    int passed = 0;
};

PawnStructure pawn_structure(const Position& position, const PawnWeights& weights);

// A direct-mapped memory of what depends on pawns alone: a newer structure takes the place of an older. The key of no
// pawns is 0, so a Structure as it is made has to be right for no pawns.
template <class Structure> class PawnMemory {
public:
    template <class Fresh> const Structure& at(const Position& position, Fresh fresh) {
        Entry& entry = entries_[position.pawn_key() & (kSize - 1)];
        if (entry.key != position.pawn_key()) entry = {position.pawn_key(), fresh()};
        return entry.structure;
    }

private:
    struct Entry {
        Key key = 0;
        Structure structure;
    };
    static constexpr std::size_t kSize = 1 << 13;

    std::vector<Entry> entries_ = std::vector<Entry>(kSize);
};

class PawnTable {
public:
    explicit PawnTable(const PawnWeights& weights) : weights_(weights) {}
    const PawnStructure& at(const Position& position) {
        return memory_.at(position, [&] { return pawn_structure(position, weights_); });
    }

private:
    PawnWeights weights_;
    PawnMemory<PawnStructure> memory_;
};

}  // namespace okapi
