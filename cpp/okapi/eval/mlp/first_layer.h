// The first layer of a network, kept up to date move by move. What each piece on each square adds to it is known
// beforehand. Sums are whole numbers, so that the way by which a position was reached leaves no trace in them.
#pragma once

#include <array>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/eval/changes.h"
#include "okapi/eval/kernels/kernels.h"
#include "okapi/utils/aligned.h"

namespace okapi {

// A layer as PyTorch has it.
struct DenseLayer {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    std::vector<float> weights;  // [outputs][inputs]
    std::vector<float> bias;     // [outputs]
    Activation activation = Activation::None;
};

// The input of a network: encodings as okapi/encode defines them.
enum class MlpInput { Vector64, Vector65, Bitmap768, Algebraic768 };
struct MlpInputName {
    const char* name;
    std::size_t inputs;
};
inline constexpr std::array<MlpInputName, 4> kMlpInputs = {
    {{"vector-64", 64}, {"vector-65", 65}, {"bitmap-768", 768}, {"algebraic-768", 768}}};

// What each piece adds, shared by all clones of a network.
class FirstWeights {
public:
    FirstWeights(MlpInput input, const DenseLayer& layer);

    std::size_t size() const { return size_; }  // padded
    const std::int32_t* nothing() const { return columns_.data() + kColumns * size_; }
    const std::int32_t* column(Piece piece, Square square) const {
        return columns_.data() + (std::size_t(piece.code) * 64 + square.index) * size_;
    }
    // The layer before its activation.
    void to_floats(const Kernels& kernels, const std::int32_t* sums, Color turn, float* out) const {
        const float sign = turns_ && turn == Color::Black ? -1.0f : 1.0f;
        kernels.to_floats(out, sums, scale_.data(), bias_.data(), sign, size_);
    }

private:
    static constexpr std::size_t kColumns = 12 * 64;

    std::size_t size_;
    bool turns_;  // pieces of the side to move count as plus, the others as minus
    AlignedVector<std::int32_t> columns_;
    AlignedVector<float> scale_;
    AlignedVector<float> bias_;
};

// The sums of one position and of those that led to it. Computed when they are needed.
class FirstSums {
public:
    void reset(const Position& position);
    void push(const Position& before, Move move);
    void pop();
    const std::int32_t* sums(const FirstWeights& weights, const Kernels& kernels);

private:
    struct Level {
        bool known = false;
        Changes changes;  // since the level before
        AlignedVector<std::int32_t> sums;
    };
    void update(Level& level, const Level& before, std::span<const PlacedPiece> arrive,
                std::span<const PlacedPiece> leave, const FirstWeights& weights, const Kernels& kernels);

    std::vector<PlacedPiece> men_;  // at the root
    std::vector<Level> levels_ = std::vector<Level>(1);
    std::size_t now_ = 0;
};

}  // namespace okapi
