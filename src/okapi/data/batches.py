"""Sampling for training: in which order learners meet samples.

The order is a permutation that is computed, so nothing is loaded but what is asked for; where a run stands in it is one
number, so a run that was stopped goes on exactly where it was.

>>> import tempfile
>>> from pathlib import Path
>>> from okapi.core.packed import SAMPLE
>>> from okapi.data.samples import SampleWriter
>>> from okapi.data.sources import open_source
>>> path = Path(tempfile.mkdtemp()) / "a.samples"
>>> with SampleWriter.open(path) as writer:
...     writer.append(np.zeros(10, SAMPLE))
>>> batches = Batches.of([open_source(path)], size=4, seed=1, epochs=1)
>>> [len(batch) for batch in batches]
[4, 4, 2]
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.samples import Rows
from okapi.data.filters import Filters
from okapi.data.shuffle import Shuffle, hashed
from okapi.data.sources import Source, Together
from okapi.errors import InvalidSamples, NotFound

__all__ = ["Batches", "By", "Sampler"]

By = Literal["positions", "games"]
"""Each position equally likely; or each game, and then a position of it."""

AT_A_TIME: Final = 1 << 14
"""Places of the order that are looked at together. What comes out does not depend on it."""

TRIES: Final = 16
"""Positions of a game that are tried until one passes the filters; then the game waits for the next epoch."""


class Sampler:
    """One source in random order, for ever or for some epochs.

    By positions, every sample that passes the filters comes exactly once an epoch. By games, every game gives one of
    its positions an epoch, drawn anew each time.
    """

    def __init__(
        self,
        source: Source,
        *,
        seed: int,
        by: By = "positions",
        filters: Filters | None = None,
        epochs: int | None = None,
    ) -> None:
        self.epoch = 0
        self.offset = 0
        """Places of this epoch's order that were used."""
        self._source = source
        self._seed = seed
        self._filters = filters
        self._epochs = epochs
        self._games = _with_positions(source.games()) if by == "games" else None
        self._size = len(source) if self._games is None else len(self._games)
        self._ready: list[Rows] = []  # at most one: what was looked at, but not given yet
        self._places: NDArray[np.int64] = np.zeros(0, np.int64)
        self._looked_at = 0
        self._given = 0  # in this epoch
        if self._size == 0:
            raise NotFound("there are no samples", hint="give a file that has some")

    def draw(self, count: int) -> Rows:
        """The next samples: so many, or fewer at the end of the last epoch."""
        parts: list[Rows] = []
        while count > 0 and (self._epochs is None or self.epoch < self._epochs):
            if not self._ready:
                self._look()
            rows = self._ready.pop()
            parts.append(rows[:count])
            self._given += len(parts[-1])
            if count < len(rows):
                self.offset = int(self._places[count - 1]) + 1
                self._ready, self._places = [rows[count:]], self._places[count:]
            else:
                self.offset = self._looked_at
                if self.offset == self._size:
                    self._next_epoch()
            count -= len(parts[-1])
        return np.concatenate(parts) if parts else self._source.take(np.zeros(0, np.int64))

    @property
    def state(self) -> dict[str, int]:
        """Where it stands."""
        return {"epoch": self.epoch, "offset": self.offset, "size": self._size}

    def restore(self, state: Mapping[str, int]) -> None:
        """Go on from there; InvalidSamples if the data is not what it was."""
        if state["size"] != self._size:
            raise InvalidSamples(
                f"the samples changed: there were {state['size']:,}, and there are {self._size:,}",
                hint="go on with the same files, or begin again",
            )
        self.epoch, self.offset = state["epoch"], state["offset"]
        self._ready = []
        self._given = 1 if self.offset else 0  # what came before may have been all there is

    def _look(self) -> None:
        start, stop = self.offset, min(self.offset + AT_A_TIME, self._size)
        order = Shuffle(self._size, _seed(self._seed, self.epoch))[start:stop]
        if self._games is None:
            rows, kept = self._passing(order)
        else:
            rows, kept = self._of_games(self._games[order])
        self._ready, self._places, self._looked_at = [rows], kept + start, stop

    def _of_games(self, games: NDArray[np.int64]) -> tuple[Rows, NDArray[np.int64]]:
        """A position of each game that passes the filters, and which games had one."""
        begins, lengths = games[:, 0], games[:, 1].astype(np.uint64)
        missing = np.arange(len(games))
        parts: list[Rows] = []
        found: list[NDArray[np.int64]] = []
        for attempt in range(TRIES):
            dice = hashed(begins[missing], _seed(self._seed, self.epoch, attempt)) % lengths[missing]
            rows, passed = self._passing(begins[missing] + dice.astype(np.int64))
            parts.append(rows)
            found.append(missing[passed])
            missing = np.delete(missing, passed)
            if not len(missing):
                break
        order = np.argsort(np.concatenate(found))
        return np.concatenate(parts).take(order), np.concatenate(found)[order]

    def _passing(self, numbers: NDArray[np.int64]) -> tuple[Rows, NDArray[np.int64]]:
        """The samples among these that pass the filters, and which those are."""
        rows = self._source.take(numbers)
        if self._filters is None:
            return rows, np.arange(len(rows))
        kept = np.flatnonzero(self._filters.keep(rows))
        return rows.take(kept), kept

    def _next_epoch(self) -> None:
        if self._given == 0:
            raise NotFound("no sample passes the filters", hint="ask for less")
        self.epoch += 1
        self.offset = self._given = 0


