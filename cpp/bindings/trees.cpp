// Trees that a search grows.
#include "asker.h"
#include "bindings.h"
#include "okapi/search/tree.h"

namespace okapi::bindings {

namespace {

Tree grow_tree(const Evaluator& evaluator, const Position& position, std::string_view shape, std::uint64_t nodes,
               std::size_t most, const MovePrior* moves, const std::vector<std::string>& without,
               const std::vector<std::string>& extras) {
    if (dynamic_cast<const AskingEvaluator*>(&evaluator))
        throw std::invalid_argument("trees grow with a brain, not with a function");
    Seed seed{evaluator.clone(), moves ? moves->clone() : nullptr, Shape::parse(shape), heuristics(without, extras)};
    nb::gil_scoped_release release;
    return grow(std::move(seed), position, nodes, most);
}

template <class Field> auto each(Field field) {
    return [field](const Tree& tree) {
        std::vector<int> values;
        for (const Tree::Node& node : tree.nodes()) values.push_back(int(field(node)));
        return values;
    };
}

}  // namespace

void add_trees(nb::module_& m) {
    m.attr("PLY") = kPly;
    nb::class_<Tree>(m, "RawTree", "A tree as the core has it: one number for each node. Use okapi.core.trees.")
        .def_prop_ro("parent", each([](const Tree::Node& node) { return node.parent; }))
        .def_prop_ro("move", each([](const Tree::Node& node) { return node.move.bits; }))
        .def_prop_ro("ply", each([](const Tree::Node& node) { return node.ply; }))
        .def_prop_ro("left", each([](const Tree::Node& node) { return node.left; }))
        .def_prop_ro("value", each([](const Tree::Node& node) { return node.value; }))
        .def_prop_ro("kind", each([](const Tree::Node& node) { return node.kind(); }));
    m.def("grow_tree", &grow_tree, "evaluator"_a, "position"_a, nb::kw_only(), "shape"_a, "nodes"_a, "most"_a,
          "moves"_a.none(), "without"_a, "extras"_a, "The last iteration that a search of so many nodes finishes.");
}

}  // namespace okapi::bindings
