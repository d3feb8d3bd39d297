"""The result of a league: its records, their file, and the scale that all pools have in common."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, Final, Self, cast, get_args, get_origin, get_type_hints

from okapi.errors import InvalidText, NotFound, UsageError
from okapi.files import replace_file

RESULT: Final = "league.json"
BRAINS: Final = "brains"
"""The folder of the trainings, beside the result."""

SHIPPED: Final = Path(__file__).with_name(RESULT)
"""The league that comes with okapi: scripts/ship_league.py."""

PARQUET: Final = "league.parquet"

REFERENCE: Final = "material"
"""Its rating is 0 in every pool without engines. It knows nothing that was learned."""

LIMITS: Final = "all limits"
"""The pool of references with all limits, which puts the others on one scale."""

LONGEST, MOST = 16_000_000, 2_000
"""Bytes, of which a full result has some hundred thousand, and entries of a list: files come from anywhere."""


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

    @property
    def half(self) -> float:
        """Of the interval."""
        return (self.high - self.low) / 2


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

    @property
    def nodes(self) -> int | None:
        """Of a move; of one ply none are counted."""
        limit, _, count = self.limits.partition("=")
        return int(count) if limit == "nodes" and count.isdecimal() else None


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

    def rates_trained(self, pool: LeaguePool) -> bool:
        return any(pool.row(brain.name) for brain in self.brains)

    @property
    def conditions(self) -> list[LeaguePool]:
        return [pool for pool in self.pools if pool.name != LIMITS]

    @property
    def main(self) -> LeaguePool | None:
        """The pool that pictures and sentences are about: the one with the most nodes in which all ways play."""
        node_pools = [pool for pool in self.conditions if pool.nodes]
        every = [pool for pool in node_pools if all(pool.row(brain.name) for brain in self.brains)]
        return max(every or node_pools, key=lambda pool: pool.nodes or 0, default=None)

    @property
    def ways(self) -> list[str]:
        return list(dict.fromkeys(brain.way for brain in self.brains))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def write(self, path: Path) -> None:
        replace_file(path, (json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n").encode())

    def write_parquet(self, path: Path) -> bool:
        """A row for each brain and pool. False where pyarrow is not installed."""
        from okapi.formats.samples.text import load_pyarrow

        try:
            arrow, parquet = load_pyarrow()
        except UsageError:
            return False
        brains = {brain.name: asdict(brain) for brain in self.brains}
        rows = [
            {"pool": pool.name, "limits": pool.limits, **asdict(row), **brains.get(row.name, {})}
            for pool in self.pools
            for row in pool.rows
        ]
        columns = dict.fromkeys(key for row in rows for key in row)
        table = arrow.table({key: [row.get(key) for row in rows] for key in columns})
        parquet.write_table(table, path)
        return True

    @classmethod
    def read(cls, path: Path) -> Self:
        """A stored result: NotFound, InvalidText."""
        try:
            with path.open("rb") as file:
                return cast(Self, _parsed(cls, json.loads(file.read(LONGEST))))
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


# --- One scale --------------------------------------------------------------------------------------------------------


def offset(result: LeagueResult, pool: LeaguePool) -> float | None:
    """What the limits of a pool add to the reference: ratings plus this are on the scale of all limits."""
    linked, first = result.pool(LIMITS), result.conditions[0] if result.conditions else None
    if linked is None or first is None:
        return None
    row = linked.row(REFERENCE if pool.name == first.name else f"{REFERENCE} @ {pool.name}")
    return None if row is None else row.elo


def on_one_scale(result: LeagueResult, name: str) -> list[tuple[LeaguePool, LeagueRow, float]]:
    """A player in all pools that are linked: the pool, the row, and the Elo on the scale of all limits."""
    found = ((pool, pool.row(name), offset(result, pool)) for pool in result.conditions)
    return [(pool, row, row.elo + added) for pool, row, added in found if row is not None and added is not None]
