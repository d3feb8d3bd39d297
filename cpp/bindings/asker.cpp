#include "asker.h"

namespace okapi::bindings {

namespace {

double checked_value(nb::handle answer, const Position& position) {
    const double value = PyFloat_AsDouble(answer.ptr());  // also what only behaves like a float, as numpy's do
    if (value == -1.0 && PyErr_Occurred()) throw nb::python_error();
    if (value >= 0.0 && value <= 1.0) return value;
    const nb::str message =
        nb::str("the evaluator answered {} for {}: expected 0 (lost) to 1 (won) for the side to move")
            .format(value, position.fen());
    throw nb::value_error(message.c_str());
}

}  // namespace

Asker::~Asker() {
    nb::gil_scoped_acquire gil;  // for an exception of Python's that nobody asked for
    error_ = nullptr;
}

std::vector<int> Asker::ask(const std::vector<Position>& positions) {
    {
        std::lock_guard lock(mutex_);
        if (error_) return std::vector<int>(positions.size(), 0);
    }
    try {
        return ask_python(positions);
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        if (stop_) stop_();
        return std::vector<int>(positions.size(), 0);
    }
}

std::vector<int> Asker::ask_python(const std::vector<Position>& positions) {
    nb::gil_scoped_acquire gil;
    nb::list asked;
    for (const Position& position : positions) asked.append(nb::cast(position));
    const nb::object answers = function_(asked);
    std::vector<int> values;
    for (nb::handle answer : nb::iter(answers)) {
        if (values.size() == positions.size()) throw nb::value_error("the evaluator answered with too many values");
        values.push_back(centipawns(checked_value(answer, positions[values.size()])));
    }
    if (values.size() != positions.size()) throw nb::value_error("the evaluator answered with too few values");
    return values;
}

void Asker::begin(std::function<void()> stop) {
    std::lock_guard lock(mutex_);
    stop_ = std::move(stop);
    error_ = nullptr;
}

void Asker::end() {
    std::exception_ptr error;
    {
        std::lock_guard lock(mutex_);
        stop_ = nullptr;
        std::swap(error, error_);
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace okapi::bindings
