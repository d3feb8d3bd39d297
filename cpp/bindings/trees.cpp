// Trees that a search grows.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>

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

// A number of each node, as a new array.
template <class Number, class Field>
void each(nb::class_<SearchTree>& tree_class, const char* name, const char* about, Field field) {
    const auto read = [field](const SearchTree& tree) {
        const auto& nodes = tree.nodes();
        Number* numbers = new Number[nodes.size()];
        const nb::capsule owner(numbers, [](void* data) noexcept { delete[] static_cast<Number*>(data); });
        std::ranges::transform(nodes, numbers, [&](const SearchTree::Node& node) { return Number(field(tree, node)); });
        return nb::ndarray<nb::numpy, Number, nb::ndim<1>>(numbers, {nodes.size()}, owner);
    };
    tree_class.def_prop_ro(name, read, nb::rv_policy::move, about);
}

using TreeNode = SearchTree::Node;

// Plies of budget left.
double budget_left(const TreeNode& node) { return double(node.left) / kPly; }

// As if there were always 32 moves.
double line_probability(const SearchTree& tree, const TreeNode& node) {
    return std::pow(32.0, budget_left(node) - budget_left(tree.nodes().front()));
}

}  // namespace

void add_trees(nb::module_& m) {
    nb::class_<SearchTree> tree(m, "SearchTree",
                                "The nodes of one iteration, parents before children; quiescence is left out. "
                                "One row a node, the root first.");
    each<std::int32_t>(tree, "parent", "The row above; -1 for the root.",
                       [](const SearchTree&, const TreeNode& node) { return node.parent; });
    each<std::uint16_t>(tree, "move", "That led here, as Move.bits; 0 for the root.",
                        [](const SearchTree&, const TreeNode& node) { return node.move.bits; });
    each<std::int32_t>(tree, "ply", "Moves from the root.",
                       [](const SearchTree&, const TreeNode& node) { return node.ply; });
    each<double>(tree, "left", "Plies of budget left; at the root, all of it.",
                 [](const SearchTree&, const TreeNode& node) { return budget_left(node); });
    each<std::int32_t>(tree, "value",
                       "In centipawns for the side that made the move; for the side to move at the root. Often only a "
                       "bound.",
                       [](const SearchTree&, const TreeNode& node) { return node.value; });
    each<std::uint8_t>(tree, "kind", "See okapi.core.search_tree.",
                       [](const SearchTree&, const TreeNode& node) { return node.kind(); });
    each<double>(tree, "probability",
                 "The probability of each line by the budget. With the rule `depth`, as if there were always 32 moves.",
                 line_probability);
    m.def("trace_tree", &trace_tree, "evaluator"_a, "position"_a, nb::kw_only(), "shape"_a, "nodes"_a, "most"_a,
          "moves"_a.none(), "without"_a, "extras"_a, "The last iteration that a search of so many nodes finishes.");
}

}  // namespace okapi::bindings
