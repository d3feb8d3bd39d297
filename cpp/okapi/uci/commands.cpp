#include "okapi/uci/commands.h"

#include <algorithm>

#include "okapi/chess/text.h"

namespace okapi::uci {

namespace {

constexpr std::int64_t kLongest = 1'000'000'000;  // milliseconds: eleven days
constexpr std::int64_t kMostNodes = 1'000'000'000'000'000'000;
constexpr std::int64_t kUnreadableMs = 100;

struct GoReader {
    Tokens tokens;
    const Position& position;
    GoCommand command;
    bool limited = false;     // a limit was given and read
    bool unreadable = false;  // a limit was given and not read

    // The number after a key word, within [low, high]. A word that is no number stays where it is.
    std::optional<std::int64_t> number(std::string_view key, std::int64_t low, std::int64_t high) {
        const auto value = parse_number(tokens.peek());
        if (!value) {
            command.problems.push_back("go " + std::string(key) + " needs a number, not '" + printable(tokens.peek()) +
                                       "'");
            unreadable = true;
            return std::nullopt;
        }
        tokens.next();
        return std::clamp(*value, low, high);
    }

    template <class T> void limit(std::string_view key, T& field, std::int64_t low, std::int64_t high) {
        if (const auto value = number(key, low, high)) {
            field = T(*value);
            limited = true;
        }
    }

    Limits::Clock& clock(Color color) {
        auto& clock = command.limits.clocks[std::size_t(index(color))];
        if (!clock) clock = Limits::Clock{};
        return *clock;
    }

    void time(std::string_view key, Color color) {
        if (const auto value = number(key, 1, kLongest)) {
            clock(color).time_ms = *value;
            limited = true;
        }
    }

    void increment(std::string_view key, Color color) {
        if (const auto value = number(key, 0, kLongest)) clock(color).increment_ms = *value;
    }

    void read_searchmoves();
    bool read_limit(std::string_view key);
    void finish();
};

bool is_key(std::string_view word) {
    static constexpr std::string_view kKeys[] = {"searchmoves", "ponder",    "wtime", "btime", "winc",
                                                 "binc",        "movestogo", "depth", "nodes", "mate",
                                                 "movetime",    "infinite",  "perft"};
    return std::ranges::find(kKeys, word) != std::end(kKeys);
}

void GoReader::read_searchmoves() {
    std::vector<Move>& only = command.limits.only;
    bool given = false;
    while (!tokens.done() && !is_key(tokens.peek())) {
        const std::string_view text = tokens.next();
        const auto move = parse_uci(position, text);
        given = true;
        if (!move) {
            if (command.problems.size() < 10)
                command.problems.push_back("go searchmoves: no legal move: " + printable(text));
        } else if (std::ranges::find(only, *move) == only.end()) {
            only.push_back(*move);
        }
    }
    if (given && only.empty()) command.problems.push_back("go searchmoves: none is legal, so all moves are searched");
}

bool GoReader::read_limit(std::string_view key) {
    Limits& limits = command.limits;
    if (key == "depth")
        limit(key, limits.depth, 1, kMaxPly - 1);
    else if (key == "nodes")
        limit(key, limits.nodes, 1, kMostNodes);
    else if (key == "movetime")
        limit(key, limits.movetime_ms, 1, kLongest);
    else if (key == "mate")
        limit(key, limits.mate, 1, kMaxPly / 2);
    else if (key == "perft")
        limit(key, command.perft, 1, 100);
    else if (key == "wtime")
        time(key, Color::White);
    else if (key == "btime")
        time(key, Color::Black);
    else if (key == "winc")
        increment(key, Color::White);
    else if (key == "binc")
        increment(key, Color::Black);
    else if (key == "movestogo")
        limits.moves_to_go = int(number(key, 0, 1000).value_or(0));
    else
        return false;
    return true;
}

// Clocks of which only a part was given, limits that contradict each other, and searches that would never end.
void GoReader::finish() {
    Limits& limits = command.limits;
    auto& mine = limits.clocks[std::size_t(index(position.turn()))];
    auto& theirs = limits.clocks[std::size_t(index(~position.turn()))];
    for (auto* clock : {&mine, &theirs})
        if (*clock && (*clock)->time_ms == 0) clock->reset();  // an increment alone says nothing about the time left
    if (!mine && theirs) mine = theirs;
    if (limits.infinite) {
        limits.nodes = 0;
        limits.movetime_ms = 0;
        limits.clocks = {};
    }
    if (limited || limits.infinite || limits.ponder) return;
    if (unreadable)
        limits.movetime_ms = kUnreadableMs;
    else
        limits.infinite = true;
}

std::string describe(const InvalidFen& error) { return "no position: " + printable(error.what(), 300); }

}  // namespace

GoCommand read_go(Tokens tokens, const Position& position) {
    GoReader reader{tokens, position, {}};
    while (!reader.tokens.done()) {
        const std::string_view key = reader.tokens.next();
        if (key == "infinite")
            reader.command.limits.infinite = true;
        else if (key == "ponder")
            reader.command.limits.ponder = true;
        else if (key == "searchmoves")
            reader.read_searchmoves();
        else
            reader.read_limit(key);  // other tokens are skipped
    }
    reader.finish();
    return std::move(reader.command);
}

PositionCommand read_position(Tokens tokens) {
    PositionCommand command;
    std::string_view kind;
    do kind = tokens.next();
    while (!kind.empty() && kind != "startpos" && kind != "fen");

    std::string fen(kStartFen);
    if (kind == "fen") {
        fen.clear();
        while (!tokens.done() && tokens.peek() != "moves") append(fen, tokens.next());
    } else if (kind.empty()) {
        command.problems.push_back("position needs startpos or fen");
        return command;
    }
    try {
        command.position = Position::from_fen(fen);
    } catch (const InvalidFen& error) {
        command.problems.push_back(describe(error));
        return command;
    }

    while (!tokens.done() && tokens.next() != "moves") {
    }
    while (!tokens.done()) {
        const std::string_view text = tokens.next();
        const auto move = parse_uci(*command.position, text);
        if (!move) {
            command.problems.push_back("illegal move " + printable(text) + " in " + command.position->fen() +
                                       "; it and the moves after it are ignored");
            break;
        }
        command.position->play(*move);
    }
    return command;
}

}  // namespace okapi::uci
