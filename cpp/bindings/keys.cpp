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

using Membership = nb::ndarray<nb::numpy, bool, nb::ndim<1>>;

// An array of as many answers as there are keys, filled by `fill`.
template <class Fill> Membership membership(const Column<const Key>& keys, Fill fill) {
    const std::size_t count = keys.shape(0);
    bool* answers = new bool[count];
    const nb::capsule owner(answers, [](void* data) noexcept { delete[] static_cast<bool*>(data); });
    {
        nb::gil_scoped_release release;
        fill(std::span<const Key>(keys.data(), count), answers);
    }
    return Membership(answers, {count}, owner);
}

Membership add_keys_to(KeySet& set, const Column<const Key>& keys) {
    return membership(keys, [&](std::span<const Key> all, bool* are_new) { set.insert(all, are_new); });
}

Membership known_keys(const KeySet& set, const Column<const Key>& keys) {
    return membership(keys, [&](std::span<const Key> all, bool* are_in) { set.contains(all, are_in); });
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
    nb::class_<KeySet>(m, "KeySet", "A set of 64-bit keys, 12 to 24 bytes each.")
        .def(nb::init<std::size_t>(), "expected"_a = 0)
        .def("__len__", &KeySet::size)
        .def_prop_ro("nbytes", &KeySet::bytes)
        .def("add", &add_keys_to, "keys"_a, "Add keys; of each, whether it is new.")
        .def("contains", &known_keys, "keys"_a, "Of each key, whether it is in the set.");
}

}  // namespace okapi::bindings
