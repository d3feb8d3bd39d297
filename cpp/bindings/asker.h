// A Python function as an opinion about positions, safe to call from search threads that do not hold the GIL.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings.h"
#include "okapi/eval/gathering.h"

namespace okapi::bindings {

// Asks the function. What it throws is kept for the one who started the search: a search cannot be left in the middle,
// so it is told to stop and fed with zeros until it has.
//
// The function is borrowed: those that Python knows (an Evaluator, a Thinker) own it, and tell the garbage collector. A
// function often refers to its owner in turn, through the globals of its module.
class Asker {
public:
    // How the function is called; with the GIL.
    using Manner = std::vector<int> (*)(nb::handle function, const std::vector<Position>& positions);

    Asker(nb::handle function, Manner manner);
    ~Asker();
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;

    // Without the GIL: this may wait for another thread that needs it.
    std::vector<int> ask(const std::vector<Position>& positions) { return gathering_.ask(positions); }
    // From now on, `stop` is called when the function fails.
    void begin(std::function<void()> stop);
    // Throws what the function threw since begin().
    void end();

private:
    std::vector<int> ask_python(const std::vector<Position>& positions);

    nb::handle function_;
    Manner manner_;
    Gathering gathering_;
    std::mutex mutex_;
    std::function<void()> stop_;
    std::exception_ptr error_;
};

// Positions in a list, expected scores in anything that can be iterated over: for people.
std::vector<int> ask_for_scores(nb::handle function, const std::vector<Position>& positions);
// Rows of packed positions, and an array of centipawns to be filled: for networks.
std::vector<int> ask_for_centipawns(nb::handle function, const std::vector<Position>& positions);

// A Callback that can be asked who its Asker is.
class AskingEvaluator final : public Evaluator {
public:
    // `owned`: the function that the Asker borrows, for an evaluator that Python knows.
    explicit AskingEvaluator(std::shared_ptr<Asker> asker, nb::object owned = {})
        : asker_(asker),
          callback_([asker](const std::vector<Position>& positions) { return asker->ask(positions); }),
          owned_(std::move(owned)) {}

    Asker& asker() const { return *asker_; }
    nb::object& owned() { return owned_; }
    int value(const Position& position) override { return callback_.value(position); }
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<AskingEvaluator>(asker_); }
    bool wants_batches() const override { return callback_.wants_batches(); }
    void expect(Position& position, const MoveList& moves) override { callback_.expect(position, moves); }
    std::vector<int> values(const std::vector<Position>& positions) override { return callback_.values(positions); }

private:
    std::shared_ptr<Asker> asker_;
    Callback callback_;
    nb::object owned_;
};

// Evaluators that ask Python throw, in the end, what was thrown at them.
template <class Work> void with_askers(const std::vector<const Evaluator*>& evaluators, Work work) {
    std::vector<Asker*> askers;
    for (const Evaluator* evaluator : evaluators)
        if (const auto* asking = dynamic_cast<const AskingEvaluator*>(evaluator)) askers.push_back(&asking->asker());
    for (Asker* asker : askers) asker->begin({});
    work();
    for (Asker* asker : askers) asker->end();
}

}  // namespace okapi::bindings
