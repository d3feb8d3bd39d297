// What search learned about moves while searching: which refuted, which never did, and how far the evaluator is off.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "okapi/chess/position.h"
#include "okapi/search/limits.h"

namespace okapi {

// Moves towards ± kLimit, the slower the nearer it is.
template <int kLimit> struct Score {
    std::int16_t value = 0;

    void add(int bonus) {
        bonus = std::clamp(bonus, -kLimit, kLimit);
        value = std::int16_t(value + bonus - value * std::abs(bonus) / kLimit);
    }
    operator int() const { return value; }
};

using MoveScore = Score<16384>;
using ByPieceTo = std::array<std::array<MoveScore, 64>, 12>;  // of a reply: its piece and target

struct Histories {
    std::array<std::array<std::array<MoveScore, 64>, 64>, 2> quiet{};    // colour, from, to
    std::array<std::array<std::array<MoveScore, 6>, 64>, 12> capture{};  // piece, to, captured kind
    std::array<std::array<ByPieceTo, 64>, 12> continuation{};            // earlier piece and target, then ours
    std::array<std::array<Move, 2>, kMaxPly + 4> killers{};

    // Differences between what search found and what the evaluator said, by the pawns and by each side's pieces.
    static constexpr std::size_t kCorrections = 16384;
    using Corrections = std::array<std::array<Score<1024>, kCorrections>, 2>;
    Corrections pawn_correction{};
    std::array<Corrections, 2> piece_correction{};

    void clear() { std::construct_at(this); }  // in place: as a temporary, this is more than some stacks hold
};

inline MoveScore& capture_score(Histories& histories, const Position& position, Move move) {
    const Piece victim = position.captured_by(move);
    const Kind kind = victim.exists() ? victim.kind() : Kind::Pawn;
    return histories.capture[position.at(move.from()).code][move.to().index][std::size_t(kind)];
}

}  // namespace okapi
