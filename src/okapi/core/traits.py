"""What can be said about many positions, and the moves chosen in them, without any opinion."""

from enum import IntFlag
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core.packed import rows

__all__ = ["Trait", "traits"]


class Trait(IntFlag):
    """Bits of what traits() gives; cpp/okapi/samples/traits.h has the same."""

    BROKEN = 1
    """The bytes are no position; nothing else is said."""
    IN_CHECK = 2
    CHECKMATE = 4
    """Of the side to move, as all that follows."""
    STALEMATE = 8
    INSUFFICIENT = 16
    """Nobody can ever mate."""
    ILLEGAL = 32
    """There is a move, but the rules do not allow it; nothing else is said about it."""
    CAPTURE = 64
    PROMOTION = 128
    CHECK = 256
    """The move gives it."""
    CHESS960 = 512
    """A right to castle that standard chess does not know."""


def traits(positions: NDArray[np.void], moves: NDArray[Any] | None = None) -> NDArray[np.uint16]:
    """The traits of each POSITION with the move (Move.bits, 0 for none) chosen in it.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack
    >>> mated = Position.from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    >>> Trait(int(traits(pack([mated]))[0]))
    <Trait.IN_CHECK|CHECKMATE: 6>
    """
    chosen = np.zeros(len(positions), np.uint16) if moves is None else np.ascontiguousarray(moves, np.uint16)
    if len(chosen) != len(positions):
        raise ValueError(f"{len(positions)} positions and {len(chosen)} moves")
    found = np.empty(len(positions), np.uint16)
    _core.position_traits(rows(positions), chosen, found)
    return found
