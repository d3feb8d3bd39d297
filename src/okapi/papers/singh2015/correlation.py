"""How V and material go together: Pearson's coefficient, on boards that come from games.

Boards of one game are alike, so chance is that of games: intervals come from drawing whole games again and again.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Kind
from okapi.encodings.boards import code, seen_by_mover
from okapi.papers.singh2015.published import TABLE_3_6

__all__ = ["Correlation", "correlation", "material"]

Floats = NDArray[np.float64]

DRAWS: Final = 1000
"""How often games are drawn again."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's coefficient of two numbers, with its 95 % interval; NaN where one of them never changes."""

    value: float
    low: float
    high: float
    boards: int
    games: int

    def as_json(self) -> dict[str, Any]:
        """For results: what is no number is None."""
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        found = {key: round(number, 4) if np.isfinite(number) else None for key, number in numbers.items()}
        return {**found, "boards": self.boards, "games": self.games}


def material(positions: NDArray[np.void]) -> NDArray[np.int64]:
    """The mover's pieces less the opponent's, as Table 3.6 counts them.

    >>> from okapi.core.packed import pack_fens
    >>> material(pack_fens(["4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/Q3K3 b - - 0 1"])).tolist()
    [10, -10]
    """
    worth = np.zeros(16, np.int64)
    for kind, points in TABLE_3_6.items():
        worth[code(Color.WHITE, Kind[kind.upper()])] = points
        worth[code(Color.BLACK, Kind[kind.upper()])] = -points
    return np.asarray(worth[seen_by_mover(positions)].sum(axis=1))


def correlation(first: NDArray[Any], second: NDArray[Any], games: NDArray[Any], *, seed: int = 1) -> Correlation:
    """Of two numbers for each board; `games` says which boards belong together."""
    x, y = (np.asarray(numbers, np.float64) for numbers in (first, second))
    _, game = np.unique(games, return_inverse=True)
    count = int(game.max()) + 1 if len(game) else 0
    if not count:
        return Correlation(np.nan, np.nan, np.nan, 0, 0)
    x, y = x - x.mean(), y - y.mean()
    sums = np.stack([np.bincount(game, weights, count) for weights in (np.ones_like(x), x, y, x * x, y * y, x * y)])
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), DRAWS)
    again = _pearson(np.asarray(sums @ drawn.T, np.float64))
    known = again[np.isfinite(again)]
    low, high = np.quantile(known, (0.025, 0.975)) if count > 1 and len(known) else (np.nan, np.nan)
    return Correlation(float(_pearson(sums.sum(axis=1))), float(low), float(high), len(x), count)


def _pearson(sums: Floats) -> Floats:
    """From n, Σx, Σy, Σx², Σy² and Σxy along the first axis."""
    n, x, y, xx, yy, xy = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y)))
