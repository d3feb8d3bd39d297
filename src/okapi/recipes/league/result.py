"""The result of a league: records, their file, the laws that are fitted to them, and what they say in words.

**Laws.** For each way and condition: Elo = a + b · log₂(positions), by least squares over its brains; the same over
multiplications; and over the nodes of a search, on the scale of all limits. b is Elo per doubling. Its interval is that
of a bootstrap over brains: brains are drawn again within each budget, and each one's rating within its own interval.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, Final, Self, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidText, NotFound
from okapi.files import replace_file
from okapi.formats.numbers import number
from okapi.recipes.league.plan import REFERENCE, TABLES, LeagueWay

RESULT: Final = "league.json"
BRAINS: Final = "brains"
"""The folder of the trainings, beside the result."""

SHIPPED: Final = Path(__file__).with_name(RESULT)
"""The league that comes with okapi: scripts/ship_league.py."""

PARQUET: Final = "league.parquet"

LIMITS: Final = "all limits"
"""The pool of references with all limits, which puts the others on one scale."""

LONGEST: Final = 16_000_000
"""Bytes; a full result has some hundred thousand."""

MOST: Final = 2_000
"""Entries of a list; longer ones are refused, because files come from anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueBrain:
    """A brain that was trained for the league."""

    name: str
    way: str
    kind: str
    """Of its budget: data or compute."""
    budget: float
    seed: int
    positions: int
    operations: float
    """Multiplications of learning, of making the data and of the teacher."""
    passes: float
    multiplications: float
    """Of one evaluation."""
    train_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueMark:
    """A brain that ships, for comparison."""

    name: str
    way: str
    learned_from: str
    samples: float
    operations: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRow:
    name: str
    elo: float
    low: float
    high: float
    games: int
    score: float
    """Share of the points, 0 to 1."""
    faults: int = 0
    """Games lost by the clock, a crash or an illegal move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePool:
    """All players under one condition, strongest first."""

    name: str
    limits: str
    games: int
    rows: tuple[LeagueRow, ...]
    note: str = ""
    """What is different about it, if anything."""

    def row(self, name: str) -> LeagueRow | None:
        return next((row for row in self.rows if row.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueResult:
    size: str = ""
    seed: int = 1
    version: str = ""
    machine: str = ""
    labels: str = ""
    """The file of labelled positions, with its hash."""
    brains: tuple[LeagueBrain, ...] = ()
    marks: tuple[LeagueMark, ...] = ()
    pools: tuple[LeaguePool, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Trainings and players that are not there, and why."""
    command: str = ""

    def pool(self, name: str) -> LeaguePool | None:
        return next((pool for pool in self.pools if pool.name == name), None)

    @property
    def conditions(self) -> list[LeaguePool]:
        return [pool for pool in self.pools if pool.name != LIMITS]

    @property
    def main(self) -> LeaguePool | None:
        """The pool that pictures and sentences are about: the one with the most nodes in which all ways play."""
        node_pools = [pool for pool in self.conditions if _nodes(pool) is not None]
        every = [pool for pool in node_pools if all(pool.row(brain.name) for brain in self.brains)]
        return max(every or node_pools, key=lambda pool: _nodes(pool) or 0, default=None)

    @property
    def ways(self) -> list[str]:
        return list(dict.fromkeys(brain.way for brain in self.brains))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def write(self, path: Path) -> None:
        replace_file(path, (json.dumps(self.as_json(), indent=1, ensure_ascii=False) + "\n").encode())

    def write_parquet(self, path: Path) -> bool:
        """A row for each brain and pool. False where pyarrow is not installed."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            return False
        brains = {brain.name: asdict(brain) for brain in self.brains}
        rows = [
            {"pool": pool.name, "limits": pool.limits, **asdict(row), **brains.get(row.name, {})}
            for pool in self.pools
            for row in pool.rows
        ]
        columns = dict.fromkeys(key for row in rows for key in row)
        table = pyarrow.table({key: [row.get(key) for row in rows] for key in columns})
        pyarrow.parquet.write_table(table, path)
        return True

    @classmethod
    def read(cls, path: Path) -> Self:
        """A stored result: NotFound, InvalidText."""
        try:
            with path.open("rb") as file:
                found: Self = _parsed(cls, json.loads(file.read(LONGEST)))
                return found
        except OSError as error:
            raise NotFound(f"`{path}` holds no result of a league: {error.strerror}", hint="okapi league") from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise InvalidText(f"`{path}` is no result of a league, or is damaged", hint="okapi league") from None


def _parsed(kind: Any, told: Any) -> Any:
    """A value of JSON as a field's type. Wrong numbers and missing keys are errors."""
    origin, arguments = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: _parsed(hint, told[name]) for name, hint in hints.items()})  # type: ignore[operator]
    if NoneType in arguments:
        return None if told is None else _parsed(arguments[0], told)
    if origin is not None and len(told) > MOST:
        raise ValueError(f"{len(told)} are more than a league has")
    if origin is Mapping:
        return {str(name): _parsed(arguments[1], each) for name, each in told.items()}
    if origin is tuple:
        return tuple(_parsed(arguments[0], each) for each in told)
    if kind is float and not math.isfinite(float(told)):
        raise ValueError(f"{told} is no number that can be drawn")
    return kind(told)


