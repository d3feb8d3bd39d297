"""Which positions a teacher is asked about, in which order: the same every time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import KeySet, position_keys
from okapi.core.lessons import play_random_moves
from okapi.core.packed import NO_VALUE
from okapi.core.traits import Trait, traits
from okapi.data.positions import Chunk
from okapi.data.shuffle import hashed
from okapi.errors import NotFound, UsageError

__all__ = ["RANDOM_MOVE", "Batch", "Plan", "Planner"]

RANDOM_MOVE: Final = 1
"""The flag of a sample whose position no game reached; kRandomMove in cpp/okapi/samples/packed.h."""

Rows = NDArray[np.void]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which of the positions that there are."""

    sources: tuple[Path, ...]
    every: int = 1
    """One of so many."""
    most: int | None = None
    """No more than so many in all."""
    random_moves: float = 0.0
    """The share of positions in which one random move is played first, as in lai2015, section 4.3."""
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.random_moves <= 1.0:
            raise UsageError(f"{self.random_moves} of all positions cannot be", hint="a share is between 0 and 1")

    def as_json(self) -> dict[str, Any]:
        """For a card. Sources are told by name and size: whoever moves a folder has the same files."""
        return {
            "sources": [f"{path.name}, {_size(path)} bytes" for path in self.sources],
            "every": self.every,
            "max": self.most,
            "random_moves": self.random_moves,
            "seed": self.seed,
        }


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions that are asked about one after another, beginning with empty tables."""

    number: int
    rows: Rows
    """SAMPLE, without value and move."""


@dataclass(slots=True)
class Planner:
    """Goes through the sources and counts what it leaves out."""

    plan: Plan
    planned: int = 0
    duplicates: int = 0
    over: int = 0
    """Positions without a legal move."""
    part: float = 0.0
    """How much of the sources was read, 0 to 1."""
    _seen: KeySet = field(default_factory=KeySet)
    _met: int = 0

    def batches(self, chunks: Iterable[Chunk], size: int) -> Iterator[Batch]:
        """The same positions in batches of one size; the last may be smaller."""
        waiting: list[Rows] = []
        count = number = 0
        for rows in self._rows(chunks):
            waiting.append(rows)
            count += len(rows)
            if count < size:
                continue
            whole = np.concatenate(waiting)
            for start in range(0, count - size + 1, size):
                yield Batch(number, whole[start : start + size])
                number += 1
            waiting = [whole[count - count % size :]]
            count %= size
        if count:
            yield Batch(number, np.concatenate(waiting))

    def _rows(self, chunks: Iterable[Chunk]) -> Iterator[Rows]:
        for chunk in chunks:
            self.part = chunk.part
            rows = self._chosen(chunk.rows)
            left = len(rows) if self.plan.most is None else self.plan.most - self.planned
            rows = rows[:left]
            self.planned += len(rows)
            yield rows
            if self.planned == self.plan.most:
                break
        self.part = 1.0

    def _chosen(self, rows: Rows) -> Rows:
        """Those of some rows that are to be asked about."""
        first = -self._met % self.plan.every
        numbers = np.arange(self._met, self._met + len(rows), dtype=np.uint64)[first :: self.plan.every]
        self._met += len(rows)
        rows = rows[first :: self.plan.every].copy()
        rows["value"], rows["move"], rows["nodes"] = NO_VALUE, 0, 0
        if self.plan.random_moves:
            self._play_random_moves(rows, numbers)
        ended = (traits(rows["position"]) & (Trait.CHECKMATE | Trait.STALEMATE)) != 0
        self.over += int(ended.sum())
        rows = rows[~ended]
        is_new = self._seen.add(position_keys(rows["position"]))
        self.duplicates += len(rows) - int(is_new.sum())
        return rows[is_new]

    def _play_random_moves(self, rows: Rows, numbers: NDArray[np.uint64]) -> None:
        """In the share of rows that the dice choose. The result of the game says nothing about what follows."""
        which, where_to = map(int, hashed(np.arange(2), self.plan.seed))
        chosen = hashed(numbers, which) < self.plan.random_moves * 2.0**64
        positions = rows["position"][chosen]
        moved = play_random_moves(positions, hashed(numbers[chosen], where_to))
        where = np.flatnonzero(chosen)[moved]
        rows["position"][where] = positions[moved]
        rows["result"][where] = -1
        rows["flags"][where] |= RANDOM_MOVE
        rows["ply"][where] += 1
