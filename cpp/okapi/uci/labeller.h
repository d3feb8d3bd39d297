// Many positions put to another program, one after another, without losing time between them. POSIX only.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "okapi/samples/packed.h"
#include "okapi/uci/info_reader.h"

namespace okapi::uci {

// The ends of the pipes to a running program: what it reads, what it writes, and where it complains.
struct Streams {
    int input = -1;
    int output = -1;
    int errors = -1;
};

struct EngineLabelOptions {
    std::string go = "go depth 1";  // the question, the same for each position
    bool chess960 = false;          // how castling is written
    bool forget = false;            // begin each position with empty tables: ucinewgame
    std::size_t lines = 1;          // of each position
    // Requests that are sent before the last one is answered. UCI has no rule for that, but programs that
    // read them in order never wait, and we wake up less often: both matter where a search takes a millisecond.
    std::size_t ahead = 0;
    std::chrono::milliseconds timeout{60'000};  // for one answer
};

enum class EngineFailure {
    None,
    Closed,       // it closed its output
    Timeout,      // it did not answer, or did not read the request
    IllegalMove,  // its answer was no legal move
};

struct LabelRun {
    std::size_t answered = 0;  // positions, from the first; failure came with the next
    EngineFailure failure = EngineFailure::None;
    std::string message{};  // the answer that was no move, or the last of stderr
};

// Fills one label for each position and options.lines lines for each label. Ends with the first failure: then the
// program is in an unknown state. Throws InvalidPosition for bytes that are none.
LabelRun label_positions(const Streams& streams, std::span<const PackedPosition> positions,
                         const EngineLabelOptions& options, std::span<Label> labels, std::span<LabelLine> lines);

}  // namespace okapi::uci
