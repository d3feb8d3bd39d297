// Keys and traits of packed positions in bulk, and sets of keys. okapi.core.keys and okapi.core.traits make the arrays.
#include "okapi/samples/keys.h"

#include "okapi/samples/traits.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

void position_keys(const Rows& rows, const Column<Key>& keys) {
    nb::gil_scoped_release release;
    for (std::size_t n = 0; n < keys.shape(0); ++n) keys.data()[n] = key(row(rows, n));
}

void position_traits(const Rows& rows, const Column<const std::uint16_t>& moves, const Column<Traits>& found) {
    nb::gil_scoped_release release;
    for (std::size_t n = 0; n < found.shape(0); ++n) found.data()[n] = traits(row(rows, n), Move(moves.data()[n]));
}

std::span<const Key> span(const Column<const Key>& keys) { return {keys.data(), keys.shape(0)}; }

void insert(KeySet& set, const Column<const Key>& keys, const Column<bool>& are_new) {
    nb::gil_scoped_release release;
    set.insert(span(keys), are_new.data());
}

void contains(const KeySet& set, const Column<const Key>& keys, const Column<bool>& are_in) {
    nb::gil_scoped_release release;
    set.contains(span(keys), are_in.data());
}

// Pairs of eight bytes each: the row, and the key of what follows.
nb::bytes successors(const Rows& rows, const KeySet& set) {
    std::vector<Successor> found;
    {
        nb::gil_scoped_release release;
        found = successors_in(packed_rows(rows), set);
    }
    return nb::bytes(found.data(), found.size() * sizeof(Successor));
}

}  // namespace

void add_keys(nb::module_& m) {
    m.def("position_keys", &position_keys, "rows"_a, "keys"_a, "Write the Polyglot key of each row.");
    m.def("position_traits", &position_traits, "rows"_a, "moves"_a, "traits"_a,
          "Write the traits of each row with the move chosen in it, 0 for none.");
    m.def("successors_in", &successors, "rows"_a, "set"_a,
          "Rows and keys, as pairs of u64, of the positions in a set that one legal move leads to.");
    nb::class_<KeySet>(m, "RawKeySet", "A set of 64-bit keys. Use okapi.core.keys.KeySet.")
        .def(nb::init<std::size_t>(), "expected"_a)
        .def("__len__", &KeySet::size)
        .def_prop_ro("nbytes", &KeySet::bytes)
        .def("insert", &insert, "keys"_a, "are_new"_a, "Add keys, and write of each whether it is new.")
        .def("contains", &contains, "keys"_a, "are_in"_a, "Write of each key whether it is there.");
}

}  // namespace okapi::bindings
