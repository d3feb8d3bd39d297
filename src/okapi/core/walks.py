"""Positions in bulk for a network that learns from a teacher. They depend on the seed alone, not on the threads."""

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Evaluator
from okapi.core.packed import POSITION, rows


def random_walks(
    positions: NDArray[np.void], count: int, *, plies: int = 7, seed: int = 1, threads: int = 1
) -> NDArray[np.void]:
    """So many quiet POSITIONs on and beside random walks of up to `plies` legal moves from random ones of the array.

    Quiet: nobody is in check, and no capture or promotion wins material. Every position has to have a legal move.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack
    >>> len(random_walks(pack([Position.start()]), 100))
    100
    """
    found = _room(positions, count)
    _core.random_walks(rows(positions), rows(found), plies=plies, seed=seed, threads=threads)
    return found


def evaluated_positions(
    evaluator: Evaluator,
    positions: NDArray[np.void],
    count: int,
    *,
    nodes: int = 1000,
    one_in: int = 2,
    seed: int = 1,
    threads: int = 1,
) -> NDArray[np.void]:
    """So many POSITIONs for which searches of `nodes` nodes, begun in random ones of the array, ask the evaluator.

    One evaluation in `one_in` is kept.
    """
    found = _room(positions, count)
    _core.evaluated_positions(
        evaluator, rows(positions), rows(found), nodes=nodes, one_in=one_in, seed=seed, threads=threads
    )
    return found


def _room(positions: NDArray[np.void], count: int) -> NDArray[np.void]:
    if not len(positions):
        raise ValueError("there is no position to begin with")
    return np.zeros(count, POSITION)
