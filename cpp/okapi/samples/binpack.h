// Stockfish's .binpack: positions of a game one after the other, each stored as the move that led to it and how the
// score changed; about two and a half bytes each. docs/reference/samples.md says what stands where.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "okapi/samples/packed.h"

namespace okapi {

// What stands in a block, behind its header. A chain that cannot be read hides all that follow in its block.
struct BinpackRead {
    std::vector<Sample> samples{};  // Sample::value is the file's score, whatever its unit; Sample::game the chain
    std::uint32_t chains = 0;
    std::string trouble{};   // why reading ended early; empty: it did not
    std::size_t offset = 0;  // of that, in bytes
};

BinpackRead read_binpack(std::span<const std::uint8_t> block, std::uint32_t first_game);

// Blocks with their headers. Samples that follow each other by a move become one chain.
struct BinpackWritten {
    std::string bytes{};
    std::vector<std::size_t> refused{};  // samples that it cannot hold: no result, Chess960, no legal move or position
};

BinpackWritten write_binpack(std::span<const Sample> samples);

}  // namespace okapi
