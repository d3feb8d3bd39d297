// Moves as two small symbols: which piece, and which of its steps. Each has a Huffman code that depends on what is
// plain to see in the position, so that a move takes about five bits and no legal moves have to be found to read it.
// docs/reference/store.md has all symbols and contexts.
#pragma once

#include <cstdint>
#include <vector>

#include "okapi/chess/replay.h"
#include "okapi/utils/bits.h"
#include "okapi/utils/huffman.h"

namespace okapi {

// What the code of a piece depends on besides the position.
struct GameContext {
    int ply = 0;
    int last = 6, before_last = 6;  // kinds that moved; 6: none
    bool captured = false;          // by the last move

    // Before `move` is played.
    void note(const Replay& position, Move move);
};

inline constexpr std::size_t kPieceSymbols = 116, kPieceContexts = 84;
inline constexpr std::size_t kStepSymbols = 28, kStepContexts = 584;

struct MoveSymbols {
    std::uint16_t piece_context, piece;
    std::uint16_t step_context, step;  // castling and null moves have no step
};

// Throws std::invalid_argument where no piece of the side to move could make that move.
MoveSymbols symbols_of(const Replay& position, const GameContext& context, Move move);

// Counts how often each symbol is needed, makes the codes, and writes.
class MoveEncoder {
public:
    MoveEncoder();
    void count(const MoveSymbols& symbols);
    // Begins all over with what was counted; writes the codes themselves.
    void make_codes(BitWriter& out);
    void write(BitWriter& out, const MoveSymbols& symbols) const;

private:
    std::vector<std::uint32_t> pieces_, steps_;
    std::vector<huffman::Encoder<kPieceSymbols>> piece_codes_;
    std::vector<huffman::Encoder<kStepSymbols>> step_codes_;
};

class MoveDecoder {
public:
    MoveDecoder() = default;
    explicit MoveDecoder(BitReader& in);
    // Throws InvalidStore where the bits are no move. The move may be illegal in a corrupt file, but never so that
    // playing it would do harm.
    Move read(BitReader& in, const Replay& position, const GameContext& context) const;

private:
    std::vector<huffman::Decoder<kPieceSymbols>> pieces_;
    std::vector<huffman::Decoder<kStepSymbols>> steps_;
};

}  // namespace okapi
