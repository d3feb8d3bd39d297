// Reads the info lines and the bestmove of another engine, for labels.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/chess/game_record.h"
#include "okapi/chess/position.h"

namespace okapi::uci {

// A teacher's label of a position. The same bytes are a row of a numpy array.
struct Label {
    Centipawns value = kNoValue;         // for the side to move
    std::uint16_t move = 0;              // Move::bits
    std::uint32_t nodes = 0;             // searched; 0: unknown
    std::array<std::uint16_t, 3> wdl{};  // win, draw, loss in thousandths for the side to move; zeros: unknown
    std::uint8_t depth = 0;
    std::uint8_t unused = 0;
};
static_assert(sizeof(Label) == 16);

// One of several lines: how it begins and what it is worth.
struct LabelLine {
    std::uint16_t move = 0;  // Move::bits; 0: there are fewer lines
    Centipawns value = kNoValue;
};
static_assert(sizeof(LabelLine) == 4);

// Reads the answer to one `go`.
class InfoReader {
public:
    // Up to so many lines are of interest.
    explicit InfoReader(std::size_t lines) : said_(lines) {}

    // True after the last line: bestmove.
    bool read(std::string_view line);
    // The label of this position, with its lines, best first. Nothing, if the move is no legal one.
    std::optional<Label> label(const Position& position, std::span<LabelLine> lines) const;
    std::string_view answer() const { return answer_; }
    // For the next `go`.
    void forget();

private:
    // The last info of one line. A bound is better than nothing.
    struct Said {
        std::string move{};
        Centipawns value = kNoValue;
        std::uint8_t depth = 0;
        std::array<std::uint16_t, 3> wdl{};
        bool is_bound = true;
    };

    std::vector<Said> said_;
    std::uint32_t nodes_ = 0;
    std::string answer_;
};

}  // namespace okapi::uci
