// PGN in, at speed and whatever its dialect. Bytes are pushed in, games are taken out; a game that cannot be read costs
// a complaint and never its neighbours. docs/howto/games.md has the rules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/chess/game_record.h"
#include "okapi/pgn/game.h"

namespace okapi {

// Why a game was left out, and where.
struct Complaint {
    std::uint64_t line = 0;    // of the trouble, from 1
    std::uint64_t offset = 0;  // of the trouble in bytes
    std::string reason;
};

class PgnReader {
public:
    // Nothing larger is read as a game: so much memory is enough for any input.
    static constexpr std::size_t kMaxGameBytes = 16 << 20;

    // To go on where another reader stopped, give what its offset() and line() said and feed it what stands there.
    explicit PgnReader(std::uint64_t offset = 0, std::uint64_t line = 1);

    void feed(std::string_view bytes);
    void finish() { finished_ = true; }  // nothing more will come

    enum class Found { Game, Complaint, Nothing };
    // The next game or complaint of what was fed; Nothing: feed more, unless all is finished.
    Found next();
    const GameRecord& game() const { return parser_.record(); }
    const Complaint& complaint() const { return complaint_; }

    // Just behind the last game or complaint.
    std::uint64_t offset() const { return base_ + at_; }
    std::uint64_t line() const { return line_; }

private:
    // A stretch of text in which games begin and end.
    bool find_segment();
    void enter_segment(std::size_t end, bool whole);
    void leave_segment();
    // Where the next game begins, or nothing.
    bool find_boundary();
    bool is_boundary(std::size_t at) const;
    Found give_up();
    void advance(std::size_t to);
    Found complain(std::uint64_t line, std::uint64_t offset, std::string reason);

    PgnGameParser parser_;
    Complaint complaint_;
    std::vector<char> buffer_;  // one byte more than there is text, for a NUL
    std::size_t size_ = 0;      // of the text in the buffer
    std::size_t at_ = 0;        // read up to here
    std::size_t scanned_ = 0;   // no game begins between at_ and here
    std::size_t segment_end_ = 0;
    bool in_segment_ = false;
    bool whole_ = false;        // the segment ends where a game begins, or with the file
    char covered_ = 0;          // what stood where the NUL behind the segment is
    std::size_t search_limit_;  // where no game begins within so many bytes, look for the end of one
    std::uint64_t base_;        // the offset of the buffer
    std::uint64_t line_;        // of at_
    bool giant_ = false;        // within something too large to be a game, which began here:
    std::uint64_t giant_line_ = 0, giant_offset_ = 0;
    bool finished_ = false;
};

}  // namespace okapi
