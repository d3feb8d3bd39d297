"""The tree of one search, node by node, for drawings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Evaluator, MovePrior, Position
from okapi.core.search import known_budget, known_heuristics
from okapi.errors import UsageError

INNER: Final = 0
"""Its moves were searched."""
HORIZON: Final = 1
"""No budget was left: the value is that of quiescence or the evaluator."""
SETTLED: Final = 2
"""Its value was known: by the table, by pruning or by the rules."""


@dataclass(frozen=True, slots=True, eq=False)
class SearchTree:
    """The nodes of one iteration, parents before children; quiescence is left out. One row a node, the root first."""

    parent: NDArray[np.int32]
    """The row above; -1 for the root."""
    move: NDArray[np.uint16]
    """That led here, as Move.bits; 0 for the root."""
    ply: NDArray[np.int32]
    left: NDArray[np.float64]
    """Plies of budget left; at the root, all of it."""
    value: NDArray[np.int32]
    """In centipawns for the side that made the move; for the side to move at the root. Often only a bound."""
    kind: NDArray[np.uint8]

    @property
    def probability(self) -> NDArray[np.float64]:
        """The probability of each line by the budget. With the rule `depth`, as if there were always 32 moves."""
        likely: NDArray[np.float64] = 32.0 ** (self.left - self.left[0])
        return likely


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
    """The tree of the last iteration that a search of `nodes` nodes finishes; at most `most` nodes of it.

    >>> from okapi.core import RawBrain
    >>> position = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    >>> tree = trace_tree(Evaluator.from_brain(RawBrain.default()), position, budget="even", nodes=1, without=["all"])
    >>> len(position.legal_moves()), tree.ply.tolist()[:3], tree.probability.round(3).tolist()[:3]
    (17, [0, 1, 2], [1.0, 0.059, 0.007])
    """
    if nodes < 1 or most < 1:
        raise UsageError("a tree has nodes", hint="nodes and most are 1 or more")
    raw = _core.trace_tree(
        evaluator,
        position,
        shape=known_budget(budget, with_moves=moves is not None),
        nodes=nodes,
        most=most,
        moves=moves,
        without=known_heuristics(without),
        extras=known_heuristics(extras),
    )
    return SearchTree(
        np.array(raw.parent, np.int32),
        np.array(raw.move, np.uint16),
        np.array(raw.ply, np.int32),
        np.array(raw.left, np.float64) / _core.PLY,
        np.array(raw.value, np.int32),
        np.array(raw.kind, np.uint8),
    )
