#include "okapi/pgn/writer.h"

#include <algorithm>

#include "okapi/chess/replay.h"
#include "okapi/chess/san.h"
#include "okapi/pgn/comment.h"
#include "okapi/pgn/tags.h"

namespace okapi {

namespace {

constexpr std::size_t kWidth = 80;

// Words on lines.
class Lines {
public:
    explicit Lines(std::string& out) : out_(out), line_(out.size()) {}

    // Before a word: then write it, and end_word().
    void begin_word() {
        word_ = out_.size();
        if (word_ != line_) out_ += ' ';
    }
    void end_word() {
        if (word_ == line_ || out_.size() - line_ <= kWidth) return;
        out_[word_] = '\n';
        line_ = word_ + 1;
    }
    void add(std::string_view word) {
        begin_word();
        out_ += word;
        end_word();
    }

private:
    std::string& out_;
    std::size_t line_;  // where it begins
    std::size_t word_ = 0;
};

std::string_view result_text(const GameRecord& game) { return game.result ? name(*game.result) : "*"; }

void write_tags(const GameRecord& game, std::string& out) {
    const auto has = [&game](std::string_view name) {
        return std::any_of(game.tags.begin(), game.tags.end(), [name](const auto& tag) { return tag.first == name; });
    };
    bool told = false;
    for (const auto& [name, value] : game.tags) {
        pgn::write_tag(name, value, out);
        if (name != "Black" || told) continue;
        told = true;
        pgn::write_tag("Result", result_text(game), out);
    }
    if (!told) pgn::write_tag("Result", result_text(game), out);
    const std::string fen = game.start.fen();
    if (fen == kStartFen) return;
    if (game.start.is_chess960() && !has("Variant")) pgn::write_tag("Variant", "Chess960", out);
    pgn::write_tag("SetUp", "1", out);
    pgn::write_tag("FEN", fen, out);
}

// The annotations after so many moves. Was there any?
bool write_comment(const GameRecord& game, std::size_t plies, Color turn, Lines& lines, std::string& out) {
    const bool value = !game.values.empty() && game.values[plies] != kNoValue;
    const bool clock = !game.clocks.empty() && plies > 0 && game.clocks[plies - 1] != kNoClock;
    if (!value && !clock) return false;
    lines.add("{");
    if (value) {
        lines.begin_word();
        out += "[%eval ";
        pgn::write_value(game.values[plies], turn, out);
        out += ']';
        lines.end_word();
    }
    if (clock) {
        lines.begin_word();
        out += "[%clk ";
        pgn::write_clock(game.clocks[plies - 1], out);
        out += ']';
        lines.end_word();
    }
    lines.add("}");
    return true;
}

void write_number(const Replay& replay, bool interrupted, Lines& lines, std::string& out) {
    const bool white = replay.turn() == Color::White;
    if (!white && !interrupted) return;
    lines.begin_word();
    out += std::to_string(replay.fullmove_number());
    out += white ? "." : "...";
    lines.end_word();
}

}  // namespace

void write_pgn(const GameRecord& game, std::string& out) {
    write_tags(game, out);
    out += '\n';
    Lines lines(out);
    Replay replay(game.start);
    bool interrupted = true;
    write_comment(game, 0, replay.turn(), lines, out);
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        write_number(replay, interrupted, lines, out);
        lines.begin_word();
        play_and_write_san(replay, game.moves[ply], out);
        lines.end_word();
        interrupted = write_comment(game, ply + 1, replay.turn(), lines, out);
    }
    lines.add(result_text(game));
    out += "\n\n";
}

}  // namespace okapi