class Batches:
    """Arrays of samples, one after the other: the same for the same seed, and from any state on.

    With several samplers, each gives its share of every batch.
    """

    def __init__(self, samplers: Sequence[Sampler], shares: Sequence[float], *, size: int, seed: int) -> None:
        if size < 1 or len(samplers) != len(shares) or min(shares, default=0) < 0 or sum(shares) <= 0:
            raise ValueError(f"batches of {size} from {len(samplers)} samplers with shares {shares}")
        self._samplers = samplers
        self._shares = np.concatenate([[0.0], np.cumsum(shares) / sum(shares)])
        self._size = size
        self._seed = seed
        self._number = 0

    @classmethod
    def of(
        cls,
        sources: Sequence[Source],
        *,
        size: int,
        seed: int = 1,
        by: By = "positions",
        filters: Filters | None = None,
        weights: Sequence[float] | None = None,
        epochs: int | None = None,
    ) -> Self:
        """Batches from some sources: as if they were one, or, with weights, each by its weight and then for ever."""
        if weights is None:
            together = sources[0] if len(sources) == 1 else Together(sources)
            sampler = Sampler(together, seed=seed, by=by, filters=filters, epochs=epochs)
            return cls([sampler], [1.0], size=size, seed=seed)
        if epochs is not None:
            raise ValueError("sources with weights do not end together: give weights or epochs")
        samplers = [
            Sampler(source, seed=_seed(seed, number), by=by, filters=filters) for number, source in enumerate(sources)
        ]
        return cls(samplers, weights, size=size, seed=seed)

    def __iter__(self) -> Iterator[Rows]:
        return self

    def __next__(self) -> Rows:
        counts = self._counts()
        parts = [sampler.draw(count) for sampler, count in zip(self._samplers, counts, strict=True)]
        batch = parts[0] if len(parts) == 1 else np.concatenate(parts)
        if not len(batch):
            raise StopIteration
        if len(parts) > 1:
            batch = batch.take(Shuffle(len(batch), _seed(self._seed, self._number))[:])
        self._number += 1
        return batch

    @property
    def state(self) -> dict[str, Any]:
        """Where it stands, small and ready for JSON: keep it with what was learned."""
        return {
            "seed": self._seed,
            "size": self._size,
            "batches": self._number,
            "samplers": [sampler.state for sampler in self._samplers],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from there, as if nothing had happened."""
        had = (state["seed"], state["size"], len(state["samplers"]))
        if had != (self._seed, self._size, len(self._samplers)):
            raise InvalidSamples(
                "these batches have another seed, size or number of sources", hint="make them as they were made before"
            )
        self._number = state["batches"]
        for sampler, kept in zip(self._samplers, state["samplers"], strict=True):
            sampler.restore(kept)

    def _counts(self) -> list[int]:
        """How many of this batch come from each: after any number of batches, its share to within one sample."""
        before, after = (np.rint(self._shares * ((self._number + n) * self._size)).astype(np.int64) for n in (0, 1))
        return [int(count) for count in np.diff(after) - np.diff(before)]


def _with_positions(begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """First position and number of positions of each game that has any."""
    games = np.stack([begins[:-1], np.diff(begins)], axis=1)
    return games[games[:, 1] > 0]


def _seed(*parts: int) -> int:
    """One seed from several numbers."""
    seed = 0
    for part in parts:
        seed = int(hashed(np.array([seed], np.uint64), part)[0])
    return seed
