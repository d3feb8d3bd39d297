"""The legal moves of many positions at once.

>>> from okapi.core.packed import pack_fens
>>> legal = legal_moves(pack_fens(["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7k/8/8/8/8/8/1q6/K7 w - - 0 1"]))
>>> legal.starts.tolist(), legal.rows.tolist()
([0, 5, 6], [0, 0, 0, 0, 0, 1])
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import unpack

__all__ = ["LegalMoves", "legal_moves"]


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
    """Of packed positions."""
    moves = [[move.bits for move in unpack(row).legal_moves()] for row in positions]
    starts = np.cumsum([0, *map(len, moves)], dtype=np.int64)
    return LegalMoves(starts, np.array([bits for some in moves for bits in some], np.uint16))
