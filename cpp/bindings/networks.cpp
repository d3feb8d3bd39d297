// Convolutional networks. okapi.core.networks checks the layers and makes the arrays.
#include <nanobind/ndarray.h>

#include "bindings.h"
#include "okapi/eval/conv/convolutional.h"
#include "okapi/utils/parallel.h"

namespace okapi::bindings {

namespace {

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Answers = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Pair = std::pair<Matrix, Vector>;

LinearView view(const Matrix& weights, const Vector& bias) {
    return {{weights.data(), weights.size()}, {bias.data(), bias.size()}};
}
LinearView view(const Pair& pair) { return view(pair.first, pair.second); }

Activation activation(std::size_t index) {
    if (index >= kActivationNames.size()) throw nb::value_error("there is no such activation");
    return Activation(index);
}

void answer(const ConvolutionalNetwork& network, const Matrix& rows, const Answers& out, int threads) {
    if (rows.shape(1) != network.inputs() || out.shape(1) != network.outputs() || rows.shape(0) != out.shape(0))
        throw nb::value_error("the array to read or to write to has another shape");
    nb::gil_scoped_release release;
    parallel_ranges(rows.shape(0), threads, [&](std::size_t begin, std::size_t end) {
        network.answer(rows.data() + begin * network.inputs(), end - begin, out.data() + begin * network.outputs());
    });
}

}  // namespace

void add_networks(nb::module_& m) {
    nb::class_<ConvolutionalNetwork>(m, "ConvolutionalNetwork", "Use okapi.core.networks.Network.")
        .def(nb::init<std::vector<std::size_t>>(), "shape"_a)
        .def(
            "dense",
            [](ConvolutionalNetwork& network, const Matrix& weights, const Vector& bias, std::size_t act) {
                network.dense(view(weights, bias), activation(act));
            },
            "weights"_a, "bias"_a, "activation"_a, "Add a dense layer.")
        .def(
            "convolve",
            [](ConvolutionalNetwork& network, const Matrix& weights, const Vector& bias, std::size_t act) {
                network.convolve(view(weights, bias), activation(act));
            },
            "weights"_a, "bias"_a, "activation"_a, "Add kernels that look at every square.")
        .def(
            "residual",
            [](ConvolutionalNetwork& network, const Pair& first, const Pair& second, const std::vector<Pair>& squeeze,
               std::size_t act) {
                std::vector<LinearView> views;
                for (const Pair& pair : squeeze) views.push_back(view(pair));
                network.residual(view(first), view(second), views, activation(act));
            },
            "first"_a, "second"_a, "squeeze"_a, "activation"_a, "Add two convolutions whose answer is added.")
        .def("flatten", &ConvolutionalNetwork::flatten, "See planes as one row of numbers.")
        .def(
            "from_to",
            [](ConvolutionalNetwork& network, const Pair& queries, const Pair& keys) {
                network.from_to(view(queries), view(keys));
            },
            "queries"_a, "keys"_a, "Answer a number for every two squares.")
        .def("answer", &answer, "rows"_a, "out"_a, "threads"_a, "Write what it says about each row.");
}

}  // namespace okapi::bindings
