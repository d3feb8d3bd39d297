"""Where games begin that players play to learn from: anywhere, in a book, or beside a game that was played."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from okapi.arena.openings import load_openings
from okapi.core import Position
from okapi.core.packed import POSITION, unpack
from okapi.core.samples import Rows
from okapi.data.positions import STORE, read_positions
from okapi.data.shuffle import Shuffle, hashed
from okapi.data.sources import StoreSource
from okapi.data.store import Store
from okapi.errors import InvalidText, UsageError
from okapi.formats.samples import Skipped

__all__ = ["BookStarts", "RandomStarts", "Starts", "StoredStarts", "read_starts"]

RANDOM: Final = "random"

PATIENCE: Final = 1_000
"""Positions that are tried for one game."""

ELSEWHERE: Final = 1_000_003
"""How far from a position where the game is over the next try is; a prime, so that it comes to all of them."""


class Starts(Protocol):
    """Where game 0, 1, 2, … begins. The same number gives the same start."""

    @property
    def different(self) -> int | None:
        """How many there are before they repeat; None: nobody knows, but many."""
        ...

    def __getitem__(self, number: int) -> Position:
        """A position in which the game is not over."""
        ...


@dataclass(frozen=True, slots=True)
class RandomStarts:
    """After so many random moves from the start of the game.

    >>> starts = RandomStarts(plies=8, seed=1)
    >>> starts[5] == starts[5], starts[5] == starts[6], starts[5].fullmove_number
    (True, False, 5)
    """

    plies: int
    seed: int

    @property
    def different(self) -> int | None:
        """Few, if there are hardly any moves."""
        return {0: 1, 1: 20, 2: 400}.get(self.plies)

    def __getitem__(self, number: int) -> Position:
        dice = random.Random(f"{self.seed}/{number}")
        while True:
            position = Position.start()
            for _ in range(self.plies):
                moves = position.legal_moves()
                if not moves:
                    break
                position.play_unchecked(dice.choice(moves))
            if position.ending() is None:
                return Position.from_fen(position.fen())  # nobody has to know the moves that led there


@dataclass(frozen=True, slots=True)
class BookStarts:
    """The openings of a file, one after the other, and then again."""

    openings: Sequence[Position]

    @property
    def different(self) -> int | None:
        """All of them."""
        return len(self.openings)

    def __getitem__(self, number: int) -> Position:
        return self.openings[number % len(self.openings)]


class StoredStarts:
    """Stored positions in random order, and one random move in each: lai2015, section 4.3."""

    def __init__(self, paths: Sequence[Path], seed: int) -> None:
        """From game stores, or files of positions of any format."""
        self._sources = [_Positions(path) for path in paths]
        self._ends = np.array([len(source) for source in self._sources]).cumsum()
        self._seed = seed
        if not self._ends[-1]:
            raise InvalidText(f"there is no position in {', '.join(path.name for path in paths)}")
        self._order = Shuffle(int(self._ends[-1]), seed)

    @property
    def different(self) -> int | None:
        """At least one for each position."""
        return len(self._order)

    def __getitem__(self, number: int) -> Position:
        for attempt in range(PATIENCE):
            place = (number + attempt * ELSEWHERE) % len(self._order)
            position = self._position(int(self._order[place : place + 1][0]))
            moves = position.legal_moves()
            dice = int(hashed(np.array([number + attempt * ELSEWHERE]), self._seed)[0])
            after = position.after(moves[dice % len(moves)]) if moves else position
            if after.ending() is None:
                return Position.from_fen(after.fen())
        raise InvalidText("in no position of the files is there a move after which the game goes on")

    def _position(self, number: int) -> Position:
        source = int(np.searchsorted(self._ends, number, side="right"))
        before = int(self._ends[source - 1]) if source else 0
        return self._sources[source][number - before]


class _Positions:
    """The positions of a file by number: in a store where they lie, others in memory."""

    def __init__(self, path: Path) -> None:
        self._store = StoreSource(Store.open(path)) if path.suffix == STORE else None
        self._rows = np.zeros(0, POSITION) if self._store is not None else _read(path)

    def __len__(self) -> int:
        return len(self._rows) if self._store is None else len(self._store)

    def __getitem__(self, number: int) -> Position:
        if self._store is None:
            return unpack(self._rows[number])
        return unpack(self._store.take(np.array([number]))["position"][0])


def _read(path: Path) -> Rows:
    chunks = [chunk.rows["position"] for chunk in read_positions([path], Skipped())]
    return np.concatenate([np.zeros(0, POSITION), *chunks])


def read_starts(openings: str, *, plies: int = 16, seed: int = 1, games: int | None = None) -> Starts:
    """The starts that a text stands for: random:8, or the name of a file of openings.

    >>> read_starts("random:8")
    RandomStarts(plies=8, seed=1)
    """
    kind, _, number = openings.partition(":")
    if kind == RANDOM:
        if not number.isdigit():
            raise UsageError(f"`{openings}` does not say how many moves are played at random", hint="random:8")
        return RandomStarts(int(number), seed)
    return BookStarts(load_openings(openings, plies=plies, seed=seed, count=games))
