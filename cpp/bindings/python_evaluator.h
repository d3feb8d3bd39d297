// A Python function as an evaluator, safe to call from search threads that do not hold the GIL.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings.h"
#include "okapi/eval/batcher.h"

namespace okapi::bindings {

// Asks the function. What it throws is kept for the one who started the search: a search cannot be left in the middle,
// so it is stopped and gets zeros until then.
//
// The function is borrowed: those that Python knows (an Evaluator, a Search) own it, and tell the garbage collector. A
// function often refers to its owner in turn, through the globals of its module.
class PythonFunction {
public:
    // How the function is called; with the GIL.
    using Manner = std::vector<int> (*)(nb::handle function, const std::vector<Position>& positions);

    PythonFunction(nb::handle function, Manner manner);
    ~PythonFunction();
    PythonFunction(const PythonFunction&) = delete;
    PythonFunction& operator=(const PythonFunction&) = delete;

    // Without the GIL: this may wait for another thread that needs it.
    std::vector<int> ask(const std::vector<Position>& positions) { return batcher_.ask(positions); }
    // From now on, `stop` is called when the function fails.
    void begin(std::function<void()> stop);
    // Throws what the function threw since begin().
    void end();

private:
    std::vector<int> ask_python(const std::vector<Position>& positions);

    nb::handle function_;
    Manner manner_;
    Batcher batcher_;
    std::mutex mutex_;
    std::function<void()> stop_;
    std::exception_ptr error_;
};

// Positions in a list, expected scores in anything that can be iterated over: for people.
std::vector<int> call_for_scores(nb::handle function, const std::vector<Position>& positions);
// Rows of packed positions, and an array of centipawns to be filled: for networks.
std::vector<int> call_for_centipawns(nb::handle function, const std::vector<Position>& positions);

// A Callback with access to its PythonFunction.
class PythonEvaluator final : public Evaluator {
public:
    // `owned`: the function that the PythonFunction borrows, for an evaluator that Python knows.
    explicit PythonEvaluator(std::shared_ptr<PythonFunction> function, nb::object owned = {})
        : function_(function),
          callback_([function](const std::vector<Position>& positions) { return function->ask(positions); }),
          owned_(std::move(owned)) {}

    PythonFunction& function() const { return *function_; }
    nb::object& owned() { return owned_; }
    int value(const Position& position) override { return callback_.value(position); }
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<PythonEvaluator>(function_); }
    bool wants_batches() const override { return callback_.wants_batches(); }
    void expect(Position& position, const MoveList& moves) override { callback_.expect(position, moves); }
    std::vector<int> values(const std::vector<Position>& positions) override { return callback_.values(positions); }

private:
    std::shared_ptr<PythonFunction> function_;
    Callback callback_;
    nb::object owned_;
};

// Errors of Python functions are thrown at the end.
template <class Work> void with_functions(const std::vector<const Evaluator*>& evaluators, Work work) {
    std::vector<PythonFunction*> functions;
    for (const Evaluator* evaluator : evaluators)
        if (const auto* asking = dynamic_cast<const PythonEvaluator*>(evaluator))
            functions.push_back(&asking->function());
    for (PythonFunction* function : functions) function->begin({});
    work();
    for (PythonFunction* function : functions) function->end();
}

}  // namespace okapi::bindings
