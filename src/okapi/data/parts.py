"""One part of a split as a source of samples: what a learner may see, and nothing else."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from okapi.core.samples import Rows
from okapi.data.samples import Samples
from okapi.data.sources import FileSource, Source, StoreSource
from okapi.data.split import Split
from okapi.data.store import Store

__all__ = ["PartSource", "part_of_samples", "part_of_store"]

Numbers = NDArray[np.int64]


class PartSource:
    """Some stretches of a source, numbered anew from 0 on."""

    def __init__(self, source: Source, starts: Numbers, lengths: Numbers) -> None:
        self._source = source
        self._starts = starts
        self._ends = lengths.cumsum()
        self._begins = self._ends - lengths

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def take(self, numbers: Numbers) -> Rows:
        """The samples with these numbers."""
        stretch = np.searchsorted(self._ends, numbers, side="right")
        return self._source.take(self._starts[stretch] + numbers - self._begins[stretch])

    def games(self) -> Numbers:
        """Where each game of the source begins here; games of other parts have no positions."""
        theirs = self._source.games()
        if not len(self._ends):
            return np.zeros(len(theirs), np.int64)
        stretch = np.maximum(np.searchsorted(self._starts, theirs, side="right") - 1, 0)
        inside = np.clip(theirs - self._starts[stretch], 0, self._ends[stretch] - self._begins[stretch])
        return np.asarray(self._begins[stretch] + inside)


def part_of_store(path: Path | str, part: str, split: Split | None = None) -> PartSource:
    """Train, validation or test of a store, by the split that stands beside it or another."""
    path = Path(path)
    split = split or Split.open(path.with_name(path.name + ".split"))
    store = Store.open(path)
    split.check(store.hashes())
    source = StoreSource(store)
    begins = source.games()
    games = split.games(part)
    of, first, count = split.stretches(part)
    # What may be used begins with the game and behind each stretch that is left out; it ends likewise. A stretch may
    # reach the final position, in which no move was played: the source does not have it.
    starts = np.sort(np.concatenate([begins[games], np.minimum(begins[of] + first + count, begins[of + 1])]))
    ends = np.sort(np.concatenate([begins[of] + first, begins[games + 1]]))
    return PartSource(source, *_whole(starts, ends))


def part_of_samples(path: Path | str, part: str, split: Split) -> PartSource:
    """The rows of a sample file that belong to a part of the store it was made from. Rows without a game do not."""
    samples = Samples.open(path)
    wanted = np.zeros(len(split) + 1, np.bool_)
    wanted[split.games(part)] = True
    may: list[NDArray[np.bool_]] = [np.zeros(0, np.bool_)]
    for rows in samples.blocks():
        game = np.minimum(rows["game"], len(split))
        may.append(wanted[game] & split.allows(rows["game"], rows["ply"]))
    edges = np.diff(np.concatenate(may).astype(np.int8), prepend=0, append=0)
    starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    return PartSource(FileSource(samples), starts, ends - starts)


def _whole(starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Stretches that are not empty: where they start, and how long they are."""
    kept = ends > starts
    return starts[kept], (ends - starts)[kept]
