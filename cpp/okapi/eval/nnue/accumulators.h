// The wide first layer of an NNUE, once as each side sees the board, for a position and those that led
// to it. A move is only recorded; sums are computed when they are needed, from the nearest computed ones.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "okapi/eval/changes.h"
#include "okapi/eval/kernels/accumulator_kernels.h"
#include "okapi/utils/aligned.h"

namespace okapi {

inline constexpr std::size_t kMostNeurons = 1024;

// Which row is whose. By default encode/piece_square.h, mirrored.
struct AccumulatorLayout {
    std::size_t planes = 12;
    std::array<std::uint8_t, 12> plane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // by kind; 6 more for the other's
    bool king_on_right = false;  // files are mirrored so that the own king is on e to h, not on a to d
    std::size_t buckets = 1;
    std::array<std::uint8_t, 64> bucket{};  // by the own king's square, as its side sees it

    std::size_t rows() const { return buckets * planes * 64; }
};

// What each man on each square adds.
struct AccumulatorWeights {
    std::size_t neurons = 0;
    AccumulatorLayout layout{};
    AlignedVector<std::int16_t> rows;  // [layout.rows()][neurons]
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
    // The row of a man for a side whose king stands there.
    std::size_t row_number(Color side, Square king, const PlacedPiece& man) const {
        return row_number(side, view(side, king), man);
    }

private:
    // How a side sees squares: what to do with their bits, and the bucket of its king.
    struct View {
        std::uint8_t flips, bucket;
        bool operator==(const View&) const = default;
    };
    static constexpr std::uint8_t kUpsideDown = 56, kMirrored = 7;

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

    View view(Color side, Square king) const {
        const bool mirrored = (king.file() >= File::E) != weights_.layout.king_on_right;
        const int flips = (side == Color::Black ? kUpsideDown : 0) | (mirrored ? kMirrored : 0);
        return {std::uint8_t(flips), weights_.layout.bucket[std::size_t(king.index ^ flips)]};
    }
    std::size_t row_number(Color side, View view, const PlacedPiece& man) const {
        const AccumulatorLayout& layout = weights_.layout;
        const int whose = man.piece.color() == side ? 0 : 6;
        const std::size_t plane = layout.plane[std::size_t(whose + index(man.piece.kind()))];
        return 64 * (view.bucket * layout.planes + plane) + std::size_t(man.square.index ^ view.flips);
    }
    const std::int16_t* row(Color side, View view, const PlacedPiece& man) const {
        return weights_.rows.data() + row_number(side, view, man) * weights_.neurons;
    }
    std::int16_t* sums(std::size_t level, Color side) {
        return sums_.data() + (2 * level + std::size_t(side)) * weights_.neurons;
    }
    void update(std::size_t level, Color side);
    void refresh(Color side, const Position& position);

    const AccumulatorWeights& weights_;
    const AccumulatorKernels& kernels_;
    std::vector<Level> levels_;
    AlignedVector<std::int16_t> sums_;  // [levels][sides][neurons]
    std::vector<Memory> memories_;      // by bucket, side, and whether its view is mirrored
    std::size_t now_ = 0;
};

}  // namespace okapi
