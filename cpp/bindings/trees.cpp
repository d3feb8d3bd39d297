// Trees that a search grows.
#include "bindings.h"
#include "okapi/search/tree.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

SearchTree trace_tree(const Evaluator& evaluator, const Position& position, std::string_view shape, std::uint64_t nodes,
                      std::size_t most, const MovePrior* moves, const std::vector<std::string>& without,
                      const std::vector<std::string>& extras) {
    if (dynamic_cast<const PythonEvaluator*>(&evaluator))
        throw std::invalid_argument("trees grow with a brain, not with a function");
    TreeOptions options{evaluator.clone(), moves ? moves->clone() : nullptr, BudgetRule::parse(shape),
                        heuristics(without, extras)};
    nb::gil_scoped_release release;
    return trace_tree(std::move(options), position, nodes, most);
}

template <class Field> auto each(Field field) {
    return [field](const SearchTree& tree) {
        std::vector<int> values;
        for (const SearchTree::Node& node : tree.nodes()) values.push_back(int(field(node)));
        return values;
    };
}

}  // namespace

void add_trees(nb::module_& m) {
    m.attr("PLY") = kPly;
    nb::class_<SearchTree>(m, "RawSearchTree",
                           "A tree as the core has it: one number for each node. Use okapi.core.search_tree.")
        .def_prop_ro("parent", each([](const SearchTree::Node& node) { return node.parent; }))
        .def_prop_ro("move", each([](const SearchTree::Node& node) { return node.move.bits; }))
        .def_prop_ro("ply", each([](const SearchTree::Node& node) { return node.ply; }))
        .def_prop_ro("left", each([](const SearchTree::Node& node) { return node.left; }))
        .def_prop_ro("value", each([](const SearchTree::Node& node) { return node.value; }))
        .def_prop_ro("kind", each([](const SearchTree::Node& node) { return node.kind(); }));
    m.def("trace_tree", &trace_tree, "evaluator"_a, "position"_a, nb::kw_only(), "shape"_a, "nodes"_a, "most"_a,
          "moves"_a.none(), "without"_a, "extras"_a, "The last iteration that a search of so many nodes finishes.");
}

}  // namespace okapi::bindings
