"""How far judges of positions are apart: in all, on which kinds of positions, and where most."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.disagreement.kinds import KINDS, kinds_of
from okapi.core.keys import position_keys
from okapi.core.packed import NO_GAME
from okapi.core.samples import Rows

__all__ = ["Compared", "Gap", "Judge", "Pair", "compare", "gap", "most_apart", "worst_of_kinds"]

Values = NDArray[np.float64]
Numbers = NDArray[np.int64]

SURE: Final = 1.96
"""Standard errors on each side of a mean that make an interval of 95 %."""

FEWEST: Final = 2
"""Fewer positions, or games, tell nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Somebody with an opinion of every position: a brain, or a teacher."""

    name: str
    values: Values
    """Expected scores of the side to move."""


@dataclass(frozen=True, slots=True)
class Gap:
    """How far two judges are apart, in expected score."""

    positions: int
    mean: float
    """Of the absolute differences."""
    low: float
    high: float
    """The 95 % interval of the mean; positions of one game count as one observation of many."""
    median: float
    lean: float
    """By how much the first thinks better of the side to move than the second does, on average."""
    correlation: float | None
    """Pearson's; nothing where one of them always says the same."""
    order: float | None
    """Spearman's: do they put positions in the same order?"""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "positions": self.positions,
            **{name: round(getattr(self, name), 5) for name in ("mean", "low", "high", "median", "lean")},
            "correlation": None if self.correlation is None else round(self.correlation, 5),
            "order": None if self.order is None else round(self.order, 5),
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of the judges, by their number, and how far they are apart."""

    first: int
    second: int
    whole: Gap
    kinds: dict[str, Gap]
    """By kind of position; kinds that hardly occur are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """What came out."""

    rows: Rows
    judges: tuple[Judge, ...]
    pairs: tuple[Pair, ...]
    """The first two judges first."""
    worst: Numbers
    """Numbers of the positions where the first two are furthest apart, the worst first."""
    worst_of_kind: dict[str, Numbers]
    """The same for each kind of position, where that was asked for."""


def compare(rows: Rows, judges: Sequence[Judge], *, worst: int, each: int = 0) -> Compared:
    """Compare two judges, or more, on samples that all of them have judged.

    `worst` positions are found where the first two are furthest apart, and `each` of every kind of position.
    """
    games = clusters(rows)
    kinds = kinds_of(rows["position"])
    pairs = []
    for first, second in combinations(range(len(judges)), 2):
        one, other = judges[first].values, judges[second].values
        found = {name: gap(one[are], other[are], games[are]) for name, are in kinds.items() if are.sum() >= FEWEST}
        pairs.append(
            Pair(first, second, gap(one, other, games), {name: found[name] for name in KINDS if name in found})
        )
    apart = np.abs(judges[0].values - judges[1].values)
    worst_of_kind = worst_of_kinds(rows, apart, kinds, each) if each else {}
    return Compared(rows, tuple(judges), tuple(pairs), most_apart(rows, apart, worst), worst_of_kind)


def gap(first: Values, second: Values, games: Numbers | None = None) -> Gap:
    """How far two judges are apart on the same positions.

    >>> gap(np.array([0.5, 0.75]), np.array([0.5, 0.25])).mean
    0.25
    """
    differences = first - second
    apart = np.abs(differences)
    mean = float(apart.mean())
    margin = SURE * _standard_error(apart, np.arange(len(apart)) if games is None else games)
    return Gap(
        positions=len(apart),
        mean=mean,
        low=max(0.0, mean - margin),
        high=min(1.0, mean + margin),
        median=float(np.median(apart)),
        lean=float(differences.mean()),
        correlation=_correlation(first, second),
        order=_correlation(_ranks(first), _ranks(second)),
    )


def most_apart(rows: Rows, apart: Values, count: int) -> Numbers:
    """Numbers of so many positions with the largest differences, the largest first: no position, and no game, twice."""
    keys, games = position_keys(rows["position"]).tolist(), rows["game"].tolist()
    chosen: list[int] = []
    seen: set[tuple[str, int]] = set()
    for number in np.argsort(-apart, kind="stable").tolist():
        marks = {("position", keys[number])} | ({("game", games[number])} if games[number] != NO_GAME else set())
        if len(chosen) == count:
            break
        if not marks & seen:
            chosen.append(number)
            seen |= marks
    return np.array(chosen, np.int64)


def worst_of_kinds(rows: Rows, apart: Values, kinds: dict[str, NDArray[np.bool_]], count: int) -> dict[str, Numbers]:
    """Of each kind of position, so many with the largest differences; kinds that do not occur are left out."""
    members = {name: np.flatnonzero(are) for name, are in kinds.items()}
    return {name: are[most_apart(rows[are], apart[are], count)] for name, are in members.items() if len(are)}


def clusters(rows: Rows) -> Numbers:
    """A number for each game; a position of no game is a game of its own."""
    games = rows["game"].astype(np.int64)
    alone = games == NO_GAME
    games[alone] = NO_GAME + np.arange(int(alone.sum()))
    return games


def _standard_error(values: Values, groups: Numbers) -> float:
    """Of the mean, where values of one group may be alike: the sandwich of clustered observations."""
    _, group = np.unique(groups, return_inverse=True)
    sums = np.bincount(group, values - values.mean())
    count = len(sums)
    if count < FEWEST:
        return 1.0
    return float(np.sqrt(np.square(sums).sum() * count / (count - 1))) / len(values)


def _correlation(first: Values, second: Values) -> float | None:
    if len(first) < FEWEST or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: Values) -> Values:
    """The place of each in their order; equals share the mean of their places."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = counts.cumsum()
    return np.asarray(((2 * ends - counts - 1) / 2)[inverse], np.float64)
