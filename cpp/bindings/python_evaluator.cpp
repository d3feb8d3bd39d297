#include "python_evaluator.h"

#include <algorithm>
#include <thread>

#include "packed.h"

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

// An array that numpy may keep for as long as it likes.
template <class Number, class... Shape>
nb::ndarray<nb::numpy, Number, Shape...> owned(std::initializer_list<std::size_t> sides) {
    std::size_t size = 1;
    for (std::size_t side : sides) size *= side;
    auto* numbers = new Number[size]();
    const nb::capsule owner(numbers, [](void* memory) noexcept { delete[] static_cast<Number*>(memory); });
    return {numbers, sides, owner};
}

}  // namespace

PythonFunction::PythonFunction(nb::handle function, Manner manner)
    : function_(function),
      manner_(manner),
      batcher_([this](const std::vector<Position>& positions) { return ask_python(positions); },
               std::max(1, int(std::thread::hardware_concurrency()))) {}

PythonFunction::~PythonFunction() {
    nb::gil_scoped_acquire gil;  // for an exception of Python's that nobody asked for
    error_ = nullptr;
}

std::vector<int> PythonFunction::ask_python(const std::vector<Position>& positions) {
    {
        std::lock_guard lock(mutex_);
        if (error_) return std::vector<int>(positions.size(), 0);
    }
    try {
        nb::gil_scoped_acquire gil;
        return manner_(function_, positions);
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        if (stop_) stop_();
        return std::vector<int>(positions.size(), 0);
    }
}

std::vector<int> call_for_scores(nb::handle function, const std::vector<Position>& positions) {
    nb::list asked;
    for (const Position& position : positions) asked.append(nb::cast(position));
    const nb::object answers = function(asked);
    std::vector<int> values;
    for (nb::handle answer : nb::iter(answers)) {
        if (values.size() == positions.size()) throw nb::value_error("the evaluator answered with too many values");
        values.push_back(centipawns(checked_value(answer, positions[values.size()])));
    }
    if (values.size() != positions.size()) throw nb::value_error("the evaluator answered with too few values");
    return values;
}

std::vector<int> call_for_centipawns(nb::handle function, const std::vector<Position>& positions) {
    const auto rows = owned<std::uint8_t>({positions.size(), sizeof(PackedPosition)});
    const auto values = owned<std::int32_t>({positions.size()});
    for (std::size_t n = 0; n < positions.size(); ++n) {
        const PackedPosition packed = pack(positions[n]);
        std::memcpy(rows.data() + n * sizeof(packed), &packed, sizeof(packed));
    }
    function(rows, values);
    return {values.data(), values.data() + positions.size()};
}

void PythonFunction::begin(std::function<void()> stop) {
    std::lock_guard lock(mutex_);
    stop_ = std::move(stop);
    error_ = nullptr;
}

void PythonFunction::end() {
    std::exception_ptr error;
    {
        std::lock_guard lock(mutex_);
        stop_ = nullptr;
        std::swap(error, error_);
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace okapi::bindings
