"""Positions in bulk: 32 bytes each, in numpy arrays that C++ fills and reads. A sample has 48."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Position
from okapi.core._core import RawPieceSquare as RawPieceSquare
from okapi.core._core import encode_positions as encode_positions

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
"""All fields of a FEN; cpp/okapi/samples/packed.h has the same bytes."""

SAMPLE: Final = np.dtype(
    [
        ("position", POSITION),
        ("value", "<i2"),  # centipawns for the side to move, or NO_VALUE
        ("move", "<u2"),  # Move.bits of the best, or else the played move; 0: none
        ("result", "i1"),  # for the side to move: 0 lost, 1 drawn, 2 won; -1 unknown
        ("flags", "u1"),  # 1: a random move led here, so the game's result is no label
        ("ply", "<u2"),  # moves played before, in its game
        ("game", "<u4"),  # its number in the store it came from, or NO_GAME
        ("nodes", "<u4"),  # that the teacher searched; 0: unknown
    ]
)
"""A training sample: a position, its value, its move, and where it came from."""

NO_SQUARE: Final = 64
NO_VALUE: Final = -32768
NO_GAME: Final = 0xFFFFFFFF


def pack(positions: Iterable[Position]) -> NDArray[np.void]:
    """An array of POSITION. The history is dropped."""
    listed = list(positions)
    array = np.empty(len(listed), POSITION)
    _core.pack_positions(listed, rows(array))
    return array


def pack_fens(fens: Iterable[str]) -> NDArray[np.void]:
    """The same from text. InvalidFen says which is none."""
    listed = list(fens)
    array = np.empty(len(listed), POSITION)
    _core.pack_fens(listed, rows(array))
    return array


def unpack(row: Any) -> Position:
    """The position of one row of an array. Raises InvalidPosition where the bytes are none."""
    return _core.unpack_position(rows(np.asarray(row, POSITION).reshape(1)))


def fens(array: NDArray[np.void]) -> list[str]:
    return _core.packed_fens(rows(array))


def rows(array: NDArray[np.void]) -> NDArray[np.uint8]:
    """The same memory as rows of 32 bytes, which is how C++ takes it. Positions inside samples are not copied."""
    if array.dtype != POSITION or array.ndim != 1:
        raise TypeError(f"expected an array of POSITION with one axis, not {array.ndim} axes of {array.dtype}")
    return in_bytes(array)


def in_bytes(records: NDArray[np.void]) -> NDArray[np.uint8]:
    """The same memory with an axis more, the bytes of each record."""
    return records[..., np.newaxis].view(np.uint8)


def random_positions(count: int, *, seed: int, starts: Iterable[Position] = ()) -> NDArray[np.void]:
    """Positions of random games, in the order of play, for tests and benchmarks. The same seed gives the same."""
    array = np.empty(count, POSITION)
    _core.random_positions(list(starts) or [Position.start()], seed, rows(array))
    return array


AT_ONCE: Final = 8192
"""Positions whose moves are listed together: 4 MB."""


@dataclass(frozen=True, slots=True)
class LegalMoves:
    starts: NDArray[np.int64]
    """Where the moves of each position begin; one more, where the last ones end."""
    bits: NDArray[np.uint16]
    """Move.bits of each move."""

    @property
    def rows(self) -> NDArray[np.int64]:
        """The number of each move's position."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def legal_moves(positions: NDArray[np.void], *, threads: int = 1) -> LegalMoves:
    """The legal moves of packed positions, in the order of Position.legal_moves()."""
    counts = np.zeros(1 + len(positions), np.int64)
    found = [np.zeros(0, np.uint16)]
    for begin in range(0, len(positions), AT_ONCE):
        some = positions[begin : begin + AT_ONCE]
        lists = np.empty((len(some), _core.MOST_LEGAL_MOVES), np.uint16)
        here = counts[1 + begin : 1 + begin + len(some)]
        _core.legal_move_lists(rows(some), here, lists, threads)
        found.append(lists[np.arange(_core.MOST_LEGAL_MOVES) < here[:, np.newaxis]])
    return LegalMoves(np.cumsum(counts), np.concatenate(found))


class Trait(IntFlag):
    """Bits of what traits() gives; cpp/okapi/samples/traits.h has the same."""

    BROKEN = 1
    """The bytes are no position; no other bit is set."""
    IN_CHECK = 2
    CHECKMATE = 4
    """Of the side to move, as all that follows."""
    STALEMATE = 8
    INSUFFICIENT = 16
    """Neither side can ever mate."""
    ILLEGAL = 32
    """The move is illegal; no other bit of the move is set."""
    CAPTURE = 64
    PROMOTION = 128
    CHECK = 256
    """The move gives it."""
    CHESS960 = 512
    """A right to castle that standard chess does not know."""


def traits(positions: NDArray[np.void], moves: NDArray[Any] | None = None) -> NDArray[np.uint16]:
    """The traits of each POSITION with the move (Move.bits, 0 for none) chosen in it."""
    chosen = np.zeros(len(positions), np.uint16) if moves is None else np.ascontiguousarray(moves, np.uint16)
    if len(chosen) != len(positions):
        raise ValueError(f"{len(positions)} positions and {len(chosen)} moves")
    found = np.empty(len(positions), np.uint16)
    _core.position_traits(rows(positions), chosen, found)
    return found
