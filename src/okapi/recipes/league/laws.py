"""What the ways of a league gain from data, compute and nodes, and what that tells of a training that was not rated.

**Laws.** Elo for each doubling: the slope of a straight line over log₂(x), by least squares over the brains of a way, x
positions, multiplications or nodes. Its interval is that of a bootstrap: brains are drawn again within each budget, and
each one's rating within its own interval.

**Expectations.** Curves bend, so a new brain is expected by a line plus a random walk over log₂(x) (kriging): between
two budgets on the straight line between them, beyond the last where the line goes on, and the less certain the further
the next budget is. How far a walk goes in a doubling is weighed by how well it explains this way and by how common it
is among all ways of the pool. What seeds and games scatter is added.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from okapi.recipes.league.plan import TABLES, USUAL, LeaguePlan, LeagueWay
from okapi.recipes.league.result import LIMITS, LeagueBrain, LeaguePool, LeagueResult, on_one_scale, shipped

Floats = NDArray[np.float64]

DRAWS: Final = 1000
"""Of the bootstrap, and of an expectation."""

CONFIDENCE: Final = 1.96
"""Standard deviations of the half of an interval of 95 %."""

WITHIN: Final = (0.025, 0.975)


class Point(NamedTuple):
    """A rated brain."""

    x: float
    elo: float
    half: float
    """Of its interval."""


PRICES: Final[dict[str, Callable[[LeagueBrain], float]]] = {
    "data": lambda brain: float(brain.positions),
    "compute": lambda brain: brain.operations,
}


def points(result: LeagueResult, pool: LeaguePool, way: str, of: str) -> list[Point]:
    rows = {row.name: row for row in pool.rows}
    there = [(brain, rows[brain.name]) for brain in result.brains if brain.way == way and brain.name in rows]
    return [Point(PRICES[of](brain), row.elo, row.half) for brain, row in there]


def by_budget(rated: Sequence[Point]) -> dict[float, list[float]]:
    """The ratings at each x, the least first."""
    return {x: [point.elo for point in group] for x, group in groupby(sorted(rated), lambda point: point.x)}


# --- Laws -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """Elo = base + slope · log₂(x): slope is Elo per doubling."""

    way: str
    pool: str
    of: str
    """data, compute or nodes."""
    slope: float
    low: float
    high: float
    """Of the slope, 95 %."""
    base: float
    brains: int
    x: tuple[float, float]
    """The least and the greatest that were measured."""


def fit(way: str, pool: str, of: str, rated: Sequence[Point]) -> Law | None:
    """The law of some brains; None where they had one budget only."""
    budgets = list(by_budget(rated))
    if len(budgets) < 2:
        return None
    x, elo, half = np.log2([point.x for point in rated]), *np.array(rated)[:, 1:].T
    groups = [np.flatnonzero(x == np.log2(budget)) for budget in budgets]
    rng = np.random.default_rng(1)
    rows = np.concatenate([rng.choice(group, (DRAWS, len(group))) for group in groups], axis=1)
    slopes = _slopes(x[rows], elo[rows] + rng.normal(0.0, half[rows] / CONFIDENCE))
    slope, (low, high) = float(_slopes(x, elo)), np.quantile(slopes, WITHIN).round(1).tolist()
    base, ends = float(elo.mean() - slope * x.mean()), (budgets[0], budgets[-1])
    return Law(
        way=way, pool=pool, of=of, slope=round(slope, 1), low=low, high=high, base=base, brains=len(rated), x=ends
    )


def _slopes(x: Floats, y: Floats) -> Floats:
    """Of the straight line through each row of points."""
    centred = x - x.mean(axis=-1, keepdims=True)
    slopes: Floats = (centred * y).sum(axis=-1) / (centred**2).sum(axis=-1)
    return slopes


def laws(result: LeagueResult) -> list[Law]:
    """Of all ways: data and compute in each pool, and nodes."""
    every = product(result.conditions, PRICES, result.ways)
    found = [fit(way, pool.name, of, points(result, pool, way, of)) for pool, of, way in every]
    players = ((way, TABLES["ways"].get(way, {}).get("player", USUAL)) for way in result.ways)
    searching = (way for way, player in players if player.startswith("alphabeta"))  # nodes give others nothing
    found += [fit(way, LIMITS, "nodes", _of_nodes(result, way)) for way in searching]
    return [law for law in found if law is not None]


def _of_nodes(result: LeagueResult, way: str) -> list[Point]:
    """All brains of a way with all nodes, each less its mean: what remains is what nodes give."""
    found: list[Point] = []
    for brain in (brain for brain in result.brains if brain.way == way):
        rated = [(pool.nodes, row, elo) for pool, row, elo in on_one_scale(result, brain.name) if pool.nodes]
        mean = sum(elo for *_, elo in rated) / max(1, len(rated))
        found += [Point(float(nodes), elo - mean, row.half) for nodes, row, elo in rated if len(rated) > 1]
    return found


# --- Expectations -----------------------------------------------------------------------------------------------------

STEPS: Final = np.geomspace(2.0, 500.0, 16)
"""Elo that a walk may go in a doubling, as a standard deviation."""

LEAST: Final = 1 / 2
"""Of a way: a step that no other way has is as common as half of one way makes it, together with all such steps."""


class Expected(NamedTuple):
    """What a new brain would be rated, and the interval of 95 %."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCurve:
    """The budgets of a way, by log₂."""

    x: Floats
    elo: Floats
    """Means of the seeds."""
    noise: Floats
    """Their variances."""

    @classmethod
    def of(cls, rated: Sequence[Point], single: float) -> Self:
        """`single`: the variance of one brain's rating, by its seed and its games."""
        groups = by_budget(rated)
        means, counts = (np.array([each(elos) for elos in groups.values()]) for each in (np.mean, len))
        return cls(x=np.log2(list(groups)), elo=means, noise=single / counts)

    def walk(self, step: float, x: float) -> tuple[float, float, float]:
        """If the walk has this step: what is expected at x, its variance, and how likely what was measured is (log)."""
        every = np.append(self.x, x) - self.x[0]
        line = np.vander(every, 2, increasing=True)
        wide = np.diag([1e4, 1e3]) ** 2  # variances of the line's height and slope before anything is known
        shared = step**2 * (np.minimum.outer(every, every) - every.min()) + line @ wide @ line.T
        known, beside = shared[:-1, :-1] + np.diag(self.noise), shared[-1, :-1]
        weights = np.linalg.solve(known, beside)
        likely = -(self.elo @ np.linalg.solve(known, self.elo) + np.linalg.slogdet(known)[1]) / 2
        return float(weights @ self.elo), float(shared[-1, -1] - weights @ beside), float(likely)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """What is expected of new brains in one pool."""

    curves: Mapping[str, LearningCurve]
    single: float
    common: Floats
    """How common each of STEPS is among the ways."""

    @classmethod
    def of(cls, result: LeagueResult, pool: LeaguePool, of: str = "data") -> Self:
        rated = {way: points(result, pool, way, of) for way in result.ways}
        single = _single([*rated.values()])
        curves = {way: LearningCurve.of(found, single) for way, found in rated.items() if len(by_budget(found)) > 1}
        likely = [_chances(curve, np.full(len(STEPS), 1.0)) for curve in curves.values()]
        common = np.full(len(STEPS), 1 / len(STEPS))
        for _ in range(100):  # expectation-maximisation
            shares = [each * common / (each @ common) for each in likely]
            common = (LEAST / len(STEPS) + np.sum(shares, axis=0)) / (LEAST + len(likely))
        return cls(curves=curves, single=single, common=common)

    def expect(self, way: str, x: float) -> Expected | None:
        """Of one brain of a way; None if it was rated at fewer than two budgets."""
        curve = self.curves.get(way)
        if curve is None:
            return None
        chances = _chances(curve, self.common)
        walks = np.array([curve.walk(step, math.log2(x))[:2] for step in STEPS])
        rng = np.random.default_rng(1)
        drawn = rng.choice(len(STEPS), 20 * DRAWS, p=chances)
        elos = rng.normal(walks[drawn, 0], np.sqrt(walks[drawn, 1] + self.single))
        low, high = np.quantile(elos, WITHIN)
        return Expected(round(float(chances @ walks[:, 0]), 1), round(float(low), 1), round(float(high), 1))