@lru_cache(maxsize=1)
def shipped() -> LeagueResult:
    return LeagueResult.read(SHIPPED)


def title(way: str) -> str:
    """What a way is, in words; a way that is no longer in ways.toml is its name.

    >>> title("mlp")
    "a perceptron on the teacher's value"
    """
    return str(TABLES["ways"].get(way, {}).get("title", way))


# --- One scale --------------------------------------------------------------------------------------------------------


def _nodes(pool: LeaguePool) -> int | None:
    """Nodes of a move; of one ply none are counted."""
    name, _, count = pool.limits.partition("=")
    return int(count) if name == "nodes" and count.isdecimal() else None


def offset(result: LeagueResult, pool: LeaguePool) -> float | None:
    """What the limits of a pool add to the reference: ratings plus this are on the scale of all limits."""
    linked, first = result.pool(LIMITS), result.conditions[0] if result.conditions else None
    if linked is None or first is None:
        return None
    row = linked.row(REFERENCE if pool.name == first.name else f"{REFERENCE} @ {pool.name}")
    return None if row is None else row.elo


def on_one_scale(result: LeagueResult, name: str) -> list[tuple[LeaguePool, LeagueRow, float]]:
    """A player in all pools that are linked: the pool, the row, and the Elo on the scale of all limits."""
    found = []
    for pool in result.conditions:
        row, added = pool.row(name), offset(result, pool)
        if row is not None and added is not None:
            found.append((pool, row, row.elo + added))
    return found


# --- Laws -------------------------------------------------------------------------------------------------------------

DRAWS: Final = 1000
"""Of the bootstrap."""

CONFIDENCE: Final = 1.96
"""Standard deviations of the half of an interval of 95 %."""


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
    """The least and the greatest that were measured; beyond them it is a guess."""
    draws: NDArray[np.float64] = field(repr=False, compare=False)
    """Base and slope of each draw of the bootstrap."""
    spread: float = 0.0
    """Standard deviation of single brains around the line."""

    def expect(self, x: float) -> tuple[float, float, float]:
        """Elo of a new brain with its interval of 95 %."""
        power = math.log2(x)
        lines = self.draws[:, 0] + self.draws[:, 1] * power
        noise = np.random.default_rng(2).normal(0.0, self.spread, len(lines))
        low, high = np.quantile(lines + noise, (0.025, 0.975))
        return self.base + self.slope * power, float(low), float(high)


Points = Sequence[tuple[float, float, float]]
"""x, Elo, and the half-width of its interval."""


def fit(way: str, pool: str, of: str, points: Points) -> Law | None:
    """The law of some brains; None where they had one budget only."""
    levels = sorted({x for x, _, _ in points})
    if len(levels) < 2:
        return None
    x = np.log2([point[0] for point in points])
    elo, half = (np.array([point[place] for point in points]) for place in (1, 2))
    groups = [np.flatnonzero(np.isclose(x, math.log2(level))) for level in levels]
    rng = np.random.default_rng(1)
    draws = np.empty((DRAWS, 2))
    for draw in range(DRAWS):
        rows = np.concatenate([rng.choice(group, len(group)) for group in groups])
        draws[draw] = _line(x[rows], elo[rows] + rng.normal(0.0, half[rows] / CONFIDENCE))
    base, slope = _line(x, elo)
    low, high = np.quantile(draws[:, 1], (0.025, 0.975))
    left = elo - base - slope * x
    free = max(1, len(x) - 2)
    return Law(
        way=way,
        pool=pool,
        of=of,
        slope=round(slope, 1),
        low=round(float(low), 1),
        high=round(float(high), 1),
        base=base,
        brains=len(points),
        x=(levels[0], levels[-1]),
        draws=draws,
        spread=float(np.sqrt((left**2).sum() / free + (half / CONFIDENCE).mean() ** 2)),
    )


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    centred = x - x.mean()
    slope = float(centred @ y / (centred @ centred))
    return float(y.mean() - slope * x.mean()), slope


