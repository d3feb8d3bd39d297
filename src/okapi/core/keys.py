"""Positions told apart in bulk: their Polyglot keys, and sets that hold such keys by the million.

>>> seen = KeySet()
>>> seen.add(np.array([3, 5, 3], np.uint64)).tolist()
[True, True, False]
>>> seen.contains(np.array([5, 7], np.uint64)).tolist(), len(seen)
([True, False], 2)
"""

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
    """The Polyglot key of each POSITION. Counters do not matter; en passant only where it is legal.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack
    >>> hex(position_keys(pack([Position.start()]))[0])
    '0x463b96181691fc9c'
    """
    keys = np.empty(len(positions), np.uint64)
    _core.position_keys(rows(positions), keys)
    return keys


def successors_in(positions: NDArray[np.void], wanted: KeySet) -> NDArray[np.void]:
    """Rows of SUCCESSOR: of all positions that one legal move leads to, from each POSITION, those in a set.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack
    >>> after, wanted = Position.start().after("e4"), KeySet()
    >>> wanted.add(position_keys(pack([after]))).tolist()
    [True]
    >>> successors_in(pack([after, Position.start()]), wanted)["row"].tolist()
    [1]
    """
    return np.frombuffer(_core.successors_in(rows(positions), wanted), SUCCESSOR)
