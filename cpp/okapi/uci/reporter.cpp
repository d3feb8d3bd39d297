#include "okapi/uci/reporter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "okapi/chess/text.h"

namespace okapi::uci {

namespace {

constexpr std::int64_t kBoundsAfterMs = 1000;
// How much better, in expected score, a line must be to look e times as likely in the statistics.
constexpr double kTemperature = 0.04;

double expected(int value) { return wdl(value).win / 1000.0 + wdl(value).draw / 2000.0; }

std::vector<double> shares(const std::vector<Line>& lines) {
    std::vector<double> weights;
    double sum = 0;
    for (const Line& line : lines) sum += weights.emplace_back(std::exp(expected(line.value) / kTemperature));
    for (double& weight : weights) weight /= sum;
    return weights;
}

std::string stats_text(const std::string& name, int code, std::uint64_t nodes, double probability, int value,
                       double v) {
    const Wdl share = wdl(value);
    const double balance = (share.win - share.loss) / 1000.0;
    char text[200];
    std::snprintf(text, sizeof text,
                  "info string %-5s (%-4d) N: %llu (+0) (P: %.2f%%) (WL: %.5f) (D: %.3f) (Q: %.5f) (V: %.4f)",
                  name.c_str(), code, static_cast<unsigned long long>(nodes), 100 * probability, balance,
                  share.draw / 1000.0, balance, v);
    return text;
}

}  // namespace

Reporter::Reporter(const Position& root, ReportOptions options, Writer& writer, std::unique_ptr<Evaluator> evaluator)
    : root_(root),
      options_(options),
      writer_(writer),
      evaluator_(std::move(evaluator)),
      expected_lines_(std::size_t(std::clamp(options.lines, 1, std::max(1, count_legal_moves(root))))) {}

void Reporter::progress(const Progress& progress) {
    table_permille_ = progress.table_permille;
    if (progress.rank > options_.lines) return;
    if (progress.line.bound != Bound::Exact) {
        if (options_.lines == 1 && progress.elapsed_ms >= kBoundsAfterMs) write_line(progress);
        return;
    }
    write_line(progress);
    if (!options_.live_stats) return;
    if (progress.rank == 1) block_.clear();
    block_.push_back(progress.line);
    if (block_.size() == expected_lines_) write_stats(block_, progress.nodes);
}

void Reporter::write_line(const Progress& progress) {
    writer_.write(info_line(root_, progress, options_.format));
    if (progress.rank == 1) last_ = progress.line;
}

void Reporter::current_move(const CurrentMove& current) {
    writer_.write("info depth " + std::to_string(current.depth) + " currmove " +
                  to_uci(current.move, options_.format.chess960) + " currmovenumber " + std::to_string(current.number));
}

void Reporter::conclude(const std::vector<Line>& lines, const Decision& decision) {
    const Line& best = lines.front();
    const bool said = last_.bound == Bound::Exact && last_.moves == best.moves && last_.value == best.value;
    if (!said) {
        const std::size_t shown = std::min(lines.size(), std::size_t(options_.lines));
        // Lines of one block share their depth: the last one that all of them were searched to.
        int depth = best.depth;
        for (std::size_t i = 0; i < shown; ++i) depth = std::min(depth, lines[i].depth);
        for (std::size_t i = 0; i < shown; ++i) {
            Progress progress{int(i) + 1,          lines[i],       decision.nodes, decision.tablebase_hits,
                              decision.elapsed_ms, table_permille_};
            progress.line.depth = std::max(depth, 1);
            progress.line.bound = Bound::Exact;
            write_line(progress);
        }
    }
    if (options_.stats) write_stats(lines, decision.nodes);
}

std::string Reporter::answer(const Line& line) const {
    const std::vector<Move> moves = playable(root_, line.moves);
    if (moves.empty()) return "bestmove (none)";
    std::string text = "bestmove " + to_uci(moves[0], options_.format.chess960);
    if (moves.size() > 1) text += " ponder " + to_uci(moves[1], options_.format.chess960);
    return text;
}

// Worst first, and the whole last, as Leela does it.
void Reporter::write_stats(const std::vector<Line>& lines, std::uint64_t nodes) {
    if (!evaluator_ || lines.empty() || lines.front().moves.empty()) return;
    const std::vector<double> probabilities = shares(lines);
    for (std::size_t i = lines.size(); i-- > 0;)
        writer_.write(stats_line(lines[i], probabilities[i], std::uint64_t(double(nodes) * probabilities[i])));
    evaluator_->reset(root_);
    const double v = 2 * expected(evaluator_->value(root_)) - 1;
    writer_.write(stats_text("node", int(lines.size()), nodes, 1.0, lines.front().value, v));
}

std::string Reporter::stats_line(const Line& line, double probability, std::uint64_t nodes) {
    const Move move = line.moves.front();
    Position after = root_;
    after.play(move);
    evaluator_->reset(after);
    const double v = 1 - 2 * expected(evaluator_->value(after));
    return stats_text(to_uci(move, options_.format.chess960), move.from().index * 64 + move.to().index, nodes,
                      probability, line.value, v);
}

}  // namespace okapi::uci