def _chances(curve: LearningCurve, common: Floats) -> Floats:
    """Of each of STEPS, by what was measured."""
    likely = np.array([curve.walk(step, curve.x[-1])[2] for step in STEPS])
    chances: Floats = np.exp(likely - likely.max()) * common
    chances /= chances.sum()
    return chances


def _single(rated: Sequence[Sequence[Point]]) -> float:
    """The variance of one brain around the mean of its way and budget; at least that of its games."""
    games = [(point.half / CONFIDENCE) ** 2 for way in rated for point in way]
    several = [elos for way in rated for elos in by_budget(way).values() if len(elos) > 1]
    free = sum(len(elos) - 1 for elos in several)
    seeds = sum(float(np.var(elos)) * len(elos) for elos in several) / max(1, free)
    return max(float(np.mean(games)) if games else 0.0, seeds)


def expected_of_recipe(
    recipe: str, positions: int | None = None, result: LeagueResult | None = None
) -> tuple[Law, float, Expected] | None:
    """The law of a recipe in the league that ships, and what it expects of a brain of so many positions, or of the most
    that were measured. None if no way is that recipe."""
    result = result or shipped()
    pool = result.main
    ways = [way for way in result.ways if TABLES["ways"].get(way, {}).get("recipe") == recipe]
    if pool is None or not ways or LeagueWay.read(ways[0], "quick").begins:
        return None
    law = fit(ways[0], pool.name, "data", points(result, pool, ways[0], "data"))
    x = float(positions or (law.x[1] if law else 0))
    expected = Expectations.of(result, pool).expect(ways[0], x)
    return None if law is None or expected is None else (law, x, expected)


