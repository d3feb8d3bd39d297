"""Searches with what was known after each depth: what a network that allots time learns from.

>>> from okapi.core import Brain, Evaluator
>>> from okapi.core.packed import random_positions
>>> found = record(Evaluator.from_brain(Brain.default()), random_positions(2, seed=1), nodes=500)
>>> found["depth"][:, :3].tolist()
[[1, 2, 3], [1, 2, 3]]
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Evaluator
from okapi.core.packed import rows

__all__ = ["FEATURES", "MOMENT", "record"]

FEATURES: Final = (
    "depth",
    "moves",
    "stable for",
    "just changed",
    "changes",
    "effort",
    "fallen",
    "grown",
)
"""What is seen of a moment, each about as large as 1; cpp/okapi/search/time_manager.cpp makes them."""

MOMENT: Final = np.dtype(
    [("features", "<f4", (len(FEATURES),)), ("nodes", "<u8"), ("usual", "<f4"), ("best", "<u2"), ("depth", "<u2")]
)
"""A finished depth: what is seen of it, the nodes until then, the share of the usual time after which the rule stops,
and Move.bits of the best move. `depth` is 0 where the search was over before."""

DEPTHS: Final = 40
"""Of a search, at most."""


def record(evaluator: Evaluator, positions: NDArray[np.void], *, nodes: int, threads: int = 1) -> NDArray[np.void]:
    """Search each POSITION with so many nodes: MOMENTs, one row a position, one column a depth."""
    moments = np.zeros((len(positions), DEPTHS), MOMENT)
    _core.record_moments(
        evaluator, rows(positions), moments[:, :, np.newaxis].view(np.uint8), nodes=nodes, threads=threads
    )
    return moments
