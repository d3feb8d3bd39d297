#include "okapi/store/game_code.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace okapi {

namespace {

enum Best : std::uint8_t { Played, None, Other };
constexpr std::array<std::uint32_t, 4> kClockUnits = {1, 10, 100, 1000};  // milliseconds

// A value is likely to be the one before, seen from the other side.
class ValueGuess {
public:
    int guess() const { return last_; }
    void note(Centipawns value) { last_ = -(value == kNoValue ? last_ : value); }

private:
    int last_ = 0;
};

// A clock is likely to show what it showed after the same side's last move.
class ClockGuess {
public:
    std::int64_t guess() const { return last_[0]; }
    void note(std::uint32_t clock) {
        if (clock != kNoClock) last_[0] = clock;
        std::swap(last_[0], last_[1]);
    }

private:
    std::array<std::int64_t, 2> last_{};
};

void check_size(std::size_t size, std::size_t expected, const char* what) {
    if (size != 0 && size != expected)
        throw std::invalid_argument("a game has " + std::to_string(size) + " " + what + ", expected none or " +
                                    std::to_string(expected));
}

void check(const GameRecord& game) {
    const std::size_t plies = game.moves.size();
    if (plies > kMostPlies)
        throw std::invalid_argument("a game has " + std::to_string(plies) + " moves: the store keeps at most " +
                                    std::to_string(kMostPlies));
    check_size(game.values.size(), plies + 1, "values");
    check_size(game.best.size(), plies + 1, "best moves");
    check_size(game.lines.size(), plies + 1, "lines");
    check_size(game.clocks.size(), plies, "clocks");
    for (const std::vector<Move>& line : game.lines)
        if (line.size() > kMostLine) throw std::invalid_argument("a line is longer than the store keeps");
}

std::vector<std::uint64_t> coded_values(const std::vector<Centipawns>& values) {
    std::vector<std::uint64_t> coded;
    ValueGuess guess;
    for (Centipawns value : values) {
        coded.push_back(value == kNoValue ? 0 : 1 + zigzag(value - guess.guess()));
        guess.note(value);
    }
    return coded;
}

// The index of the largest unit that divides all clocks.
std::uint8_t unit_of(const std::vector<std::uint32_t>& clocks) {
    std::size_t unit = kClockUnits.size() - 1;
    for (std::uint32_t clock : clocks)
        while (clock != kNoClock && clock % kClockUnits[unit] != 0) --unit;
    return std::uint8_t(unit);
}

std::vector<std::uint64_t> coded_clocks(const std::vector<std::uint32_t>& clocks, std::uint32_t unit) {
    std::vector<std::uint64_t> coded;
    ClockGuess guess;
    for (std::uint32_t clock : clocks) {
        coded.push_back(clock == kNoClock ? 0 : 1 + zigzag((guess.guess() - std::int64_t(clock)) / unit));
        guess.note(clock);
    }
    return coded;
}

// All positions of a game, with how they came about: visit(ply, position, context) before each move and at the end.
template <class Visit> void go_through(const GameRecord& game, Visit visit) {
    Replay position(game.start);
    GameContext context;
    for (std::size_t ply = 0;; ++ply) {
        visit(ply, position, context);
        if (ply == game.moves.size()) return;
        context.note(position, game.moves[ply]);
        position.play(game.moves[ply]);
    }
}

}  // namespace

CodedGame::CodedGame(const GameRecord& game) {
    check(game);
    remarks = std::uint8_t((game.values.empty() ? 0 : HasValues) | (game.clocks.empty() ? 0 : HasClocks) |
                           (game.best.empty() ? 0 : HasBest) | (game.lines.empty() ? 0 : HasLines));
    values = coded_values(game.values);
    clock_unit = unit_of(game.clocks);
    clocks = coded_clocks(game.clocks, kClockUnits[clock_unit]);
    moves.reserve(game.moves.size());
    go_through(game, [&](std::size_t ply, const Replay& position, const GameContext& context) {
        const Move played = ply < game.moves.size() ? game.moves[ply] : Move::none();
        if (ply < game.moves.size()) moves.push_back(symbols_of(position, context, played));
        if (remarks & HasBest) {
            const Move move = game.best[ply];
            best.push_back(!move.exists() ? None : move == played ? Played : Other);
            if (best.back() == Other) best_moves.push_back(symbols_of(position, context, move));
        }
        if (remarks & HasLines) {
            Replay expected = position;
            GameContext line_context = context;
            for (Move move : game.lines[ply]) {
                line_moves.push_back(symbols_of(expected, line_context, move));
                line_context.note(expected, move);
                expected.play(move);
            }
            line_lengths.push_back(game.lines[ply].size());
        }
    });
}

