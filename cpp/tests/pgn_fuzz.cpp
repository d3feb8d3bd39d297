// Hostile PGN: nothing crashes the reader, what it reads can be written and read again, and a broken game never harms
// the games around it. Built with OKAPI_FUZZ by clang it is a libFuzzer target; else a program that mutates games:
//   pgn_fuzz [games] [seed]
#include <cstdio>
#include <cstdlib>
#include <string>

#include "okapi/pgn/writer.h"
#include "pgn_games.h"

using namespace okapi;
using namespace okapi::tests;

namespace {

void fail(const char* what, std::string_view text) {
    std::fprintf(stderr, "%s\n---\n%.*s\n---\n", what, int(text.size()), text.data());
    std::abort();
}

// Whatever was understood comes back the same, and the pieces that the text comes in make no difference.
void examine(std::string_view text, std::size_t piece) {
    const Read read = read_pgn(text), again = read_pgn(text, piece);
    if (read.games.size() != again.games.size() || read.complaints.size() != again.complaints.size())
        fail("pieces make a difference", text);
    std::string written;
    for (std::size_t i = 0; i < read.games.size(); ++i) {
        if (!same(read.games[i], again.games[i])) fail("pieces make a difference", text);
        write_pgn(read.games[i], written);
    }
    const Read back = read_pgn(written);
    if (back.games.size() != read.games.size() || !back.complaints.empty()) fail("lost on the way back", text);
    for (std::size_t i = 0; i < read.games.size(); ++i)
        if (!same(read.games[i], back.games[i])) fail("changed on the way back", text);
}

}  // namespace

#ifdef OKAPI_FUZZ

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    examine(text, 1 + size % 61);
    return 0;
}

#else

namespace {

// Bits of PGN that are likely to hurt.
constexpr const char* kNasty[] = {"{",
                                  "}",
                                  "(",
                                  ")",
                                  "((((",
                                  ";",
                                  "%",
                                  "\n%",
                                  "[",
                                  "]",
                                  "\"",
                                  "\\",
                                  "[Event ",
                                  "\n[Event \"",
                                  "\n\n[",
                                  "$",
                                  "$999999999999",
                                  "1-0",
                                  "*",
                                  "--",
                                  "\xFF",
                                  "♘",
                                  "½",
                                  "0-0",
                                  "e8=K",
                                  "{[%eval #-9999999999]}",
                                  "{[%clk 9:9:9:9]}",
                                  "\r",
                                  "\t",
                                  "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n",
                                  "[Variant \"Atomic\"]\n",
                                  "1.",
                                  "...",
                                  "@@@@"};

std::string mutated(std::string text, Random& random) {
    for (int change = 1 + below(random, 4); change > 0; --change) {
        const std::size_t at = text.empty() ? 0 : random() % text.size();
        switch (below(random, 6)) {
            case 0:
                if (!text.empty()) text[at] = char(random());
                break;
            case 1:
                text.insert(at, kNasty[random() % std::size(kNasty)]);
                break;
            case 2:
                text.erase(at, random() % 40);
                break;
            case 3:
                text.resize(at);
                break;
            case 4:
                text.insert(at, text.substr(text.size() / 3, random() % 80));
                break;
            default:
                if (!text.empty()) std::swap(text[at], text[random() % text.size()]);
        }
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    const int games = argc > 1 ? std::atoi(argv[1]) : 100'000;
    Random random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    constexpr int kTogether = 50;
    long broken = 0;
    for (int done = 0; done < games; done += kTogether) {
        std::string text;
        std::vector<GameRecord> untouched;
        for (int i = 0; i < kTogether; ++i) {
            std::string victim;
            write_pgn(random_game(random, -1), victim);
            text += mutated(victim, random) + "\n\n";
            untouched.push_back(random_game(random, done + i));
            write_pgn(untouched.back(), text);
        }
        const Read read = read_pgn(text, 1 + random() % text.size());
        broken += long(read.complaints.size());
        std::size_t next = 0;
        for (const GameRecord& game : read.games)
            if (next < untouched.size() && same(game, untouched[next])) ++next;
        if (next != untouched.size()) {
            std::string missing;
            write_pgn(untouched[next], missing);
            std::fprintf(stderr, "missing:\n%s", missing.c_str());
            fail("an untouched game is missing", text);
        }
        if (done % (20 * kTogether) == 0) examine(text, 1 + random() % 100);
    }
    std::printf("%d mutated games, %ld complaints, every untouched game read\n", games, broken);
}

#endif
