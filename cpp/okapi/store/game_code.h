// A game's moves and annotations as symbols and integers that a block has codes for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "okapi/chess/game_record.h"
#include "okapi/store/integers.h"
#include "okapi/store/move_code.h"

namespace okapi {

inline constexpr std::size_t kMostPlies = 65535, kMostLine = 255;

// What a game has besides its moves; the sum of some of these.
enum Remarks : std::uint8_t { HasValues = 1, HasClocks = 2, HasBest = 4, HasLines = 8 };
inline constexpr int kAllRemarks = 15;

struct CodedGame {
    // Throws std::invalid_argument for a game that cannot be stored.
    explicit CodedGame(const GameRecord& game);

    std::uint8_t remarks = 0;
    std::vector<MoveSymbols> moves{};
    std::vector<std::uint64_t> values{};  // 0 none, else one more than the zigzag of the difference to the guess
    std::uint8_t clock_unit = 0;          // index of kClockUnits
    std::vector<std::uint64_t> clocks{};  // likewise, in units
    std::vector<std::uint8_t> best{};     // Best
    std::vector<std::uint64_t> line_lengths{};
    std::vector<MoveSymbols> best_moves{}, line_moves{};
};

class GameEncoder {
public:
    void count(const CodedGame& game);
    // Writes the codes themselves; all games must have been counted.
    void make_codes(BitWriter& out);
    void write(BitWriter& out, const CodedGame& game) const;

private:
    MoveEncoder moves_;
    IntegerCounts values_, clocks_, lines_;
    std::optional<IntegerEncoder> value_code_, clock_code_, line_code_;
};

class GameDecoder {
public:
    explicit GameDecoder(BitReader& in) : moves_(in), value_code_(in), clock_code_(in), line_code_(in) {}

    const MoveDecoder& moves() const { return moves_; }
    // What follows the moves. Start and moves of the game must be there.
    void read_remarks(BitReader& in, int remarks, GameRecord& game) const;

private:
    void read_values(BitReader& in, GameRecord& game) const;
    void read_clocks(BitReader& in, GameRecord& game) const;
    void read_best(BitReader& in, GameRecord& game) const;
    void read_lines(BitReader& in, GameRecord& game) const;

    MoveDecoder moves_;
    IntegerDecoder value_code_, clock_code_, line_code_;
};

// Goes through the moves of a stored game.
class GameWalk {
public:
    // From a position that came about on this context, `plies` moves on.
    GameWalk(const MoveDecoder& decoder, BitReader in, const Replay& start, const GameContext& context,
             std::size_t plies)
        : decoder_(&decoder), in_(in), position_(start), course_(context), end_(context.ply + int(plies)) {}

    const Replay& position() const { return position_; }
    int ply() const { return course_.ply; }
    int plies() const { return end_; }
    bool over() const { return course_.ply == end_; }
    // Plays the next move and returns it.
    Move next() {
        const Move move = decoder_->read(in_, position_, course_);
        course_.note(position_, move);
        position_.play(move);
        return move;
    }
    const BitReader& reader() const { return in_; }

private:
    const MoveDecoder* decoder_;
    BitReader in_;
    Replay position_;
    GameContext course_;
    int end_;
};

}  // namespace okapi
