"""Many positions put to another program, and positions one random move away from others: the fast way to labels."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Trouble
from okapi.core.packed import rows
from okapi.core.samples import LINE

__all__ = ["LABEL", "Lesson", "Trouble", "hold_lesson", "play_random_moves"]

LABEL: Final = np.dtype(
    [
        ("value", "<i2"),  # centipawns for the side to move, or NO_VALUE
        ("move", "<u2"),  # Move.bits
        ("nodes", "<u4"),
        ("wdl", "<u2", 3),  # win, draw, loss in thousandths for the side to move; zeros: not said
        ("depth", "u1"),
        ("unused", "u1"),
    ]
)
"""What a teacher said about a position; cpp/okapi/uci/info_reader.h has the same bytes."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """How far a program could be asked."""

    labels: NDArray[np.void]
    """LABEL, for the positions that were answered."""
    lines: NDArray[np.void]
    """LINE, so many for each of them."""
    trouble: Trouble
    """What came with the next position, if any did."""
    words: bytes
    """The answer that was no move, or the last complaint of a program that ended."""


def hold_lesson(
    streams: tuple[int, int, int],
    positions: NDArray[np.void],
    *,
    go: str,
    lines: int = 1,
    chess960: bool = False,
    forget: bool = False,
    ahead: int = 0,
    patience: float = 60.0,
) -> Lesson:
    """Ask the program behind three pipes (what it reads, writes, complains to) about each POSITION with `go`.

    With `forget`, it begins each with empty tables. `ahead` questions are sent before the last one is answered; each
    answer has `patience` seconds. Not on Windows, where pipes cannot be polled.
    """
    labels = np.zeros(len(positions), LABEL)
    heard = np.zeros((len(positions), lines), LINE)
    raw = _core.hold_lesson(
        streams,
        rows(positions),
        go=go,
        chess960=chess960,
        forget=forget,
        ahead=ahead,
        patience=patience,
        labels=labels[:, np.newaxis].view(np.uint8),
        lines=heard[:, :, np.newaxis].view(np.uint8),
    )
    return Lesson(labels[: raw.answered], heard[: raw.answered], raw.trouble, raw.words)


def play_random_moves(positions: NDArray[np.void], dice: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Play one legal move in each POSITION of an array: number `dice` of them, counted round and round.

    The array is changed. Of each position: was there a move at all?

    >>> from okapi.core import Position
    >>> from okapi.core.packed import fens, pack
    >>> array = pack([Position.start()])
    >>> play_random_moves(array, np.array([7], np.uint64)), fens(array)[0][-12:]
    (array([ True]), 'b KQkq - 0 1')
    """
    moved = np.empty(len(positions), np.bool_)
    _core.play_random_moves(rows(positions), np.ascontiguousarray(dice, np.uint64), moved)
    return moved
