"""Which way of learning is best: nobody stronger for less, and the sentences that say so."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from okapi.formats.numbers import elo, number, percent
from okapi.recipes.league.result import Entry, Level, Result, Row, Table

__all__ = ["PRICES", "Price", "answers", "costs", "frontier", "round_number"]

BRIEFEST_S: Final = 1e-9
"""No move takes less."""


@dataclass(frozen=True, slots=True)
class Price:
    """What strength is paid with."""

    name: str
    of: Callable[[Entry], float | None]
    unit: str


PRICES: Final = (
    Price("data", lambda entry: entry.samples, "positions learned from"),
    Price("compute", lambda entry: entry.operations, "multiplications of learning"),
)


def frontier(points: Iterable[tuple[str, float, float]]) -> list[str]:
    """Who is worth its price: told as name, price and strength, those that nobody surpasses for the same or less.

    >>> frontier([("books", 0, 100), ("games", 50, 90), ("teacher", 50, 300), ("more", 900, 250)])
    ['books', 'teacher']
    """
    best, found = float("-inf"), []
    for name, _, strength in sorted(points, key=lambda point: (point[1], -point[2])):
        if strength > best:
            best = strength
            found.append(name)
    return found


def costs(result: Result, table: Table, price: Price) -> list[tuple[Row, float]]:
    """The rated entrants of a table whose price is known, with it."""
    found = []
    for row in table.rows:
        entry = result.entry(row.name)
        paid = price.of(entry) if entry else None
        if paid is not None and row.elo is not None:
            found.append((row, paid))
    return found


def answers(result: Result) -> list[str]:
    """The question that no paper alone could answer, answered by the tables that there are."""
    told = []
    for table in result.tables:
        told += _best(table)
        for price in PRICES:
            told += _worth(result, table, price)
    return told + _thinking(result)


def _best(table: Table) -> list[str]:
    rated = [row for row in table.rows if row.entrant and row.elo is not None]
    if len(rated) < 2:
        return []
    first, second = rated[0], rated[1]
    sure = first.low is not None and second.high is not None and first.low > second.high
    surely = "their intervals are apart" if sure else "their intervals overlap, so this may be chance"
    told = f"{first.name} is the strongest, {_elo(first)}; {second.name} is next, {_elo(second)}"
    return [f"{_where(table)} {told}: {surely}."]


def _worth(result: Result, table: Table, price: Price) -> list[str]:
    paid = costs(result, table, price)
    if len(paid) < 2:
        return []
    front = frontier((row.name, cost, row.elo or 0.0) for row, cost in paid)
    by_name = {row.name: (row, cost) for row, cost in paid}
    steps = [f"{name} ({round_number(by_name[name][1])}, {number(by_name[name][0].elo)} Elo)" for name in front]
    return [f"{_where(table)} nobody is stronger for less {price.name} than {_listed(steps)} ({price.unit})."]


def _thinking(result: Result) -> list[str]:
    """Who is the strongest that answers in time, for times ten times as long each."""
    if len(result.levels) < 2:
        return []
    powers = [math.ceil(math.log10(max(level.seconds, BRIEFEST_S))) for level in result.levels]
    steps: list[str] = []
    for power in range(min(powers), max(powers) + 1):
        in_time = [level for level in result.levels if level.seconds <= 10.0**power]
        best = max(in_time, key=lambda level: level.elo)
        if best.seconds > 10.0 ** (power - 1):  # a briefer one was named before
            steps.append(f"up to {_brief(10.0**power)} it is {_thought(best)} ({number(best.elo)} Elo)")
    return [f"The strongest for the processor time that a move may take: {_listed(steps)}."]


def _thought(level: Level) -> str:
    return level.name if level.nodes is None else f"{level.name} with {level.nodes:,} nodes"


def _brief(seconds: float) -> str:
    return f"{seconds:g} s" if seconds >= 1 else f"{1000 * seconds:g} ms"


def _where(table: Table) -> str:
    if table.name == "clock":
        return f"With a clock of {table.limits}"
    return f"At {table.limits.removeprefix('nodes=')} nodes a move"


def _elo(row: Row) -> str:
    fixed = row.low == row.high  # the yardstick, from which all are measured
    rating = number(row.elo) if fixed else elo(row.elo or 0.0, row.low, row.high)
    return f"{rating} Elo, {percent(row.score, 0)} of its points"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def round_number(value: float | None) -> str:
    """A large number as people say it.

    >>> round_number(1_866_062), round_number(3.9e14), round_number(0), round_number(None)
    ('1.87 million', '3.9 × 10¹⁴', '0', '–')
    """
    if value is None or value < 10_000:
        return number(value)
    if value < 1e9:
        return f"{value / 1e6:.3g} million" if value >= 1e6 else f"{value / 1e3:.0f} thousand"
    mantissa, power = f"{value:.1e}".split("e")
    return f"{mantissa} × 10{str(int(power)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
