"""Positions from whatever file they stand in: games, or samples of any format."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from okapi.core.samples import Rows, as_samples
from okapi.data.convert import read_samples
from okapi.data.sources import StoreSource
from okapi.data.store import Store
from okapi.formats.samples import Skipped

__all__ = ["STORE", "Chunk", "read_positions"]

STORE: Final = ".okapi"
"""How names of game stores end."""

AT_A_TIME: Final = 4096
"""Positions of a store that are read together."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some thousand positions."""

    rows: Rows
    """SAMPLE, in the order of the source."""
    part: float
    """How much of all sources was read, 0 to 1."""


def read_positions(sources: Sequence[Path], skipped: Skipped) -> Iterator[Chunk]:
    """Yield the positions of files. What makes no sense is counted, not raised."""
    part = 0.0

    def heard(fraction: float) -> None:
        nonlocal part
        part = fraction

    for number, path in enumerate(sources):
        part = 0.0
        for rows in _read(path, skipped, heard):
            yield Chunk(as_samples(rows), (number + part) / len(sources))


def _read(path: Path, skipped: Skipped, heard: Callable[[float], None]) -> Iterator[Rows]:
    if path.suffix == STORE:
        return _positions_of(Store.open(path), heard)
    return read_samples(path, skipped=skipped, heard=heard)


def _positions_of(store: Store, heard: Callable[[float], None]) -> Iterator[Rows]:
    """Every position in which a move was played."""
    source = StoreSource(store)
    for start in range(0, len(source), AT_A_TIME):
        end = min(start + AT_A_TIME, len(source))
        heard(end / len(source))
        yield source.take(np.arange(start, end))
