"""Positions in bulk: 32 bytes each, in numpy arrays that C++ fills and reads. A sample has 48.

>>> array = pack_fens(["8/8/8/8/8/8/8/K1k4R b - - 7 50", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"])
>>> array["halfmove_clock"].tolist(), array.nbytes
([7, 0], 64)
>>> fens(array)[1]
'4k3/8/8/8/8/8/4P3/4K3 b - - 0 1'
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Position

__all__ = [
    "NO_GAME",
    "NO_SQUARE",
    "NO_VALUE",
    "POSITION",
    "SAMPLE",
    "fens",
    "pack",
    "pack_fens",
    "random_positions",
    "rows",
    "unpack",
]

POSITION: Final = np.dtype(
    [
        ("occupied", "<u8"),  # bit 0 is a1, bit 63 h8
        ("pieces", "u1", 16),  # four bits for each occupied square from a1 on, low bits first
        ("turn", "u1"),  # 0 White, 1 Black
        ("en_passant", "u1"),  # where taking is legal; else NO_SQUARE
        ("halfmove_clock", "<u2"),
        ("fullmove_number", "<u2"),
        ("unused", "<u2"),
    ]
)
"""Everything that a FEN says; cpp/okapi/samples/packed.h has the same bytes."""

SAMPLE: Final = np.dtype(
    [
        ("position", POSITION),
        ("value", "<i2"),  # centipawns for the side to move, or NO_VALUE
        ("move", "<u2"),  # Move.bits of the best, or else the played move; 0: none
        ("result", "i1"),  # for the side to move: 0 lost, 1 drawn, 2 won; -1 unknown
        ("flags", "u1"),  # 1: a random move led here, so the game's result says nothing
        ("ply", "<u2"),  # moves played before, in its game
        ("game", "<u4"),  # its number in the store it came from, or NO_GAME
        ("nodes", "<u4"),  # that the teacher searched; 0: unknown
    ]
)
"""A position, its value, its move, and where it came from: what learners eat."""

NO_SQUARE: Final = 64
NO_VALUE: Final = -32768
NO_GAME: Final = 0xFFFFFFFF


def pack(positions: Iterable[Position]) -> NDArray[np.void]:
    """An array of POSITION. What was played before is forgotten.

    >>> pack([Position.start()])["turn"]
    array([0], dtype=uint8)
    """
    listed = list(positions)
    array = np.empty(len(listed), POSITION)
    _core.pack_positions(listed, rows(array))
    return array


def pack_fens(fens: Iterable[str]) -> NDArray[np.void]:
    """The same from text.

    >>> pack_fens(["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8 w - - 0 1"])
    Traceback (most recent call last):
    okapi.errors.InvalidFen: number 1: the piece placement of the FEN is '4k3/8/8'
    """
    listed = list(fens)
    array = np.empty(len(listed), POSITION)
    _core.pack_fens(listed, rows(array))
    return array


def unpack(row: Any) -> Position:
    """The position of one row of an array. Raises InvalidPosition where the bytes are none.

    >>> unpack(pack([Position.start()])[0]) == Position.start()
    True
    """
    return _core.unpack_position(rows(np.asarray(row, POSITION).reshape(1)))


def fens(array: NDArray[np.void]) -> list[str]:
    """The FEN of each position."""
    return _core.packed_fens(rows(array))


def rows(array: NDArray[np.void]) -> NDArray[np.uint8]:
    """The same memory as rows of 32 bytes, which is how C++ takes it. Positions inside samples are not copied.

    >>> samples = np.zeros(3, SAMPLE)
    >>> rows(samples["position"]).strides
    (48, 1)
    """
    if array.dtype != POSITION or array.ndim != 1:
        raise TypeError(f"expected an array of POSITION with one axis, not {array.ndim} axes of {array.dtype}")
    return array[:, np.newaxis].view(np.uint8)


def random_positions(count: int, *, seed: int, starts: Iterable[Position] = ()) -> NDArray[np.void]:
    """Positions of random games, in the order of play, for tests and benchmarks. The same seed gives the same.

    >>> array = random_positions(3, seed=1)
    >>> fens(array)[0] == Position.start().fen(), array["fullmove_number"].tolist()
    (True, [1, 1, 2])
    """
    array = np.empty(count, POSITION)
    _core.random_positions(list(starts) or [Position.start()], seed, rows(array))
    return array
