"""How much the start of some moves was misjudged, as far as what was found later can tell: TD(λ)."""

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.selfplay import NOTHING

__all__ = ["CENTIPAWNS", "contributions", "errors", "in_one_view"]

Floats = NDArray[np.float64]

CENTIPAWNS: Final = 800 / math.log(10)
"""Of z where y = tanh(z): y is twice the expected score, less one, and 400 centipawns are ten to one."""


def errors(
    values: NDArray[Any], kinds: NDArray[Any], discount: float = 0.7, *, same_side: bool = False, late: bool = False
) -> Floats:
    """For each ply the sum of all later changes of the value, each counting less by `discount` the later it comes.

    `values` are games x plies, all in one player's view. What has no value (NOTHING) stands for no change. With
    `same_side` a value is compared with the one two plies later, which the same side's search found. The rule of
    lai2015, section 4.5, counts the first change in full; its Table 2 has it discounted already: that is `late`.

    >>> scores = np.array([[10, 20, 20, 20, -10, -10, -10, 40, 40, 40, 40, 40]])
    >>> round(float(errors(scores, np.ones_like(scores), late=True)[0, 0]), 2)
    3.91
    """
    known = _filled(np.asarray(values, np.float64), np.asarray(kinds))
    step = 2 if same_side else 1
    sums = np.zeros_like(known)
    for ply in range(known.shape[1] - step - 1, -1, -1):
        sums[:, ply] = known[:, ply + step] - known[:, ply] + discount * sums[:, ply + step]
    return sums * (discount if late else 1.0)


def contributions(scores: NDArray[Any], discount: float = 0.7) -> Floats:
    """The last column of Table 2: what each ply adds to the error of the first."""
    changes = np.diff(np.asarray(scores, np.float64), prepend=scores[:1])
    return np.asarray(changes * discount ** np.arange(len(changes)), np.float64)


def in_one_view(values: NDArray[Any]) -> Floats:
    """Centipawns, each for its own side to move, as y = tanh(z) of the side that moves first."""
    signs = np.where(np.arange(values.shape[1]) % 2 == 0, 1.0, -1.0)
    return np.asarray(np.tanh(values / CENTIPAWNS) * signs, np.float64)


def _filled(values: Floats, kinds: NDArray[Any]) -> Floats:
    """Where there is no value, the last one before; at the beginning the first one after."""
    known = kinds != NOTHING
    plies = np.arange(values.shape[1])
    last = np.maximum.accumulate(np.where(known, plies, -1), axis=1)
    first = np.where(known.any(axis=1), known.argmax(axis=1), 0)
    return np.take_along_axis(values, np.where(last < 0, first[:, None], last), axis=1)
