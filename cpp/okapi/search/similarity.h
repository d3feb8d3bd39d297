// Moves that come to the same: one piece, to squares from which it looks at the same enemies.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "okapi/chess/position.h"

namespace okapi {

// Equal for quiet moves that come to the same, as far as can be seen at once: the same piece, looking at the same
// enemies and at the same squares around their king, chased by a pawn in both places or in neither. Pawns and kings
// change too much by any step: their signatures all differ.
std::uint64_t signature(const Position& position, Move move);

// The signatures of those moves of a node that did not reach alpha.
class Failures {
public:
    bool contain(std::uint64_t signature) const {
        return std::find(signatures_.begin(), signatures_.begin() + size_, signature) != signatures_.begin() + size_;
    }
    void add(std::uint64_t signature) {
        if (size_ < kMost) signatures_[std::size_t(size_++)] = signature;
    }

private:
    static constexpr int kMost = 32;  // later moves are reduced enough as it is

    int size_ = 0;
    std::array<std::uint64_t, kMost> signatures_;  // as far as size_ says
};

}  // namespace okapi