def expected_of_plan(plan: LeaguePlan, result: LeagueResult | None = None) -> list[dict[str, str | float]]:
    """What the league that ships expects of the trainings of another, in the pools that both have."""
    result = result or shipped()
    pools = list(filter(None, (result.pool(condition.name) for condition in plan.conditions)))
    every = [(pool, Expectations.of(result, pool)) for pool in pools]
    return [
        {"name": cell.name, "pool": pool.name, **expected._asdict()}
        for pool, expectations in every
        for cell in plan.cells
        if (expected := expectations.expect(cell.way.name, cell.positions)) is not None
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What was expected of a brain that is in no fit, and what it is."""

    name: str
    pool: str
    expected: Expected
    elo: float
    half: float
    """Of its interval."""

    @property
    def within(self) -> bool:
        return self.expected.low <= self.elo <= self.expected.high


def predictions(result: LeagueResult) -> list[Prediction]:
    """The largest budget of each way in the main pool, as the smaller ones tell it."""
    pool, found = result.main, []
    for way in result.ways if pool is not None else ():
        most = max(brain.positions for brain in result.brains if brain.way == way)
        largest = [brain for brain in result.brains if brain.way == way and brain.positions == most]
        smaller = tuple(brain for brain in result.brains if brain not in largest)
        found += expected_and_rated(replace(result, brains=smaller), pool, largest)
    return found


def expected_and_rated(
    league: LeagueResult, pool: LeaguePool | None, brains: Sequence[LeagueBrain], of: str = "data"
) -> list[Prediction]:
    """Brains that were rated in a pool, as the brains of a league in a pool of that name tell them."""
    known = None if pool is None else league.pool(pool.name)
    if pool is None or known is None:
        return []
    expectations = Expectations.of(league, known, of)
    rated = [(brain, pool.row(brain.name), expectations.expect(brain.way, PRICES[of](brain))) for brain in brains]
    return [
        Prediction(name=brain.name, pool=pool.name, expected=expected, elo=row.elo, half=row.half)
        for brain, row, expected in rated
        if row is not None and expected is not None
    ]


# --- Averages ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Average:
    """All brains of a way with one budget."""

    way: str
    kind: str
    budget: float
    x: float
    elo: float
    low: float
    high: float
    """95 %: of the games, and of the seeds where there are several."""
    names: tuple[str, ...]


def averages(result: LeagueResult, pool: LeaguePool, of: str = "data") -> list[Average]:
    """The brains of each way and budget together, in the order of the ways."""
    rows = {row.name: row for row in pool.rows}
    groups: dict[tuple[str, str, float], list[LeagueBrain]] = {}
    for brain in (brain for brain in result.brains if brain.name in rows):
        groups.setdefault((brain.way, brain.kind, brain.budget), []).append(brain)
    found = []
    for (way, kind, budget), brains in groups.items():
        elos, x = np.array([rows[brain.name].elo for brain in brains]), np.mean([PRICES[of](brain) for brain in brains])
        games = np.mean([rows[brain.name].half for brain in brains])
        seeds = CONFIDENCE * float(elos.std(ddof=1)) if len(elos) > 1 else 0.0
        mean, half = float(elos.mean()), math.hypot(float(games), seeds) / math.sqrt(len(elos))
        elo, low, high = (round(each, 1) for each in (mean, mean - half, mean + half))
        names = tuple(brain.name for brain in brains)
        found.append(Average(way=way, kind=kind, budget=budget, x=float(x), elo=elo, low=low, high=high, names=names))
    return found
