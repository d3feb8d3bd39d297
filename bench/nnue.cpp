// How long the NNUE takes for one value along the paths of a real search, with each set of instructions
// that this machine has.
//
//   nnue BRAIN [NODES]          docs/reference/evaluators.md says how to build it
//
// Searches some positions with so many nodes each (20,000 if not given) and records the calls of the evaluator: moves
// played and taken back, and values. They are then repeated without a search. Nanoseconds of processor time,
// the best of ten rounds; what playing the moves costs is measured apart and taken off.
#include "okapi/eval/nnue/nnue.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "okapi/eval/brain.h"
#include "okapi/search/search.h"

using namespace okapi;

namespace {

constexpr std::array<const char*, 6> kPositions = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                                   "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 9",
                                                   "2kr3r/pp1bbppp/2n1pn2/q1ppN3/3P4/2PBPN2/PP1BQPPP/R4RK1 b - - 4 12",
                                                   "3r1rk1/p4ppp/1p2p3/2p1P3/2PnN3/3R4/PP3PPP/3R2K1 b - - 2 22",
                                                   "8/5pk1/4p1p1/8/2B1P3/6P1/1r3PK1/8 b - - 0 40",
                                                   "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"};

struct Event {
    enum class What { Push, Pop, Value } what;
    Move move{};
};
struct Path {
    Position root;
    std::vector<Event> events;
};

// Writes down what it hears.
class Recorder final : public Evaluator {
public:
    Recorder(std::unique_ptr<Evaluator> evaluator, std::vector<Path>& paths)
        : evaluator_(std::move(evaluator)), paths_(paths) {}

    int value(const Position& position) override {
        add({Event::What::Value});
        return evaluator_->value(position);
    }
    void reset(const Position& position) override {
        paths_.push_back({position, {}});
        evaluator_->reset(position);
    }
    void push(const Position& before, Move move) override {
        add({Event::What::Push, move});
        evaluator_->push(before, move);
    }
    void pop() override {
        add({Event::What::Pop});
        evaluator_->pop();
    }
    std::unique_ptr<Evaluator> clone() const override {
        return std::make_unique<Recorder>(evaluator_->clone(), paths_);
    }

private:
    void add(Event event) {
        if (!paths_.empty()) paths_.back().events.push_back(event);
    }

    std::unique_ptr<Evaluator> evaluator_;
    std::vector<Path>& paths_;
};

// Does all that was written down, and asks for each value `times` times; with none, only the moves are played.
void follow(const std::vector<Path>& paths, Nnue& network, int times) {
    volatile int sink = 0;  // keeps the compiler from leaving the work out
    for (const Path& path : paths) {
        Position position = path.root;
        if (times > 0) network.reset(position);
        for (const Event& event : path.events) {
            const bool pass = event.what == Event::What::Push ? !event.move.exists() : position.last_was_pass();
            switch (event.what) {
                case Event::What::Push:
                    if (times > 0) network.push(position, event.move);
                    pass ? position.pass() : position.play(event.move);
                    break;
                case Event::What::Pop:
                    pass ? position.unpass() : position.undo();
                    if (times > 0) network.pop();
                    break;
                case Event::What::Value:
                    for (int i = 0; i < times; ++i) sink = network.value(position);
            }
        }
    }
    (void)sink;
}

double nanoseconds(const std::vector<Path>& paths, Nnue& network, int times) {
    double best = 1e18;
    for (int round = 0; round < 10; ++round) {
        const std::clock_t start = std::clock();
        follow(paths, network, times);
        best = std::min(best, 1e9 * double(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
}

}  // namespace

int main(int count, char** arguments) try {
    if (count < 2) throw std::runtime_error("expected a brain of the kind nnue");
    const Brain brain = Brain::open(arguments[1]);
    const NnueWeights weights = read_nnue(brain);
    Limits limits;
    limits.nodes = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 20'000;

    std::vector<Path> paths;
    Search search(std::make_unique<Recorder>(make_evaluator(brain), paths), 1);
    for (const char* fen : kPositions) search.run(Position::from_fen(fen), limits);
    double pushes = 0, values = 0;
    for (const Path& path : paths)
        for (const Event& event : path.events) {
            pushes += event.what == Event::What::Push;
            values += event.what == Event::What::Value;
        }
    std::printf("%zu neurons, %.0f moves, %.0f values\n", weights.accumulator.neurons, pushes, values);
    for (const AccumulatorKernels& kernels : known_accumulator_kernels()) {
        Nnue network(weights, kernels);
        const double moving = nanoseconds(paths, network, 0), once = nanoseconds(paths, network, 1),
                     twice = nanoseconds(paths, network, 2);
        std::printf("%s: %.1f ns a value, of which %.1f ns are the output; %.2f million values a second\n",
                    kernels.name, (once - moving) / values, (twice - once) / values, 1e3 * values / (once - moving));
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
}
