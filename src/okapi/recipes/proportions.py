"""Shares of test positions that were answered rightly: how sure they are, and which of two is larger."""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.formats.numbers import number, percent, signed

Z: Final = 1.959964
"""Of 95 %."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """So many right, of so many.

    >>> print(Proportion(7012, 10_000))
    70.1 % (69.2 … 71.0)
    """

    right: int
    count: int

    @property
    def value(self) -> float:
        return self.right / self.count if self.count else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of 95 %. It takes positions for independent, which those of one game are not quite."""
        if not self.count:
            return 0.0, 1.0
        spread = Z * math.sqrt(self.value * (1 - self.value) / self.count + Z**2 / (4 * self.count**2))
        middle, scale = self.value + Z**2 / (2 * self.count), 1 + Z**2 / self.count
        return (middle - spread) / scale, (middle + spread) / scale

    def __str__(self) -> str:
        low, high = self.interval
        return f"{percent(self.value)} ({number(100 * low, 1)} … {number(100 * high, 1)})"


@dataclass(frozen=True, slots=True)
class Difference:
    """How much larger one share is than another, in points of a hundred."""

    points: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        return "confirmed" if self.low > 0 else "refuted" if self.high < 0 else "undecided"

    def __str__(self) -> str:
        return f"{signed(self.points, 1)} ({signed(self.low, 1)} … {signed(self.high, 1)})"


def difference(first: Proportion, second: Proportion) -> Difference:
    """The first less the second, with Newcombe's interval. For tests of different positions: of the same ones, the
    truth is surer than this says.

    >>> print(difference(Proportion(720, 1000), Proportion(690, 1000)))
    +3.0 (−1.0 … +7.0)
    """
    (low_1, high_1), (low_2, high_2) = first.interval, second.interval
    gap = first.value - second.value
    below = math.hypot(first.value - low_1, high_2 - second.value)
    above = math.hypot(high_1 - first.value, second.value - low_2)
    return Difference(100 * gap, 100 * (gap - below), 100 * (gap + above))


def paired_difference(first: NDArray[np.bool_], second: NDArray[np.bool_], games: NDArray[Any]) -> Difference:
    """The first less the second, where both had the same test positions, of these games; 95 % for other games.
    Positions of one game are answered alike, so it is the games that are taken for independent. Of fewer than two games
    nothing can be said."""
    gains = first.astype(np.float64) - second
    _, which = np.unique(games, return_inverse=True)
    gained, counts = np.bincount(which, gains), np.bincount(which).astype(np.float64)
    if len(counts) < 2:
        return Difference(0.0, -100.0, 100.0)
    gain = gained.sum() / counts.sum()
    spread = ((gained - gain * counts) ** 2).sum() * len(counts) / (len(counts) - 1)
    reach = Z * math.sqrt(spread) / counts.sum()
    return Difference(100 * gain, 100 * (gain - reach), 100 * (gain + reach))
