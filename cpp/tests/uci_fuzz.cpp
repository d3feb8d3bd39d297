// Talks nonsense to Uci, in this process, and checks that it keeps its manners: one bestmove for each go, one readyok
// for each isready, no line takes long, nothing is said that is not UCI. Meant for sanitizers.
//
//   uci_fuzz [LINES [SEED]]      100,000 lines and seed 1 if nothing is said
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/uci/uci.h"

namespace {

const std::vector<std::string> kCorpus = {
    "uci",
    "isready",
    "isready",
    "ucinewgame",
    "stop",
    "stop",
    "ponderhit",
    "debug on",
    "debug off",
    "register later",
    "",
    " ",
    "position startpos",
    "position startpos moves",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "position startpos moves e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w - -",
    "position fen qnrbkrbn/ppp3pp/3p1p2/4p3/4PP2/3P4/PPP3PP/QNRBKRBN w FCfc - 0 4",
    "position fen 8/P6k/8/8/8/8/p6K/8 w - - 99 80 moves a7a8q",
    "position fen 9/8/8/8 w KQkq e3 0 1",
    "position fen",
    "position fen kkkkkkkk/pppppppp/8/8/8/8/PPPPPPPP/KKKKKKKK w - - 0 1",
    "position",
    "flip",
    "d",
    "eval",
    "help",
    "compiler",
    "go",
    "go infinite",
    "go ponder",
    "go ponder wtime 1000 btime 1000",
    "go depth 1",
    "go depth 2",
    "go depth 3",
    "go nodes 1",
    "go nodes 200",
    "go movetime 1",
    "go wtime 5 btime 5",
    "go wtime 100 winc 1 btime 100 binc 1 movestogo 2",
    "go wtime -5 btime 99999999999999999999",
    "go mate 2",
    "go searchmoves e2e4 d2d4 depth 2",
    "go searchmoves 0000",
    "go depth",
    "go depth abc",
    "go nodes 18446744073709551616",
    "go movestogo 0 wtime 3",
    "go perft 2",
    "go perft 9",
    "go infinite searchmoves e2e4",
    "go ponder depth 2",
    "joho go depth 1",
    "\tgo\tdepth\t1\r",
    "quitt",
    "go depth 2 depth 1",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name Hash value 1",
    "setoption name Hash value 2",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 256",
    "setoption name MultiPV value 1",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Elo value 800",
    "setoption name UCI_Elo value 3200",
    "setoption name UCI_AnalyseMode value true",
    "setoption name UCI_AnalyseMode value false",
    "setoption name SyzygyPath value",
    "setoption name SyzygyPath value .",
    "setoption name OwnBook value true",
    "setoption name BookFile value noise.bin",
    "setoption name BookFile value cut.bin",
    "setoption name BookFile value",
    "setoption name EvalFile value noise.bin",
    "setoption name EvalFile value",
    "setoption name WeightsFile value nothing",
    "setoption name VerboseMoveStats value true",
    "setoption name VerboseMoveStats value false",
    "setoption name LogLiveStats value true",
    "setoption name LogLiveStats value false",
    "setoption name Without value null_move,table",
    "setoption name Without value nonsense",
    "setoption name Without value",
    "setoption name Move Overhead value 0",
    "setoption name UCI_Variant value chess",
    "setoption",
    "setoption name",
    "setoption value",
    "setoption name name value value",
};

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) { return std::size_t(random() % end); }

// A line of the corpus, as it stands or damaged.
std::string next_line(Random& random) {
    std::string line = kCorpus[below(random, kCorpus.size())];
    for (std::size_t wounds = below(random, 4); wounds > 0; --wounds) {
        const std::size_t at = line.empty() ? 0 : below(random, line.size());
        switch (below(random, 6)) {
            case 0:
                line.insert(at, 1, char(below(random, 256)));
                break;
            case 1:
                if (!line.empty()) line.erase(at, 1 + below(random, 4));
                break;
            case 2:
                if (!line.empty()) line[at] = char(' ' + below(random, 95));
                break;
            case 3:
                line += ' ' + kCorpus[below(random, kCorpus.size())];
                break;
            case 4:
                line.insert(at, " " + std::to_string(std::int64_t(random()) >> below(random, 64)) + " ");
                break;
            case 5:
                line = line.substr(at) + ' ' + line.substr(0, at);
                break;
        }
    }
    std::erase(line, '\n');
    return line;
}

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

bool is_number(const std::string& word) {
    const std::size_t start = !word.empty() && (word[0] == '-' || word[0] == '+') ? 1 : 0;
    return word.size() > start && word.find_first_not_of("0123456789", start) == std::string::npos;
}

