"""Positions from whatever file they stand in: games, or samples of any format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from okapi.core.samples import as_samples
from okapi.data.convert import read_samples
from okapi.formats.samples import Skipped

__all__ = ["Chunk", "read_positions"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some thousand positions."""

    rows: NDArray[np.void]
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
        for rows in read_samples(path, skipped=skipped, heard=heard):
            yield Chunk(as_samples(rows), (number + part) / len(sources))
