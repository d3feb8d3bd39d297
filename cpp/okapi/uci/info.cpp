#include "okapi/uci/info.h"

#include <algorithm>
#include <cmath>

#include "okapi/chess/text.h"
#include "okapi/eval/evaluator.h"

namespace okapi::uci {

namespace {

bool is_over(const Position& position) {
    return !has_legal_move(position) || position.is_fifty_moves() || position.is_insufficient_material() ||
           position.earlier_occurrences() >= 2;
}

std::string wdl_text(int value) {
    const Wdl share = wdl(value);
    return " wdl " + std::to_string(share.win) + ' ' + std::to_string(share.draw) + ' ' + std::to_string(share.loss);
}

// Tablebase wins are above every evaluation and below every mate.
int to_centipawns(int value) {
    const int size = std::abs(value);
    const int shown = size > kMaxEvaluation ? kMaxEvaluation - std::max(0, kTablebaseWin - size) : size;
    return value < 0 ? -shown : shown;
}

}  // namespace

Wdl wdl(int value) {
    const double expected = is_mate(value) ? (value > 0 ? 1.0 : 0.0) : expected_score(to_centipawns(value));
    const int draw = int(std::lround(1000 * std::min(expected, 1 - expected)));
    const int win = int(std::lround(1000 * expected - draw / 2.0));
    return {win, draw, 1000 - win - draw};
}

std::string score(int value) {
    if (!is_mate(value)) return "cp " + std::to_string(to_centipawns(value));
    const int moves = (kMate - std::abs(value) + 1) / 2;
    return "mate " + std::to_string(value < 0 ? -moves : moves);
}

std::vector<Move> playable(const Position& root, const std::vector<Move>& moves) {
    std::vector<Move> line;
    Position position = root;
    for (const Move move : moves) {
        if (!move.exists() || !position.is_legal(move)) break;
        line.push_back(move);
        position.play(move);
        if (is_over(position)) break;
    }
    return line;
}

std::string info_line(const Position& root, const Progress& progress, InfoFormat format) {
    const Line& line = progress.line;
    const std::int64_t elapsed = std::max<std::int64_t>(progress.elapsed_ms, 0);
    const std::uint64_t nps = progress.nodes * 1000 / std::uint64_t(std::max<std::int64_t>(elapsed, 1));

    std::string text = "info depth " + std::to_string(line.depth) + " seldepth " +
                       std::to_string(std::max(line.selective_depth, line.depth)) + " multipv " +
                       std::to_string(progress.rank) + " score " + score(line.value);
    if (line.bound == Bound::Lower) text += " lowerbound";
    if (line.bound == Bound::Upper) text += " upperbound";
    if (format.wdl) text += wdl_text(line.value);
    text += " nodes " + std::to_string(progress.nodes) + " nps " + std::to_string(nps) + " hashfull " +
            std::to_string(std::clamp(progress.table_permille, 0, 1000)) + " tbhits " +
            std::to_string(progress.tablebase_hits) + " time " + std::to_string(elapsed) + " pv";
    for (const Move move : playable(root, line.moves)) text += ' ' + to_uci(move, format.chess960);
    return text;
}

std::string no_move_line(const Position& root, InfoFormat format) {
    const int value = root.in_check() ? -kMate : kDraw;
    return "info depth 0 score " + score(value) + (format.wdl ? wdl_text(value) : "");
}

}  // namespace okapi::uci
