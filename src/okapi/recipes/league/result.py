"""What a season of the league came to: records, and the file that keeps them."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from okapi.errors import InvalidText, NotFound
from okapi.files import replace_file

__all__ = ["RESULT", "SHIPPED", "Entry", "Level", "Result", "Row", "Table"]

RESULT: Final = "league.json"
SHIPPED: Final = Path(__file__).with_name(RESULT)
"""The season that comes with okapi: scripts/ship_league.py."""

LONGEST: Final = 4_000_000
"""Bytes; a result has some ten thousand."""

MOST: Final = 200
"""Of anything in a list: a file may hold what it likes, and is shown to people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player's line of a table."""

    name: str
    elo: float | None
    """Nothing, as long as the games do not link the players."""
    low: float | None
    high: float | None
    games: int
    score: float
    """Share of the points, 0 to 1."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """How often it lost without being beaten: time_losses, crashes, stalls, illegal."""
    entrant: bool = True
    """One of the league, or an engine that others can compare with?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Everybody under the same limits, strongest first."""

    name: str
    """nodes or clock."""
    limits: str
    """As in `nodes=1000` or `1+0.01`."""
    games: int
    rows: tuple[Row, ...]
    met: Mapping[str, Mapping[str, Sequence[int]]]
    """Name → opponent → won, drawn, lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How strong somebody is with so much thinking."""

    name: str
    nodes: int | None
    """For each move; nothing for one that does not search."""
    seconds: float
    """Of one processor, for each move."""
    elo: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entrant: how it learned, and what that cost."""

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
class Result:
    """All of it."""

    entries: tuple[Entry, ...] = ()
    tables: tuple[Table, ...] = ()
    levels: tuple[Level, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Who did not play where, as in `nodes: okapi-resnet`, and why."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """What to type for each part."""

    def table(self, name: str) -> Table | None:
        """A table by its name, if it was played."""
        return next((table for table in self.tables if table.name == name), None)

    def entry(self, name: str) -> Entry | None:
        """An entrant by its name; nothing for an engine."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def as_json(self) -> dict[str, Any]:
        """For programs and for the file."""
        return asdict(self)

    def write(self, path: Path) -> None:
        """Keep it; whoever looks meanwhile has the old one or the new one."""
        replace_file(path, (json.dumps(self.as_json(), indent=1, ensure_ascii=False) + "\n").encode())

    @classmethod
    def read(cls, path: Path) -> Self:
        """What was kept: NotFound, InvalidText."""
        try:
            with path.open("rb") as file:
                return cls.from_json(json.loads(file.read(LONGEST)))
        except OSError as error:
            raise NotFound(f"`{path}` holds no result of a league: {error.strerror}", hint="okapi league") from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise InvalidText(f"`{path}` is no result of a league, or is damaged", hint="okapi league") from None

    @classmethod
    def from_json(cls, told: Any) -> Self:
        """The records again. Numbers that are none, and names that nothing has, are errors."""
        return cls(
            entries=tuple(map(_entry, _few(told["entries"]))),
            tables=tuple(map(_table, _few(told["tables"]))),
            levels=tuple(map(_level, _few(told["levels"]))),
            left_out={str(name): str(why) for name, why in _few(told["left_out"]).items()},
            commands={str(part): str(command) for part, command in _few(told["commands"]).items()},
        )


def _entry(told: Any) -> Entry:
    return Entry(
        name=str(told["name"]),
        way=str(told["way"]),
        learned_from=str(told["learned_from"]),
        samples=_number(told["samples"]),
        operations=_number(told["operations"]),
        weights=int(told["weights"]),
        seconds=_finite(told["seconds"]),
        searches=bool(told["searches"]),
    )


def _table(told: Any) -> Table:
    return Table(
        name=str(told["name"]),
        limits=str(told["limits"]),
        games=int(told["games"]),
        rows=tuple(map(_row, _few(told["rows"]))),
        met={
            str(name): {str(opponent): _counts(*counts) for opponent, counts in _few(against).items()}
            for name, against in _few(told["met"]).items()
        },
    )


def _counts(won: Any, drawn: Any, lost: Any) -> Sequence[int]:
    return [int(won), int(drawn), int(lost)]


def _row(told: Any) -> Row:
    rated = {key: _number(told[key]) for key in ("elo", "low", "high")}
    return Row(
        name=str(told["name"]),
        **rated,
        games=int(told["games"]),
        score=_finite(told["score"]),
        faults={str(kind): int(count) for kind, count in _few(told["faults"]).items()},
        entrant=bool(told["entrant"]),
    )


def _level(told: Any) -> Level:
    numbers = {key: _finite(told[key]) for key in ("seconds", "elo", "low", "high")}
    nodes = None if told["nodes"] is None else int(told["nodes"])
    return Level(name=str(told["name"]), nodes=nodes, **numbers, games=int(told["games"]))


def _number(told: Any) -> float | None:
    return None if told is None else _finite(told)


def _finite(told: Any) -> float:
    if not math.isfinite(number := float(told)):
        raise ValueError(f"{told} is no number that can be drawn")
    return number


def _few(told: Any) -> Any:
    if len(told) > MOST:
        raise ValueError(f"{len(told)} are more than anybody played")
    return told
