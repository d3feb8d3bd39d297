"""Searches in bulk for learning: short games of an evaluator against itself, with the end of every line of thought.

>>> from okapi.core import Brain
>>> from okapi.core.packed import random_positions
>>> played = play(Evaluator.from_brain(Brain.default()), random_positions(3, seed=1), plies=4, nodes=64, seed=2)
>>> played.values.shape, bool((played.kinds == LEARNS).all())
((3, 4), True)
>>> bool((played.values == np.where(played.turned, -1, 1) * played.leaf_values).all())
True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Evaluator
from okapi.core.packed import POSITION, rows
from okapi.core.thinker import known_heuristics

__all__ = ["FIXED", "LEARNS", "NOTHING", "Played", "best_moves", "internal_nodes", "play"]

NOTHING: Final = 0
"""The game was over before this ply."""
LEARNS: Final = 1
"""The value is what the evaluator says of the leaf."""
FIXED: Final = 2
"""A mate, or a draw by the rules: a value that nothing is to be learned for, but from."""

PLY: Final = np.dtype(
    [
        ("position", POSITION),
        ("leaf", POSITION),
        ("value", "<i4"),
        ("leaf_value", "<i4"),
        ("kind", "u1"),
        ("turned", "u1"),
        ("unused", "<u2"),
        ("unused_too", "<u4"),
    ]
)
"""One ply of a game; cpp/okapi/selfplay/tdleaf.h has the same bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Games side by side: one row a start, one column a ply."""

    positions: NDArray[np.void]
    """POSITION: the roots."""
    values: NDArray[np.int32]
    """What the search of each ply found: centipawns for its side to move. Mates are as the core has them."""
    leaves: NDArray[np.void]
    """POSITION: the ends of the principal variations."""
    leaf_values: NDArray[np.int32]
    """What the evaluator says of the leaves, for their side to move; where a value is fixed, that value."""
    kinds: NDArray[np.uint8]
    """NOTHING, LEARNS or FIXED."""
    turned: NDArray[np.bool_]
    """Is the leaf's side to move the other one than the root's? Then its value is the negative of the root's."""


def play(
    evaluator: Evaluator,
    positions: NDArray[np.void],
    *,
    plies: int = 12,
    nodes: int = 256,
    seed: int,
    random_moves: int = 1,
    threads: int = 1,
    without: Sequence[str] = (),
) -> Played:
    """Play on from each POSITION, after some random moves, with searches of `nodes` nodes.

    Values are those of the last finished depth. Correction history, fading, known endings and endgame tables are left
    out, and so is whatever else could come between the evaluator and a value. A game that ends within its plies has
    one more, FIXED, for the position in which it is over.

    A game keeps its table and histories and begins with empty ones: what comes out depends on the arguments alone, and
    not on `threads`. Ctrl-C is heard afterwards, so hand in no more than some seconds' work.
    """
    _at_least(1, plies=plies, nodes=nodes)
    _at_least(0, random_moves=random_moves)
    table = np.zeros((len(positions), plies), PLY)
    _core.study_games(
        evaluator,
        rows(positions),
        table[:, :, np.newaxis].view(np.uint8),
        nodes=nodes,
        seed=seed,
        random_moves=random_moves,
        without=known_heuristics(without),
        threads=threads,
    )
    return Played(
        positions=np.ascontiguousarray(table["position"]),
        values=np.ascontiguousarray(table["value"]),
        leaves=np.ascontiguousarray(table["leaf"]),
        leaf_values=np.ascontiguousarray(table["leaf_value"]),
        kinds=np.ascontiguousarray(table["kind"]),
        turned=table["turned"] != 0,
    )


def best_moves(
    evaluator: Evaluator, positions: NDArray[np.void], *, nodes: int, threads: int = 1
) -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
    """Move.bits of what a search of `nodes` nodes finds best in each POSITION, and its value as play() has them.

    Each is searched on its own, with all that the ordinary search has but endgame tables; an answer depends on its
    evaluator and its position alone. 0 where no move is legal.
    """
    _at_least(1, nodes=nodes)
    moves, values = np.zeros(len(positions), np.uint16), np.zeros(len(positions), np.int32)
    _core.best_moves(evaluator, rows(positions), moves, values, nodes=nodes, threads=threads)
    return moves, values


def internal_nodes(
    evaluator: Evaluator, positions: NDArray[np.void], *, nodes: int, each: int, seed: int, threads: int = 1
) -> tuple[NDArray[np.void], NDArray[np.intp]]:
    """POSITIONs that searches of `nodes` nodes look into, and the number of the root below which each was found.

    Of each search so many as `each` says, all different, drawn evenly among those whose moves it tried: the root is one
    of them, quiescence does not count, and after a null move it is the other side's turn. Of a search that looks into
    fewer, all of them.
    """
    _at_least(1, nodes=nodes, each=each)
    drawn = np.zeros((len(positions), each), POSITION)
    counts = np.zeros(len(positions), np.uint32)
    _core.inner_nodes(
        evaluator,
        rows(positions),
        drawn[:, :, np.newaxis].view(np.uint8),
        counts,
        nodes=nodes,
        seed=seed,
        threads=threads,
    )
    roots, places = np.nonzero(np.arange(each) < counts[:, np.newaxis])
    return drawn[roots, places], roots


def _at_least(least: int, **numbers: int) -> None:
    for name, number in numbers.items():
        if number < least:
            raise ValueError(f"{name} is {number}: expected {least} or more")
