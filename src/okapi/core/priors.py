"""How likely the legal moves of many positions are to be the best, as a move network says."""

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Brain
from okapi.core.legal import LegalMoves
from okapi.core.packed import rows

__all__ = ["priors"]


def priors(brain: Brain, positions: NDArray[np.void], legal: LegalMoves, *, threads: int = 1) -> NDArray[np.float32]:
    """The probability of each of `legal`, the moves of packed positions; those of a position sum to 1.

    InvalidBrain if the brain does not say how likely moves are.
    """
    found = np.empty(len(legal.bits), np.float32)
    _core.move_priors(brain, rows(positions), legal.starts, legal.bits, found, threads)
    return found
