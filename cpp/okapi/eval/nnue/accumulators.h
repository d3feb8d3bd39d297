// The wide first layer of the NNUE, once as each side sees the board, for a position and those that led
// to it. A move is only recorded; sums are computed when they are needed, from the nearest computed ones.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "okapi/eval/changes.h"
#include "okapi/eval/kernels/accumulator_kernels.h"
#include "okapi/utils/aligned.h"

namespace okapi {

// What each man on each square adds: encode/piece_square.h, mirrored, says which row is whose.
struct AccumulatorWeights {
    static constexpr std::size_t kRows = 768;

    std::size_t neurons = 0;
    AlignedVector<std::int16_t> rows;  // [kRows][neurons]
    AlignedVector<std::int16_t> bias;  // [neurons]
};

class Accumulators {
public:
    // Both have to outlive this.
    Accumulators(const AccumulatorWeights& weights, const AccumulatorKernels& kernels);

    void reset(const Position& position);
    void push(const Position& before, Move move);
    void pop() { --now_; }
    // The sums for `side`, where reset(), push() and pop() led to `position`. Until anything is called.
    const std::int16_t* seen_by(Color side, const Position& position);

private:
    // How a side sees squares: what to do with their bits.
    using View = std::uint8_t;
    static constexpr View kUpsideDown = 56, kMirrored = 7;

    struct Level {
        Changes changes;  // since the level before
        std::array<View, 2> views;
        std::array<bool, 2> known;
    };
    // What was summed up last for a side and a view. After a king has crossed the board's middle most of it still
    // holds.
    struct Memory {
        std::array<Bitboard, 12> men{};  // by Piece::code
        AlignedVector<std::int16_t> sums;
    };

    static View view(Color side, Square king) {
        return View((side == Color::Black ? kUpsideDown : 0) | (king.file() >= File::E ? kMirrored : 0));
    }
    const std::int16_t* row(Color side, View view, const Man& man) const {
        const int whose = man.piece.color() == side ? 0 : 6;
        return weights_.rows.data() +
               std::size_t(64 * (whose + index(man.piece.kind())) + (man.square.index ^ view)) * weights_.neurons;
    }
    std::int16_t* sums(std::size_t level, Color side) {
        return sums_.data() + (2 * level + std::size_t(side)) * weights_.neurons;
    }
    void update(std::size_t level, Color side);
    void refresh(Color side, const Position& position);

    const AccumulatorWeights& weights_;
    const AccumulatorKernels& kernels_;
    std::vector<Level> levels_;
    AlignedVector<std::int16_t> sums_;               // [levels][sides][neurons]
    std::array<std::array<Memory, 2>, 2> memories_;  // by side, and whether its view is mirrored
    std::size_t now_ = 0;
};

}  // namespace okapi
