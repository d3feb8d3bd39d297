"""Positions told apart in bulk: their Polyglot keys, and sets that hold such keys by the million."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import KeySet as KeySet
from okapi.core.packed import rows

Keys = NDArray[np.uint64]

SUCCESSOR: Final = np.dtype([("row", "<u8"), ("key", "<u8")])
"""The number of a position, and the key of one that a move leads to; cpp/okapi/samples/keys.h has the same bytes."""


def position_keys(positions: NDArray[np.void]) -> Keys:
    """The Polyglot key of each POSITION. Counters do not matter; en passant only where it is legal."""
    keys = np.empty(len(positions), np.uint64)
    _core.position_keys(rows(positions), keys)
    return keys


def successors_in(positions: NDArray[np.void], wanted: KeySet) -> NDArray[np.void]:
    """Rows of SUCCESSOR: of all positions that one legal move leads to, from each POSITION, those in a set."""
    return np.frombuffer(_core.successors_in(rows(positions), wanted), SUCCESSOR)
