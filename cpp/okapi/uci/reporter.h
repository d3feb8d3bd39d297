// Writes the info lines of one search, and its bestmove.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/eval/evaluator.h"
#include "okapi/search/limits.h"
#include "okapi/uci/info.h"
#include "okapi/uci/writer.h"

namespace okapi::uci {

struct ReportOptions {
    InfoFormat format;
    int lines = 1;            // MultiPV as set by the front end
    bool live_stats = false;  // statistics of moves with every finished depth
    bool stats = false;       // and with the answer
};

// Guarantees for its lines:
//   depths come in order and are never left out; lines 1 to n of a depth come together and in order;
//   a bound is written only after a second, and not when there are several lines;
//   the last line of rank 1 before the answer is exact and begins with the move of bestmove.
class Reporter {
public:
    // `evaluator` is used for the statistics alone, and may be null without them.
    Reporter(const Position& root, ReportOptions options, Writer& writer, std::unique_ptr<Evaluator> evaluator);

    void progress(const Progress& progress);
    void current_move(const CurrentMove& current);

    // The last lines before bestmove. `lines` as they shall be shown: first the one that is played.
    void conclude(const std::vector<Line>& lines, const Decision& decision);
    // "bestmove e2e4 ponder e7e5"
    std::string answer(const Line& line) const;

private:
    void write_line(const Progress& progress);
    void write_stats(const std::vector<Line>& lines, std::uint64_t nodes);
    std::string stats_line(const Line& line, double probability, std::uint64_t nodes);

    Position root_;
    ReportOptions options_;
    Writer& writer_;
    std::unique_ptr<Evaluator> evaluator_;
    std::size_t expected_lines_;
    std::vector<Line> block_;  // the lines of the depth that is being written
    Line last_;                // the last line of rank 1
    int table_permille_ = 0;
};

}  // namespace okapi::uci
