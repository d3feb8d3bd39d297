// The inner loops of convolutional networks, for each set of instructions that a machine may have; the choice is made
// when the program runs, as in kernels.h. Numbers lie channel by channel: vectors hold several channels of one square.
#pragma once

#include <cstddef>
#include <span>

namespace okapi {

// Channels that are computed together. Weights of so many outputs lie beside each other: a panel is [input][kPanel].
inline constexpr std::size_t kPanel = 32;
constexpr std::size_t whole_panels(std::size_t channels) { return (channels + kPanel - 1) / kPanel * kPanel; }

// A board of 8x8 squares is cut into 2x2 tiles of 4x4 squares. Seen with a border of one square, each has 6x6 numbers,
// and as many frequencies: numbers in which convolving is multiplying (Winograd's F(4x4, 3x3)).
inline constexpr std::size_t kTiles = 4;
inline constexpr std::size_t kFrequencies = 36;

// Where the numbers of tiles and frequencies lie: steps from one to the next.
struct TileSteps {
    std::size_t tile, frequency;
};

// What happens to a sum: `bias` is added, then `add` where there is any (it lies as the output does), then relu.
struct Finish {
    const float* bias;
    const float* add;
    bool relu;
};

// Arrays of whole panels are aligned (aligned.h).
struct Blocks {
    const char* name;

    // out[r] = rows[r] x panel, or out[r] += that; rows are `depth` numbers long.
    void (*multiply)(const float* rows, std::size_t step, std::size_t count, const float* panel, std::size_t depth,
                     bool add, float* out, std::size_t out_step);
    // The frequencies of the tiles of one board, whose squares are `step` apart.
    void (*to_frequencies)(const float* board, std::size_t step, std::size_t channels, float* out, TileSteps steps);
    // A panel of channels of one board, out of the frequencies of its tiles.
    void (*from_frequencies)(const float* tiles, TileSteps steps, Finish finish, float* board, std::size_t step);
};

// All that this machine can run, the slowest first: "plain", "avx2", "avx512".
std::span<const Blocks> known_blocks();
inline const Blocks& best_blocks() { return known_blocks().back(); }

}  // namespace okapi
