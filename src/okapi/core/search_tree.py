"""The tree of one search, node by node, for drawings."""

from collections.abc import Iterable
from typing import Final

from okapi.core import _core
from okapi.core._core import Evaluator, MovePrior, Position
from okapi.core._core import SearchTree as SearchTree
from okapi.core.search import known_budget, known_heuristics
from okapi.errors import UsageError

INNER: Final = 0
"""Its moves were searched."""
HORIZON: Final = 1
"""No budget was left: the value is that of quiescence or the evaluator."""
SETTLED: Final = 2
"""Its value was known: by the table, by pruning or by the rules."""


def trace_tree(
    evaluator: Evaluator,
    position: Position,
    *,
    budget: str = "depth",
    nodes: int = 3000,
    moves: MovePrior | None = None,
    without: Iterable[str] = (),
    extras: Iterable[str] = (),
    most: int = 5000,
) -> SearchTree:
    """The tree of the last iteration that a search of `nodes` nodes finishes; at most `most` nodes of it."""
    if nodes < 1 or most < 1:
        raise UsageError("a tree has nodes", hint="nodes and most are 1 or more")
    shape = known_budget(budget, with_moves=moves is not None)
    heuristics = {"without": known_heuristics(without), "extras": known_heuristics(extras)}
    return _core.trace_tree(evaluator, position, shape=shape, nodes=nodes, most=most, moves=moves, **heuristics)
