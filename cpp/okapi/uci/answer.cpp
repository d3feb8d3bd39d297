#include "okapi/uci/answer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "okapi/chess/text.h"
#include "okapi/uci/handicap.h"
#include "okapi/uci/reporter.h"
#include "okapi/uci/tokens.h"

namespace okapi::uci {

namespace {

// A move of a book or of people is looked at this deep, so that it too comes with a value and an expected reply.
constexpr int kBookDepth = 6;
constexpr std::size_t kLikeliest = 5;  // moves in the line of predicted moves

std::uint64_t seed(const Position& position) {
    return position.key() ^ std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::optional<Move> book_move(const SearchRequest& request, const Book& book) {
    const Limits& limits = request.limits;
    if (!request.settings.own_book || request.settings.analyse || book.empty()) return std::nullopt;
    if (limits.infinite || limits.ponder || limits.mate || !limits.only.empty()) return std::nullopt;
    return book.draw(request.position, seed(request.position));
}

std::optional<handicap::Level> handicap_for(const SearchRequest& request) {
    if (!request.settings.limit_strength || request.settings.analyse || request.people) return std::nullopt;
    return handicap::level(request.settings.elo);
}

// The likeliest move of people, by what the settings say of their rating; those that come near are written, too.
Move human_move(const SearchRequest& request, Writer& writer) {
    const Settings& settings = request.settings;
    const int asked = settings.limit_strength ? settings.elo : settings.human_elo;
    const int elo = asked ? std::clamp(asked, PredictedMoves::kLowestElo, PredictedMoves::kHighestElo) : 0;
    std::vector<LikelyMove> likely = request.people->moves(request.position, elo);
    if (const auto& only = request.limits.only; !only.empty())
        std::erase_if(likely, [&](const LikelyMove& each) { return std::ranges::find(only, each.move) == only.end(); });
    std::string text;
    for (std::size_t i = 0; i < std::min(likely.size(), kLikeliest); ++i) {
        char share[16];
        std::snprintf(share, sizeof share, " %.1f%%", 100 * double(likely[i].probability));
        append(text, to_uci(likely[i].move, settings.chess960) + share, ", ");
    }
    writer.write("info string likely " + text);
    return likely.front().move;
}

// The limits of the front end and those of the settings, made narrower by book and handicap.
Limits narrowed(const SearchRequest& request, const Book& book, const std::optional<handicap::Level>& level,
                Writer& writer) {
    Limits limits = request.limits;
    limits.overhead_ms = request.settings.overhead_ms;
    limits.tablebase_depth = request.settings.syzygy_depth;
    limits.tablebase_pieces = request.settings.syzygy_pieces;
    limits.tablebase_fifty = request.settings.syzygy_fifty_moves;
    if (level && !limits.infinite) limits.nodes = limits.nodes ? std::min(limits.nodes, level->nodes) : level->nodes;
    auto move = book_move(request, book);
    if (!move && request.people) move = human_move(request, writer);
    if (move) {
        limits.only = {*move};
        limits.depth = limits.depth ? std::min(limits.depth, kBookDepth) : kBookDepth;
    } else if (level && level->visible_mate > 0 && limits.only.empty()) {
        if (const auto mate = handicap::mate_in_one(request.position)) limits.only = {*mate};
    }
    return limits;
}

// The lines of a decision with the one that is played in front. Never empty, and its first line has a legal move.
std::vector<Line> lines_to_show(const SearchRequest& request, const Decision& decision,
                                const std::optional<handicap::Level>& level) {
    std::vector<Line> lines;
    for (const Line& line : decision.lines)
        if (!line.moves.empty() && request.position.is_legal(line.moves.front())) lines.push_back(line);

    const auto starts_with = [&](const Line& line) { return line.moves.front() == decision.move; };
    const auto best = std::ranges::find_if(lines, starts_with);
    if (best == lines.end()) {
        const bool legal = decision.move.exists() && request.position.is_legal(decision.move);
        const Move move = legal ? decision.move : legal_moves(request.position)[0];
        lines.insert(lines.begin(), Line{{move}, decision.value, Bound::Exact, std::max(decision.depth, 1), 1});
    } else {
        std::rotate(lines.begin(), best, best + 1);
    }
    if (level) {
        const std::size_t chosen = handicap::choose(request.position, lines, *level, seed(request.position));
        std::rotate(lines.begin(), lines.begin() + std::ptrdiff_t(chosen), lines.begin() + std::ptrdiff_t(chosen) + 1);
    }
    return lines;
}

// Searches and writes info lines; returns the bestmove line.
std::string search_and_report(const SearchRequest& request, Search& search, const Book& book, Writer& writer) {
    const Settings& settings = request.settings;
    const ReportOptions options{
        {settings.chess960, settings.show_wdl}, settings.multipv, settings.live_stats, settings.verbose_move_stats};
    if (!has_legal_move(request.position)) {
        writer.write(no_move_line(request.position, options.format));
        if (request.limits.infinite || request.limits.ponder) search.run(request.position, request.limits);
        return "bestmove (none)";
    }
    const auto level = handicap_for(request);
    search.set_multipv(level ? std::max(level->lines, settings.multipv) : settings.multipv);

    const bool wants_stats = options.live_stats || options.stats;
    Reporter reporter(request.position, options, writer, wants_stats ? search.evaluator().clone() : nullptr);
    Listener listener;
    listener.on_progress = [&](const Progress& progress) { reporter.progress(progress); };
    listener.on_current_move = [&](const CurrentMove& current) { reporter.current_move(current); };

    const Decision decision = search.run(request.position, narrowed(request, book, level, writer), listener);
    const std::vector<Line> lines = lines_to_show(request, decision, level);
    reporter.conclude(lines, decision);
    return reporter.answer(lines.front());
}

// After a failed search: any legal move.
std::string emergency(const SearchRequest& request, const std::exception& error, Writer& writer) {
    writer.error(std::string("the search failed: ") + error.what());
    const InfoFormat format{request.settings.chess960, request.settings.show_wdl};
    const MoveList moves = legal_moves(request.position);
    if (moves.empty()) return "bestmove (none)";
    const Line line{{moves[0]}, kDraw, Bound::Exact, 1, 1};
    writer.write(info_line(request.position, Progress{1, line}, format));
    return Reporter(request.position, ReportOptions{format}, writer, nullptr).answer(line);
}

}  // namespace

void answer(const SearchRequest& request, Search& search, const Book& book, Writer& writer,
            const std::function<void()>& about_to_answer) {
    std::string answer;
    try {
        answer = search_and_report(request, search, book, writer);
    } catch (const std::exception& error) {
        answer = emergency(request, error, writer);
    }
    about_to_answer();
    writer.write(answer);
}

}  // namespace okapi::uci
