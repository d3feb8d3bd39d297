"""Which samples a learner is given."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import NO_VALUE
from okapi.core.samples import Rows, quiet

__all__ = ["Filters"]

RANDOM_MOVE: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a sample must be to be taken; what is not said does not matter.

    >>> from okapi.core.packed import SAMPLE
    >>> Filters(pieces=(3, 7)).keep(np.zeros(2, SAMPLE)).tolist()
    [False, False]
    """

    quiet: bool = False
    """The side to move is not in check, and the best or else played move is no capture and no promotion."""
    plies: tuple[int, int] | None = None
    """Moves played before, at least and at most."""
    pieces: tuple[int, int] | None = None
    """Pieces on the board, kings and pawns too, at least and at most."""
    largest_value: int | None = None
    """Centipawns for either side, at most. Samples without a value fail."""
    with_value: bool = False
    with_result: bool = False
    with_move: bool = False
    without_random: bool = False
    """Not those that a random move led to."""

    def keep(self, rows: Rows) -> NDArray[np.bool_]:
        """Of each row, whether it may be taken."""
        kept = np.ones(len(rows), np.bool_)
        if self.plies is not None:
            kept &= (rows["ply"] >= self.plies[0]) & (rows["ply"] <= self.plies[1])
        if self.pieces is not None:
            count = np.bitwise_count(rows["position"]["occupied"])
            kept &= (count >= self.pieces[0]) & (count <= self.pieces[1])
        if self.with_value or self.largest_value is not None:
            kept &= rows["value"] != NO_VALUE
        if self.largest_value is not None:
            kept &= np.abs(rows["value"].astype(np.int32)) <= self.largest_value
        if self.with_result:
            kept &= rows["result"] >= 0
        if self.with_move:
            kept &= rows["move"] != 0
        if self.without_random:
            kept &= rows["flags"] & RANDOM_MOVE == 0
        if self.quiet:  # last, because it is the one that costs something
            left = np.flatnonzero(kept)
            kept[left] = quiet(rows.take(left))
        return kept
