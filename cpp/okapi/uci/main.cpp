// okapi-uci: the engine as a program that front ends start. Without arguments it speaks UCI.
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "okapi/eval/brain.h"
#include "okapi/search/search.h"
#include "okapi/uci/bench.h"
#include "okapi/uci/genfens.h"
#include "okapi/uci/tokens.h"
#include "okapi/uci/uci.h"

namespace {

using namespace okapi;

constexpr std::string_view kUsage = R"(okapi-uci: a chess engine that speaks UCI on standard input and output.

    okapi-uci                                 speak UCI; `help` lists the commands
    okapi-uci bench [DEPTH]                   search a fixed set of positions: N nodes M nps
    okapi-uci "genfens N seed S book None"    random openings, as OpenBench asks for them
    okapi-uci --version | --help
)";

enum Exit { kDone = 0, kWrongUsage = 2, kWrongInput = 3 };

// Nobody reads our output any more: there is nothing left to do, whichever thread noticed.
void leave() { std::_Exit(kDone); }

std::string joined(int argc, char** argv) {
    std::string text;
    for (int i = 1; i < argc; ++i) uci::append(text, argv[i]);
    return text;
}

int bench(uci::Tokens tokens, uci::Writer& writer) {
    const auto depth = tokens.done() ? kBenchDepth : uci::parse_number(tokens.next());
    if (!depth || *depth < 1 || *depth >= kMaxPly) {
        std::cerr << "error: bench takes a depth from 1 to " << kMaxPly - 1 << '\n';
        return kWrongUsage;
    }
    Search search(make_evaluator(default_brain()));
    const BenchResult result = run_bench(search, int(*depth), [&](const BenchStep& step) {
        writer.write(to_text(step));
        return true;
    });
    writer.write(to_text(result));
    return kDone;
}

int genfens(std::string_view command, uci::Writer& writer) {
    Search search(make_evaluator(default_brain()));
    try {
        generate_fens(command, search, writer);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return kWrongInput;
    }
    return kDone;
}

int speak() {
    Uci uci(std::cout, leave);
    uci.run(std::cin);
    return kDone;
}

}  // namespace

int main(int argc, char** argv) {
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN);  // a closed output is noticed by writing to it
#endif
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);  // the reading thread must not flush another thread's output

    const std::string arguments = joined(argc, argv);
    uci::Tokens tokens(arguments);
    const std::string_view first = tokens.next();
    uci::Writer writer(std::cout, leave);
    if (first.empty()) return speak();
    if (first == "bench") return bench(tokens, writer);
    if (first == "genfens") return genfens(arguments, writer);
    if (first == "--version")
        writer.write(program_name());
    else if (first == "--help" || first == "-h")
        std::cout << kUsage << std::flush;
    else {
        std::cerr << "error: unknown argument '" << uci::printable(first) << "'\n\n" << kUsage;
        return kWrongUsage;
    }
    return kDone;
}