// Would it take the whole machine, end the run, or write files?
bool is_unkind(const std::vector<std::string>& words) {
    const auto holds = [&](std::string_view part) {
        return std::ranges::any_of(words, [&](std::string word) {
            std::ranges::transform(word, word.begin(), [](unsigned char c) { return char(std::tolower(c)); });
            return word.find(part) != std::string::npos;
        });
    };
    const bool large =
        std::ranges::any_of(words, [](const std::string& word) { return is_number(word) && word.size() > 1; });
    return holds("quit") || holds("bench") || holds("log") || (large && (holds("hash") || holds("threads")));
}

// The command in a line, by the rule that unknown words are skipped; an independent reading of it.
std::string command_in(const std::vector<std::string>& words) {
    static const std::vector<std::string> kProtocol = {"uci",      "debug",      "isready",  "setoption",
                                                       "register", "ucinewgame", "position", "go",
                                                       "stop",     "ponderhit",  "quit"};
    static const std::vector<std::string> kExtras = {"help", "d", "eval", "flip", "bench", "compiler"};
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (std::ranges::find(kProtocol, words[i]) != kProtocol.end()) {
            const bool perft = std::ranges::find(words, "perft") != words.end();
            return words[i] == "go" && perft ? "perft" : words[i];
        }
        if (i == 0 && std::ranges::find(kExtras, words[i]) != kExtras.end()) return words[i];
    }
    return "";
}

// Counts the lines that matter and keeps none.
class Ear : public std::streambuf {
public:
    long bestmoves = 0;
    long readyoks = 0;

protected:
    int_type overflow(int_type c) override {
        if (c == '\n') {
            bestmoves += line_.starts_with("bestmove ");
            readyoks += line_ == "readyok";
            line_.clear();
        } else if (line_.size() < 20) {
            line_ += char(c);
        }
        return c;
    }

private:
    std::string line_;
};

struct Oracle {
    long gos = 0;
    long readies = 0;
    double slowest = 0;

    void note(const std::string& command) {
        gos += command == "go";
        readies += command == "isready";
    }
};

[[noreturn]] void fail(const std::string& what, long number, const std::string& line) {
    std::fprintf(stderr, "line %ld: %s\n  %s\n", number, what.c_str(), line.c_str());
    std::exit(1);
}

void write_noise(const std::string& path, std::size_t size) {
    Random random(7);
    std::ofstream file(path, std::ios::binary);
    for (std::size_t i = 0; i < size; ++i) file.put(char(random()));
}

void fuzz(long lines, std::uint64_t seed) {
    using Clock = std::chrono::steady_clock;
    constexpr double kLongest = 10;       // seconds of processor time; sanitizers are slow
    constexpr double kLongestWait = 300;  // by the clock; the machine may do much else
    Random random(seed);
    Ear ear;
    std::ostream out(&ear);
    okapi::Uci uci(out);
    Oracle oracle;
    std::string line;
    for (long number = 1; number <= lines; ++number) {
        line = next_line(random);
        const std::vector<std::string> words = words_of(line);
        const std::string command = command_in(words);
        // Whether a damaged line is a perft, which has no bestmove, is hard to tell: only whole ones are said.
        const bool exact_perft = words.size() == 3 && words[1] == "perft" && is_number(words[2]);
        if (is_unkind(words) || (command == "perft" && !exact_perft)) continue;
        const auto start = Clock::now();
        const std::clock_t worked = std::clock();
        uci.handle(line);
        // Now and then let it finish, or stop it at once, so that all orders of events occur.
        if (command == "go" && below(random, 3) == 0) uci.handle("stop");
        oracle.note(command);
        const double waited = std::chrono::duration<double>(Clock::now() - start).count();
        const double seconds = double(std::clock() - worked) / CLOCKS_PER_SEC;
        oracle.slowest = std::max(oracle.slowest, seconds);
        if (seconds > kLongest || waited > kLongestWait) fail("took " + std::to_string(waited) + " s", number, line);
        if (number % 64 == 0) {
            uci.handle("stop");
            uci.handle("setoption name MultiPV value 1");  // what was queued has happened, and the search is over
            if (ear.bestmoves != oracle.gos)
                fail(std::to_string(oracle.gos) + " go, " + std::to_string(ear.bestmoves) + " bestmove", number, line);
            if (ear.readyoks != oracle.readies)
                fail(std::to_string(oracle.readies) + " isready, " + std::to_string(ear.readyoks) + " readyok", number,
                     line);
        }
    }
    uci.handle("quit");
    std::printf("%ld lines, %ld searches, slowest line %.3f s\n", lines, oracle.gos, oracle.slowest);
    if (ear.bestmoves != oracle.gos) fail("bestmove missing at the end", lines, line);
}

}  // namespace

int main(int argc, char** argv) {
    const long lines = argc > 1 ? std::atol(argv[1]) : 100'000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto folder = std::filesystem::temp_directory_path() / ("uci_fuzz_" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    write_noise("noise.bin", 4096);
    write_noise("cut.bin", 1000);
    fuzz(lines, seed);
    std::filesystem::current_path("/");
    std::filesystem::remove_all(folder);
}
