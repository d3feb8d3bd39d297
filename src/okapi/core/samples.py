"""Samples in bulk: their rows, their moves as text, and blocks of Stockfish's .binpack."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import NO_SUCH_MOVE as NO_SUCH_MOVE
from okapi.core.packed import POSITION, SAMPLE, rows

Rows = NDArray[np.void]

MATE: Final = 32000
"""The value of mate in n moves is so much less n; of being mated, the same with a minus."""

LINE: Final = np.dtype([("move", "<u2"), ("value", "<i2")])
"""One line of a teacher: its first move and what it is worth, in centipawns for the side to move."""

MOST_LINES: Final = 256


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns beyond those of a sample."""

    lines: int = 0
    """Best lines of the teacher, best first."""
    wdl: bool = False
    """Win, draw, loss in thousandths, for the side to move."""
    depth: bool = False
    """Depth of the teacher's search; 0: unknown."""

    def __post_init__(self) -> None:
        if not 0 <= self.lines <= MOST_LINES:
            raise ValueError(f"{self.lines} lines: expected 0 to {MOST_LINES}")

    @property
    def dtype(self) -> np.dtype[np.void]:
        """A row: the fields of SAMPLE, then those that are there, then as many unused bytes as make it whole eights."""
        optional = {"lines": (LINE, (self.lines,)), "wdl": ("<u2", (3,)), "depth": ("u1",)}
        extra: list[Any] = [(name, *optional[name]) for name, given in self.as_json().items() if given]
        if padding := -np.dtype(extra).itemsize % 8:
            extra.append(("unused", "u1", (padding,)))
        return np.dtype([*((name, SAMPLE[name]) for name in SAMPLE.names or ()), *extra])

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The columns that a header names; ValueError for others."""
        if strange := sorted(set(data) - {"lines", "wdl", "depth"}):
            raise ValueError(f"unknown columns: {', '.join(strange)}")
        return cls(int(data.get("lines", 0)), bool(data.get("wdl", False)), bool(data.get("depth", False)))

    @classmethod
    def of(cls, dtype: np.dtype[np.void]) -> Self:
        names = dtype.names or ()
        return cls(dtype["lines"].shape[0] if "lines" in names else 0, "wdl" in names, "depth" in names)


def as_samples(array: Rows) -> Rows:
    """The rows as plain SAMPLE, without columns; the same array if it has none."""
    return array if array.dtype == SAMPLE else array[list(SAMPLE.names or ())].astype(SAMPLE)


def pack_lines(fens: Sequence[str], moves: Sequence[str]) -> tuple[Rows, NDArray[np.uint16]]:
    """Positions, and the bits of the moves in them that texts, UCI or SAN, mean.

    The bits are 0 for an empty text, NO_SUCH_MOVE for one that is not legal. InvalidFen says what is wrong with a FEN.
    """
    positions = np.empty(len(fens), POSITION)
    return positions, np.array(_core.pack_lines(list(fens), list(moves), rows(positions)), np.uint16)


def move_texts(samples: Rows, *, san: bool = False) -> list[str]:
    """The moves of samples as UCI, or SAN; nothing where there is none or it is not legal."""
    return _core.move_texts(rows(samples["position"]), np.ascontiguousarray(samples["move"]), san)


def quiet(samples: Rows) -> NDArray[np.bool_]:
    """Of each sample, whether the mover is not in check and the move, if any, neither takes nor promotes."""
    answers = np.empty(len(samples), np.bool_)
    _core.quiet(rows(samples["position"]), samples["move"], answers)
    return answers


@dataclass(frozen=True, slots=True)
class BinpackRead:
    """A block of a .binpack. The values are the file's scores, whatever their unit."""

    samples: Rows
    chains: int
    """Samples of one chain follow each other by a move; `game` is the number of the chain."""
    trouble: str
    """The error that ended reading; empty if none."""
    offset: int
    """Where it ended."""

    @classmethod
    def of(cls, block: bytes, first_game: int) -> Self:
        """Read a block without its header; chains are numbered from `first_game` on."""
        data, chains, trouble, offset = _core.read_binpack(block, first_game)
        return cls(np.frombuffer(data, SAMPLE), chains, trouble, offset)


def write_binpack(samples: Rows) -> tuple[bytes, list[int]]:
    """Blocks for a .binpack, and the numbers of the samples that it cannot hold."""
    plain = np.ascontiguousarray(as_samples(samples))
    return _core.write_binpack(plain.view(np.uint8).reshape(len(plain), SAMPLE.itemsize))