def _points(result: LeagueResult, pool: LeaguePool, way: str, price: Callable[[LeagueBrain], float]) -> Points:
    found = []
    for brain in result.brains:
        row = pool.row(brain.name)
        if brain.way == way and row is not None:
            found.append((price(brain), row.elo, (row.high - row.low) / 2))
    return found


SEARCH: Final = "alphabeta"
"""How players that search begin; to others nodes give nothing."""

PRICES: Final[dict[str, Callable[[LeagueBrain], float]]] = {
    "data": lambda brain: float(brain.positions),
    "compute": lambda brain: brain.operations,
}


def laws(result: LeagueResult) -> list[Law]:
    """Of all ways: data and compute in each pool, and nodes."""
    found = [
        fit(way, pool.name, of, _points(result, pool, way, price))
        for pool in result.conditions
        for of, price in PRICES.items()
        for way in result.ways
    ]
    searching = [way for way in result.ways if TABLES["ways"].get(way, {}).get("player", SEARCH).startswith(SEARCH)]
    found += [fit(way, LIMITS, "nodes", _of_nodes(result, way)) for way in searching]
    return [law for law in found if law is not None]


def _of_nodes(result: LeagueResult, way: str) -> Points:
    """All brains of a way with all nodes, each less its mean: what remains is what nodes give."""
    found: list[tuple[float, float, float]] = []
    for brain in result.brains:
        rated = [(pool, row, elo) for pool, row, elo in on_one_scale(result, brain.name) if _nodes(pool)]
        if brain.way == way and len(rated) > 1:
            mean = sum(elo for _, _, elo in rated) / len(rated)
            found += [(float(_nodes(pool) or 1), elo - mean, (row.high - row.low) / 2) for pool, row, elo in rated]
    return found


def law_of_recipe(recipe: str, result: LeagueResult | None = None) -> Law | None:
    """The law of data of the way that is a recipe, in the main pool of the league that ships; None if it has none."""
    result = result or shipped()
    pool = result.main
    ways = [way for way in result.ways if TABLES["ways"].get(way, {}).get("recipe") == recipe]
    if pool is None or not ways or LeagueWay.read(ways[0], "quick").begins:
        return None
    return fit(ways[0], pool.name, "data", _points(result, pool, ways[0], PRICES["data"]))


def expectation(recipe: str, positions: int | None = None, result: LeagueResult | None = None) -> str:
    """What the stored law of a recipe says of a training: of so many positions or, if not given, of the most that were
    measured. Empty if there is none."""
    law = law_of_recipe(recipe, result)
    if law is None:
        return ""
    x = float(positions or law.x[1])
    middle, low, high = law.expect(x)
    beyond = "" if law.x[0] / 2 <= x <= 2 * law.x[1] else ", which is beyond what was measured"
    return (
        f"In the league `{recipe}` has {_slope(law)} Elo more for each doubling of its data; of {round_number(x)} "
        f"positions it expects {number(middle)} ({number(low)} … {number(high)}) Elo over material at "
        f"{law.pool}{beyond}."
    )


# --- In words ---------------------------------------------------------------------------------------------------------


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
    groups: dict[tuple[str, str, float], list[LeagueBrain]] = {}
    for brain in result.brains:
        if pool.row(brain.name) is not None:
            groups.setdefault((brain.way, brain.kind, brain.budget), []).append(brain)
    found = []
    for (way, kind, budget), brains in groups.items():
        rows = [row for brain in brains if (row := pool.row(brain.name)) is not None]
        elos = np.array([row.elo for row in rows])
        games = np.mean([(row.high - row.low) / 2 for row in rows]) / math.sqrt(len(rows))
        seeds = CONFIDENCE * float(elos.std(ddof=1)) / math.sqrt(len(rows)) if len(rows) > 1 else 0.0
        half = math.hypot(float(games), seeds)
        middle = float(elos.mean())
        found.append(
            Average(
                way=way,
                kind=kind,
                budget=budget,
                x=float(np.mean([PRICES[of](brain) for brain in brains])),
                elo=round(middle, 1),
                low=round(middle - half, 1),
                high=round(middle + half, 1),
                names=tuple(brain.name for brain in brains),
            )
        )
    return found


def answers(result: LeagueResult) -> list[str]:
    """Three sentences that answer the question, as far as the stored numbers do."""
    pool = result.main
    if pool is None or not result.brains:
        return []
    every = averages(result, pool)
    return [sentence for sentence in (_best(pool, every), _steepest(result, pool), _searched(result)) if sentence]


