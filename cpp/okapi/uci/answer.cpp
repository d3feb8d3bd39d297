#include "okapi/uci/answer.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "okapi/uci/handicap.h"
#include "okapi/uci/reporter.h"

namespace okapi::uci {

namespace {

// A book move is looked at this deep, so that it too comes with a value and an expected reply.
constexpr int kBookDepth = 6;

std::uint64_t seed(const Position& position) {
    return position.key() ^ std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::optional<Move> book_move(const Order& order, const Book& book) {
    const Limits& limits = order.limits;
    if (!order.settings.own_book || order.settings.analyse || book.empty()) return std::nullopt;
    if (limits.infinite || limits.ponder || limits.mate || !limits.only.empty()) return std::nullopt;
    return book.draw(order.position, seed(order.position));
}

std::optional<handicap::Plan> handicap_for(const Order& order) {
    if (!order.settings.limit_strength || order.settings.analyse) return std::nullopt;
    return handicap::plan(order.settings.elo);
}

// The limits of the front end and those of the settings, made narrower by book and handicap.
Limits narrowed(const Order& order, const Book& book, const std::optional<handicap::Plan>& plan) {
    Limits limits = order.limits;
    limits.overhead_ms = order.settings.overhead_ms;
    limits.tablebase_depth = order.settings.syzygy_depth;
    limits.tablebase_pieces = order.settings.syzygy_pieces;
    limits.tablebase_fifty = order.settings.syzygy_fifty_moves;
    if (plan && !limits.infinite) limits.nodes = limits.nodes ? std::min(limits.nodes, plan->nodes) : plan->nodes;
    if (const auto move = book_move(order, book)) {
        limits.only = {*move};
        limits.depth = limits.depth ? std::min(limits.depth, kBookDepth) : kBookDepth;
    } else if (plan && plan->visible_mate > 0 && limits.only.empty()) {
        if (const auto mate = handicap::mate_in_one(order.position)) limits.only = {*mate};
    }
    return limits;
}

// The lines of a decision with the one that is played in front. Never empty, and its first line has a legal move.
std::vector<Line> lines_to_show(const Order& order, const Decision& decision,
                                const std::optional<handicap::Plan>& plan) {
    std::vector<Line> lines;
    for (const Line& line : decision.lines)
        if (!line.moves.empty() && order.position.is_legal(line.moves.front())) lines.push_back(line);

    const auto starts_with = [&](const Line& line) { return line.moves.front() == decision.move; };
    const auto best = std::ranges::find_if(lines, starts_with);
    if (best == lines.end()) {
        const bool legal = decision.move.exists() && order.position.is_legal(decision.move);
        const Move move = legal ? decision.move : legal_moves(order.position)[0];
        lines.insert(lines.begin(), Line{{move}, decision.value, Bound::Exact, std::max(decision.depth, 1), 1});
    } else {
        std::rotate(lines.begin(), best, best + 1);
    }
    if (plan) {
        const std::size_t chosen = handicap::choose(order.position, lines, *plan, seed(order.position));
        std::rotate(lines.begin(), lines.begin() + std::ptrdiff_t(chosen), lines.begin() + std::ptrdiff_t(chosen) + 1);
    }
    return lines;
}

// Thinks and tells its thoughts; the answer is left to be said.
std::string think(const Order& order, Thinker& thinker, const Book& book, Voice& voice) {
    const Settings& settings = order.settings;
    const Manner manner{
        {settings.chess960, settings.show_wdl}, settings.multipv, settings.live_stats, settings.verbose_move_stats};
    if (!has_legal_move(order.position)) {
        voice.say(no_move_line(order.position, manner.format));
        if (order.limits.infinite || order.limits.ponder) thinker.think(order.position, order.limits);
        return "bestmove (none)";
    }
    const auto plan = handicap_for(order);
    thinker.set_multipv(plan ? std::max(plan->lines, settings.multipv) : settings.multipv);

    const bool wants_stats = manner.live_stats || manner.stats;
    Reporter reporter(order.position, manner, voice, wants_stats ? thinker.evaluator().clone() : nullptr);
    Listener listener;
    listener.on_progress = [&](const Progress& progress) { reporter.progress(progress); };
    listener.on_current_move = [&](const CurrentMove& current) { reporter.current_move(current); };

    const Decision decision = thinker.think(order.position, narrowed(order, book, plan), listener);
    const std::vector<Line> lines = lines_to_show(order, decision, plan);
    reporter.conclude(lines, decision);
    return reporter.answer(lines.front());
}

// For when thinking failed: any legal move.
std::string emergency(const Order& order, const std::exception& error, Voice& voice) {
    voice.error(std::string("the search failed: ") + error.what());
    const InfoFormat format{order.settings.chess960, order.settings.show_wdl};
    const MoveList moves = legal_moves(order.position);
    if (moves.empty()) return "bestmove (none)";
    const Line line{{moves[0]}, kDraw, Bound::Exact, 1, 1};
    voice.say(info_line(order.position, Progress{1, line}, format));
    return Reporter(order.position, Manner{format}, voice, nullptr).answer(line);
}

}  // namespace

void answer(const Order& order, Thinker& thinker, const Book& book, Voice& voice,
            const std::function<void()>& about_to_answer) {
    std::string answer;
    try {
        answer = think(order, thinker, book, voice);
    } catch (const std::exception& error) {
        answer = emergency(order, error, voice);
    }
    about_to_answer();
    voice.say(answer);
}

}  // namespace okapi::uci