// --- Writing --------------------------------------------------------------------------------------------------------

void GameEncoder::count(const CodedGame& game) {
    for (const auto* symbols : {&game.moves, &game.best_moves, &game.line_moves})
        for (const MoveSymbols& move : *symbols) moves_.count(move);
    for (std::uint64_t value : game.values) values_.add(value);
    for (std::uint64_t clock : game.clocks) clocks_.add(clock);
    for (std::uint64_t length : game.line_lengths) lines_.add(length);
}

void GameEncoder::make_codes(BitWriter& out) {
    moves_.make_codes(out);
    value_code_.emplace(values_, out);
    clock_code_.emplace(clocks_, out);
    line_code_.emplace(lines_, out);
}

void GameEncoder::write(BitWriter& out, const CodedGame& game) const {
    for (const MoveSymbols& move : game.moves) moves_.write(out, move);
    for (std::uint64_t value : game.values) value_code_->write(out, value);
    if (game.remarks & HasClocks) out.write(game.clock_unit, 2);
    for (std::uint64_t clock : game.clocks) clock_code_->write(out, clock);
    auto best_move = game.best_moves.begin();
    for (std::uint8_t best : game.best) {
        best == Played ? out.write(0, 1) : out.write(best == None ? 2 : 3, 2);
        if (best == Other) moves_.write(out, *best_move++);
    }
    auto line_move = game.line_moves.begin();
    for (std::uint64_t length : game.line_lengths) {
        line_code_->write(out, length);
        for (; length > 0; --length) moves_.write(out, *line_move++);
    }
}

// --- Reading --------------------------------------------------------------------------------------------------------

namespace {

std::uint64_t read_integer(const IntegerDecoder& code, BitReader& in) {
    if (!code.exists()) throw InvalidStore("a game has remarks that its block has no code for");
    return code.read(in);
}

std::int64_t checked(std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most) throw InvalidStore("a remark is out of range");
    return value;
}

}  // namespace

void GameDecoder::read_remarks(BitReader& in, int remarks, GameRecord& game) const {
    if (remarks & HasValues) read_values(in, game);
    if (remarks & HasClocks) read_clocks(in, game);
    if (remarks & HasBest) read_best(in, game);
    if (remarks & HasLines) read_lines(in, game);
    if (in.overran()) throw InvalidStore("a game is cut short");
}

void GameDecoder::read_values(BitReader& in, GameRecord& game) const {
    ValueGuess guess;
    for (std::size_t i = 0; i <= game.moves.size(); ++i) {
        const std::uint64_t code = read_integer(value_code_, in);
        game.values.push_back(code == 0 ? kNoValue
                                        : Centipawns(checked(guess.guess() + unzigzag(code - 1), -32767, 32767)));
        guess.note(game.values.back());
    }
}

void GameDecoder::read_clocks(BitReader& in, GameRecord& game) const {
    const std::int64_t unit = kClockUnits[std::size_t(in.read(2))];
    ClockGuess guess;
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const std::uint64_t code = read_integer(clock_code_, in);
        const std::int64_t used = code == 0 ? 0 : unzigzag(code - 1) * unit;
        game.clocks.push_back(code == 0 ? kNoClock
                                        : std::uint32_t(checked(guess.guess() - used, 0, std::int64_t(kNoClock) - 1)));
        guess.note(game.clocks.back());
    }
}

void GameDecoder::read_best(BitReader& in, GameRecord& game) const {
    go_through(game, [&](std::size_t ply, const Replay& position, const GameContext& context) {
        if (in.read(1) == 0) {
            if (ply == game.moves.size()) throw InvalidStore("the best move after the last was not played");
            game.best.push_back(game.moves[ply]);
        } else {
            game.best.push_back(in.read(1) == 0 ? Move::none() : moves_.read(in, position, context));
        }
    });
}

void GameDecoder::read_lines(BitReader& in, GameRecord& game) const {
    go_through(game, [&](std::size_t, const Replay& position, const GameContext& context) {
        const std::size_t length = std::size_t(checked(std::int64_t(read_integer(line_code_, in)), 0, kMostLine));
        GameWalk line(moves_, in, position, context, length);
        std::vector<Move>& moves = game.lines.emplace_back();
        while (!line.over()) moves.push_back(line.next());
        in = line.reader();
    });
}

}  // namespace okapi
