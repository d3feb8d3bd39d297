// piece-square: which piece stands where, once as each side sees the board. The input of the NNUE.
#pragma once

#include <algorithm>
#include <cstdint>

#include "okapi/encode/board.h"

namespace okapi::encode {

class PieceSquare {
public:
    static constexpr int kPlain = 768;  // own and enemy pieces x 6 kinds x 64 squares
    static constexpr int kMaxActive = 32;

    // `mirror`: files are turned round where a side's own king stands on e to h, so that it never does.
    // `buckets`: by the square of its own king as that side sees it, which copy of the 768 features is used.
    PieceSquare(bool mirror, const std::array<std::uint8_t, 64>& buckets)
        : mirror_(mirror), buckets_(buckets), features_(kPlain * (1 + *std::ranges::max_element(buckets))) {}

    int features() const { return features_; }

    // The indices of what is there, for the side to move and then for its opponent: 2 x 32, padded with features().
    void write_indices(const Board& board, std::int32_t* out) const {
        std::fill_n(out, 2 * kMaxActive, features_);
        for (Color side : {board.turn(), ~board.turn()}) {
            const View view = seen_by(board, side);
            std::transform(board.men().begin(), board.men().end(), out, view);
            out += kMaxActive;
        }
    }

    // The same as 2 x features() numbers, 1 where something is there.
    template <class T> void write_dense(const Board& board, T* out) const {
        std::fill_n(out, 2 * features_, T(0));
        for (Color side : {board.turn(), ~board.turn()}) {
            const View view = seen_by(board, side);
            for (const PlacedPiece man : board.men()) out[view(man)] = T(1);
            out += features_;
        }
    }

private:
    // How one side sees the board: what to do with a square's bits, and which copy of the features it uses.
    struct View {
        Color side;
        int turned;
        int offset;

        int operator()(const PlacedPiece& man) const {
            const int enemy = man.piece.color() != side;
            return offset + 64 * (6 * enemy + index(man.piece.kind())) + (man.square.index ^ turned);
        }
    };

    View seen_by(const Board& board, Color side) const {
        const Square king = board.king(side);
        const int turned = (side == Color::Black ? 56 : 0) | (mirror_ && king.file() >= File::E ? 7 : 0);
        return {side, turned, kPlain * buckets_[std::size_t(king.index ^ turned)]};
    }

    bool mirror_;
    std::array<std::uint8_t, 64> buckets_;
    int features_;
};

}  // namespace okapi::encode
