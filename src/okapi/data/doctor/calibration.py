"""Values against results: what a value of so many centipawns was worth in points."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from okapi.formats.svg import Line, Lines

__all__ = ["BIN", "BINS", "Calibration", "Curve", "bins"]

BIN = 50
"""Centipawns."""

REACH = 1500
"""Values beyond this count as this."""

BINS = 2 * REACH // BIN + 1

FEWEST = 20
"""Rows in a bin before it is shown."""

STEEPEST = np.log(10) / 20
"""A scale of 20 centipawns for ten to one: steeper than anything that was ever called centipawns."""


def bins(values: NDArray[np.int16]) -> NDArray[np.int64]:
    """The bin of each value.

    >>> bins(np.array([-20000, -26, 0, 24, 26], np.int16)) - BINS // 2
    array([-30,  -1,   0,   0,   1])
    """
    return np.rint(np.clip(values, -REACH, REACH) / BIN).astype(np.int64) + BINS // 2


@dataclass(frozen=True, slots=True)
class Curve:
    """Bins of values with the results that followed."""

    count: NDArray[np.int64]
    points: NDArray[np.float64]
    """Sum of the results: 0 lost, ½ drawn, 1 won."""

    def __add__(self, other: "Curve") -> "Curve":
        return Curve(self.count + other.count, self.points + other.points)

    def bins(self) -> Iterator[tuple[int, int, float]]:
        """Value, rows, and mean result, for each bin with enough rows."""
        for index in np.flatnonzero(self.count >= FEWEST):
            value = (int(index) - BINS // 2) * BIN
            yield value, int(self.count[index]), float(self.points[index] / self.count[index])

    @property
    def scale(self) -> float | None:
        """The centipawns that count like ten to one, by maximum likelihood; below 0 where values are turned round.

        None where there are too few rows, or nothing to see in them.
        """
        inner = slice(1, BINS - 1)  # what lies beyond REACH has no known value
        count, points = self.count[inner], self.points[inner]
        values = (np.arange(1, BINS - 1) - BINS // 2) * float(BIN)
        if count.sum() < FEWEST:
            return None
        low, high = -STEEPEST, STEEPEST
        for _ in range(60):
            slope = (low + high) / 2
            # The derivative of the likelihood falls as the slope grows: where it is 0, the likelihood is highest.
            excess = float((values * (points - count / (1 + np.exp(-slope * values)))).sum())
            low, high = (slope, high) if excess > 0 else (low, slope)
        return None if abs(slope) < 1e-7 else float(np.log(10) / slope)

    @property
    def error(self) -> float | None:
        """How far mean results are from the fitted curve, root mean square over the rows, in points."""
        scale = self.scale
        seen = list(self.bins())
        if scale is None or not seen:
            return None
        values, count, mean = (np.array(column, np.float64) for column in zip(*seen, strict=True))
        return float(np.sqrt((count * (mean - expected(values, scale)) ** 2).sum() / count.sum()))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curves of both colours' rows. Where signs are right, they are the same."""

    white: Curve
    black: Curve

    @property
    def all(self) -> Curve:
        """Both together."""
        return self.white + self.black

    def chart(self) -> Lines:
        """As a picture."""
        lines = [
            Line(name, [(value, mean) for value, _, mean in curve.bins()], dots=True)
            for name, curve in (("White to move", self.white), ("Black to move", self.black))
        ]
        scale = self.all.scale
        if scale is not None:
            values = np.arange(-REACH, REACH + 1.0, BIN)
            fitted = list(zip(values.tolist(), expected(values, scale).tolist(), strict=True))
            lines.append(Line(f"ten to one at {scale:.0f}", fitted))
        return Lines("what values were worth", lines, "centipawns for the side to move", "mean result")


def expected(values: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """The expected score of centipawns, if `scale` of them count like ten to one; glossary.md says 400.

    >>> expected(np.array([0.0, 400.0]), 400).round(3).tolist()
    [0.5, 0.909]
    """
    return np.asarray(1 / (1 + 10 ** (-values / scale)))
