// Uci's commands for people at a terminal, and the long counts that are no search.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <thread>

#include "okapi/chess/perft.h"
#include "okapi/chess/text.h"
#include "okapi/search/tablebase.h"
#include "okapi/uci/bench.h"
#include "okapi/uci/uci.h"

namespace okapi {

using namespace uci;

namespace {

constexpr int kInOneGo = 4;  // plies counted between two looks at whether to stop

std::uint64_t patient_perft(Position& position, int depth, const std::atomic<bool>& cancelled) {
    if (depth <= kInOneGo) return depth <= 0 ? 1 : perft(position, depth);
    std::uint64_t leaves = 0;
    for (const Move move : legal_moves(position)) {
        if (cancelled) break;
        position.play(move);
        leaves += patient_perft(position, depth - 1, cancelled);
        position.undo();
    }
    return leaves;
}

std::string drawing(const Position& position) {
    static constexpr std::string_view kLetters = "PpNnBbRrQqKk.";
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        text += std::to_string(rank + 1);
        for (int file = 0; file < 8; ++file) {
            text += ' ';
            text += kLetters[position.at(Square(File(file), Rank(rank))).code];
        }
        text += '\n';
    }
    return text + "  a b c d e f g h\n";
}

// The same position for the other side: colours exchanged, board turned upside down.
Position flipped(const Position& position) {
    const std::string fen = position.fen(true);
    Tokens tokens(fen);
    std::string ranks;
    std::string_view placement = tokens.next();
    while (true) {
        const auto slash = placement.find('/');
        ranks = std::string(placement.substr(0, slash)) + (ranks.empty() ? "" : "/") + ranks;
        if (slash == std::string_view::npos) break;
        placement.remove_prefix(slash + 1);
    }
    const auto swap_case = [](std::string text) {
        for (char& c : text) c = char(std::islower(static_cast<unsigned char>(c)) ? std::toupper(c) : std::tolower(c));
        return text;
    };
    const std::string turn = tokens.next() == "w" ? "b" : "w";
    const std::string rights = swap_case(std::string(tokens.next()));
    std::string en_passant(tokens.next());
    if (en_passant.size() == 2) en_passant[1] = en_passant[1] == '3' ? '6' : '3';
    return Position::from_fen(swap_case(ranks) + ' ' + turn + ' ' + rights + ' ' + en_passant + ' ' +
                              std::string(tokens.rest()));
}

}  // namespace

void Uci::help(Tokens) {
    for (const char* line : {
             "Okapi speaks UCI: uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit.",
             "d                  shows the position",
             "eval               what the brain thinks of it, without search",
             "flip               exchanges the sides",
             "go perft N         counts the positions N moves away",
             "bench [DEPTH]      searches a fixed set of positions",
             "compiler           how this program was built",
         })
        writer_.write("info string " + std::string(line));
}

void Uci::show(Tokens) {
    char key[20];
    std::snprintf(key, sizeof key, "%016llX", static_cast<unsigned long long>(position_.key()));
    std::string text = drawing(position_) + "\nFen: " + position_.fen() + "\nKey: " + key + "\nCheckers:";
    for (const Square square : squares(position_.checkers())) text += ' ' + name(square);
    text += "\nLegal moves: " + std::to_string(count_legal_moves(position_));
    writer_.write(text);
}

void Uci::evaluate(Tokens) {
    Evaluator& evaluator = search_.evaluator();
    evaluator.reset(position_);
    const int value = evaluator.value(position_);
    const int white = position_.turn() == Color::White ? value : -value;
    char text[160];
    std::snprintf(text, sizeof text,
                  "info string eval: %d centipawns and %.3f expected score for the side to move; White %+.2f", value,
                  expected_score(value), white / 100.0);
    writer_.write(text);
}

void Uci::flip(Tokens) { position_ = flipped(position_); }

void Uci::start_perft(int depth) {
    job_thread_.start([this, depth, position = position_]() mutable {
        std::uint64_t leaves = 0;
        for (const Move move : legal_moves(position)) {
            if (cancelled_) break;
            position.play(move);
            const std::uint64_t count = patient_perft(position, depth - 1, cancelled_);
            position.undo();
            leaves += count;
            writer_.write(to_uci(move, position.is_chess960()) + ": " + std::to_string(count));
        }
        job_thread_.about_to_answer();
        writer_.write(cancelled_ ? "\ninfo string perft was stopped" : "\nNodes searched: " + std::to_string(leaves));
    });
}

void Uci::bench(Tokens tokens) {
    finish();
    const auto depth = parse_number(tokens.peek());
    cancelled_ = false;
    ends_by_itself_ = true;
    bench_search_ = std::make_unique<Search>(search_.evaluator().clone());
    job_thread_.start([this, depth = int(std::clamp<std::int64_t>(depth.value_or(kBenchDepth), 1, kMaxPly - 1))] {
        std::string answer;
        try {
            answer = to_text(run_bench(*bench_search_, depth, [this](const BenchStep& step) {
                writer_.write(to_text(step));
                return !cancelled_;
            }));
        } catch (const std::exception& error) {
            answer = "info string ERROR bench: " + printable(error.what());
        }
        job_thread_.about_to_answer();
        writer_.write(answer);
    });
}

void Uci::compiler(Tokens) {
#if defined(__clang__)
    const std::string compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    const std::string compiler = "g++ " __VERSION__;
#elif defined(_MSC_VER)
    const std::string compiler = "MSVC " + std::to_string(_MSC_VER);
#else
    const std::string compiler = "an unknown compiler";
#endif
    writer_.write("info string " + program_name() + ", built by " + compiler + ", C++ " +
                  std::to_string(__cplusplus / 100) + (tablebase::available() ? ", with" : ", without") +
                  " tablebases, " + std::to_string(std::thread::hardware_concurrency()) + " cores here");
}

}  // namespace okapi
