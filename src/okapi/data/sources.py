"""Where samples come from, as learners see it: positions with numbers, and the games that they belong to."""

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import NO_GAME
from okapi.core.samples import Rows, as_samples
from okapi.data.samples import Samples, is_sample_file
from okapi.data.store import Store

__all__ = ["FileSource", "GameStore", "Source", "StoreSource", "open_source"]

Numbers = NDArray[np.int64]


class Source(Protocol):
    """Positions that can be asked for by number, those of a game one after the other."""

    def __len__(self) -> int:
        """Positions."""

    def take(self, numbers: Numbers) -> Rows:
        """The samples with these numbers, in this order."""

    def games(self) -> Numbers:
        """The number that each game begins with, and at the end the number of positions."""


class FileSource:
    """A sample file. Rows without a game are games of their own."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._games: Numbers | None = None

    def __len__(self) -> int:
        return len(self._samples)

    def take(self, numbers: Numbers) -> Rows:
        """The samples with these numbers."""
        return as_samples(self._samples[numbers])

    def games(self) -> Numbers:
        """Where the number of the game changes. Reads all of the file, once."""
        if self._games is None:
            column = np.concatenate([np.zeros(0, np.uint32), *(rows["game"] for rows in self._samples.blocks())])
            begins = np.ones(len(column) + 1, np.bool_)
            begins[1:-1] = (column[1:] != column[:-1]) | (column[1:] == NO_GAME)
            self._games = np.flatnonzero(begins)
        return self._games


class GameStore(Protocol):
    """What is needed of a game store."""

    def plies(self) -> NDArray[np.uint16]:
        """Moves of each game."""

    def samples(self, games: NDArray[np.uint32], plies: NDArray[np.uint16]) -> Rows:
        """The position after so many moves of each game, as samples."""


class StoreSource:
    """A game store: every position in which a move was played."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._games = np.concatenate([[0], store.plies().astype(np.int64).cumsum()])

    def __len__(self) -> int:
        return int(self._games[-1])

    def take(self, numbers: Numbers) -> Rows:
        """The samples with these numbers. The store is asked in its own order, which is quickest."""
        order = np.argsort(numbers)
        asked = numbers[order]
        games = np.searchsorted(self._games, asked, side="right") - 1
        rows = self._store.samples(games.astype(np.uint32), (asked - self._games[games]).astype(np.uint16))
        return rows.take(np.argsort(order))

    def games(self) -> Numbers:
        """Where each game begins; one without moves has no positions."""
        return self._games


def open_source(path: Path | str) -> Source:
    """A sample file or a game store, whatever it is called."""
    return FileSource(Samples.open(path)) if is_sample_file(path) else StoreSource(Store.open(path))
