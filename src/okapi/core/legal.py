"""The legal moves of many positions at once.

>>> from okapi.core.packed import pack_fens
>>> legal = legal_moves(pack_fens(["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7k/8/8/8/8/8/1q6/K7 w - - 0 1"]))
>>> legal.starts.tolist(), legal.rows.tolist()
([0, 5, 6], [0, 0, 0, 0, 0, 1])
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core.packed import rows

__all__ = ["LegalMoves", "legal_moves"]

AT_ONCE: Final = 8192
"""Positions whose moves are listed together: 4 MB."""


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of positions, one after the other."""

    starts: NDArray[np.int64]
    """Where the moves of each position begin; one more, where the last ones end."""
    bits: NDArray[np.uint16]
    """Move.bits of each move."""

    @property
    def rows(self) -> NDArray[np.int64]:
        """The number of each move's position."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def legal_moves(positions: NDArray[np.void], *, threads: int = 1) -> LegalMoves:
    """Of packed positions, in the order in which Position.legal_moves() has them."""
    counts = np.zeros(1 + len(positions), np.int64)
    found = [np.zeros(0, np.uint16)]
    for begin in range(0, len(positions), AT_ONCE):
        some = positions[begin : begin + AT_ONCE]
        lists = np.empty((len(some), _core.MOST_LEGAL_MOVES), np.uint16)
        here = counts[1 + begin : 1 + begin + len(some)]
        _core.legal_move_lists(rows(some), here, lists, threads)
        found.append(lists[np.arange(_core.MOST_LEGAL_MOVES) < here[:, np.newaxis]])
    return LegalMoves(np.cumsum(counts), np.concatenate(found))