def _best(pool: LeaguePool, every: Sequence[Average]) -> str:
    told = []
    equal = [one for one in every if one.kind == "data"]
    for budget in sorted({one.budget for one in equal}):
        there = sorted((one for one in equal if one.budget == budget), key=lambda one: -one.elo)
        if len(there) < 2:
            continue
        first, second = there[0], there[1]
        sure = "" if first.low > second.high else f", and {title(second.way)} is not surely behind it"
        told.append(f"with {round_number(budget)} positions it is {title(first.way)} ({_elo(first)}{sure})")
    return f"Which way is best depends on the budget: at {pool.name}, {listed(told)}." if told else ""


def _steepest(result: LeagueResult, pool: LeaguePool) -> str:
    fitted = sorted(
        (law for law in laws(result) if law.pool == pool.name and law.of == "data"), key=lambda law: -law.slope
    )
    if not fitted:
        return ""
    first, last = fitted[0], fitted[-1]
    sure = [title(law.way) for law in fitted if law.low > 0]
    rest = f"; that more data help is sure for {listed(sure) if sure else 'none of them'}"
    return (
        f"From more data {title(first.way)} gains most, {_slope(first)} Elo for a doubling, and "
        f"{title(last.way)} least, {_slope(last)}{rest}."
    )


def _searched(result: LeagueResult) -> str:
    fitted = sorted((law for law in laws(result) if law.of == "nodes"), key=lambda law: -law.slope)
    if len(fitted) < 2:
        return ""
    first, last = fitted[0], fitted[-1]
    return (
        f"A search adds to every evaluator: twice the nodes give {title(first.way)} {_slope(first)} Elo, the most, and "
        f"{title(last.way)} {_slope(last)}, the least."
    )


def verdicts(result: LeagueResult) -> list[str]:
    """A sentence for each paper: what it says of learning, and what holds with equal budgets and conditions."""
    pool = result.main
    every = [] if pool is None else [one for one in averages(result, pool) if one.kind == "data"]
    told = []
    for paper, row in TABLES["papers"].items():
        there = {(one.way, one.budget): one for one in every}
        budgets = [one.budget for one in every if one.way == row["first"] and (row["second"], one.budget) in there]
        if pool is not None and budgets:
            first, second = (there[row[which], max(budgets)] for which in ("first", "second"))
            told.append(f"{paper}: {row['claim']}. {_compared(first, second)} at {pool.name}.")
    return told


def _compared(first: Average, second: Average) -> str:
    """The difference of two averages with its interval, and whether it decides."""
    gained = first.elo - second.elo
    half = math.hypot(first.high - first.low, second.high - second.low) / 2
    sure = "holds" if gained > half else "does not hold" if gained < -half else "is not decided"
    return (
        f"From {round_number(first.budget)} positions {title(first.way)} is {number(gained)} "
        f"({number(gained - half)} … {number(gained + half)}) Elo over {title(second.way)}: it {sure}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A brain of the largest budget of its way, and what the law of the smaller budgets expected of it."""

    name: str
    expected: float
    low: float
    high: float
    elo: float

    @property
    def within(self) -> bool:
        return self.low <= self.elo <= self.high


def predictions(result: LeagueResult) -> list[Prediction]:
    """Of all ways with three budgets or more, in the main pool: none of these brains is in the fit."""
    pool, found = result.main, []
    for way in result.ways if pool is not None else ():
        assert pool is not None
        most = max(brain.positions for brain in result.brains if brain.way == way)
        smaller = tuple(brain for brain in result.brains if brain.positions < most)
        points = _points(replace(result, brains=smaller), pool, way, PRICES["data"])
        law = fit(way, pool.name, "data", points)
        for brain in (brain for brain in result.brains if brain.way == way and brain.positions == most):
            row = pool.row(brain.name)
            if law is not None and row is not None:
                expected, low, high = law.expect(brain.positions)
                found.append(Prediction(name=brain.name, expected=expected, low=low, high=high, elo=row.elo))
    return found


def _slope(law: Law) -> str:
    return f"{number(law.slope)} ({number(law.low)} … {number(law.high)})"


def _elo(one: Average | LeagueRow) -> str:
    return f"{number(one.elo)} ({number(one.low)} … {number(one.high)}) Elo"


def listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def round_number(value: float | None) -> str:
    """A large number in words.

    >>> round_number(1_866_062), round_number(3.9e14), round_number(0), round_number(None)
    ('1.87 million', '3.9 × 10¹⁴', '0', '–')
    """
    if value is None or value < 10_000:
        return number(value)
    if value < 1e9:
        return f"{value / 1e6:.3g} million" if value >= 1e6 else f"{value / 1e3:.0f} thousand"
    mantissa, power = f"{value:.1e}".split("e")
    return f"{mantissa} × 10{str(int(power)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
