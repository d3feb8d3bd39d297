"""The result of a season of the league: records, and their file."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Final, Self, get_args, get_origin, get_type_hints

from okapi.errors import InvalidText, NotFound
from okapi.files import replace_file
from okapi.formats.numbers import elo, number, percent

RESULT: Final = "league.json"
SHIPPED: Final = Path(__file__).with_name(RESULT)
"""The season that comes with okapi: scripts/ship_league.py."""

LONGEST: Final = 4_000_000
"""Bytes; a result has some ten thousand."""

MOST: Final = 200
"""Entries of a list; longer ones are refused, because files come from anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    name: str
    elo: float | None
    """None, as long as games do not link the players."""
    low: float | None
    high: float | None
    games: int
    score: float
    """Share of the points, 0 to 1."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Games lost other than by play: time_losses, crashes, stalls, illegal."""
    entrant: bool = True
    """An entrant of the league; otherwise an engine of the ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueTable:
    """All players under the same limits, strongest first."""

    name: str
    """nodes or clock."""
    limits: str
    """As in `nodes=1000` or `1+0.01`."""
    games: int
    rows: tuple[TableRow, ...]
    met: Mapping[str, Mapping[str, list[int]]]
    """Name → opponent → won, drawn, lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRating:
    name: str
    nodes: int | None
    """For each move; None without search."""
    seconds: float
    """Of one processor, for each move."""
    elo: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantInfo:
    name: str
    way: str
    learned_from: str
    samples: float | None
    operations: float | None
    weights: int
    seconds: float
    """Of one processor, for a node; for a move of one that does not search."""
    searches: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueResult:
    entries: tuple[EntrantInfo, ...] = ()
    tables: tuple[LeagueTable, ...] = ()
    levels: tuple[LevelRating, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Entrants that were left out, such as `nodes: okapi-resnet`, and why."""
    commands: Mapping[str, str] = field(default_factory=dict)

    def table(self, name: str) -> LeagueTable | None:
        return next((table for table in self.tables if table.name == name), None)

    def entry(self, name: str) -> EntrantInfo | None:
        """An entrant by its name; None for an engine."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def write(self, path: Path) -> None:
        replace_file(path, (json.dumps(self.as_json(), indent=1, ensure_ascii=False) + "\n").encode())

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
    if origin is list:
        won, drawn, lost = told
        return [int(won), int(drawn), int(lost)]
    if kind is float and not math.isfinite(float(told)):
        raise ValueError(f"{told} is no number that can be drawn")
    return kind(told)


# --- Sentences --------------------------------------------------------------------------------------------------------

BRIEFEST_S: Final = 1e-9
"""No move takes less."""


@dataclass(frozen=True, slots=True)
class Price:
    name: str
    of: Callable[[EntrantInfo], float | None]
    unit: str


PRICES: Final = (
    Price("data", lambda entry: entry.samples, "positions learned from"),
    Price("compute", lambda entry: entry.operations, "multiplications of learning"),
)


def frontier(points: Iterable[tuple[str, float, float]]) -> list[str]:
    """The names of those that no other surpasses at the same price or less; each is given as name, price and strength.

    >>> frontier([("books", 0, 100), ("games", 50, 90), ("teacher", 50, 300), ("more", 900, 250)])
    ['books', 'teacher']
    """
    best, found = float("-inf"), []
    for name, _, strength in sorted(points, key=lambda point: (point[1], -point[2])):
        if strength > best:
            best = strength
            found.append(name)
    return found


def costs(result: LeagueResult, table: LeagueTable, price: Price) -> list[tuple[TableRow, float]]:
    """The rated entrants of a table whose price is known, with their prices."""
    found = []
    for row in table.rows:
        entry = result.entry(row.name)
        paid = price.of(entry) if entry else None
        if paid is not None and row.elo is not None:
            found.append((row, paid))
    return found


def answers(result: LeagueResult, prices: Sequence[Price] = PRICES) -> list[str]:
    """Sentences about the tables: the strongest entrants, and what strength costs in these prices."""
    told = []
    for table in result.tables:
        told += _best(table)
        for price in prices:
            told += _worth(result, table, price)
    return told + _thinking(result)


def _best(table: LeagueTable) -> list[str]:
    rated = [row for row in table.rows if row.entrant and row.elo is not None]
    if len(rated) < 2:
        return []
    first, second = rated[0], rated[1]
    sure = first.low is not None and second.high is not None and first.low > second.high
    surely = "their intervals are apart" if sure else "their intervals overlap, so this may be chance"
    told = f"{first.name} is the strongest, {_elo(first)}; {second.name} is next, {_elo(second)}"
    return [f"{_where(table)} {told}: {surely}."]


def _worth(result: LeagueResult, table: LeagueTable, price: Price) -> list[str]:
    paid = costs(result, table, price)
    if len(paid) < 2:
        return []
    front = frontier((row.name, cost, row.elo or 0.0) for row, cost in paid)
    by_name = {row.name: (row, cost) for row, cost in paid}
    steps = [f"{name} ({round_number(by_name[name][1])}, {number(by_name[name][0].elo)} Elo)" for name in front]
    return [f"{_where(table)} nobody is stronger for less {price.name} than {_listed(steps)} ({price.unit})."]


def _thinking(result: LeagueResult) -> list[str]:
    """The strongest within a time for each move; times are powers of ten."""
    if len(result.levels) < 2:
        return []
    powers = [math.ceil(math.log10(max(level.seconds, BRIEFEST_S))) for level in result.levels]
    steps: list[str] = []
    for power in range(min(powers), max(powers) + 1):
        in_time = [level for level in result.levels if level.seconds <= 10.0**power]
        best = max(in_time, key=lambda level: level.elo)
        if best.seconds > 10.0 ** (power - 1):  # a faster one was named before
            steps.append(f"up to {_brief(10.0**power)} it is {_thought(best)} ({number(best.elo)} Elo)")
    return [f"The strongest for the processor time that a move may take: {_listed(steps)}."]


def _thought(level: LevelRating) -> str:
    return level.name if level.nodes is None else f"{level.name} with {level.nodes:,} nodes"


def _brief(seconds: float) -> str:
    return f"{seconds:g} s" if seconds >= 1 else f"{1000 * seconds:g} ms"


def _where(table: LeagueTable) -> str:
    if table.name == "clock":
        return f"With a clock of {table.limits}"
    return f"At {table.limits.removeprefix('nodes=')} nodes a move"


def _elo(row: TableRow) -> str:
    fixed = row.low == row.high  # the yardstick: all ratings are relative to it
    rating = number(row.elo) if fixed else elo(row.elo or 0.0, row.low, row.high)
    return f"{rating} Elo, {percent(row.score, 0)} of its points"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


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
