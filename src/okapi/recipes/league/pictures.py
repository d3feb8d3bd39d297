"""The league in pictures: who is how strong, and what strength costs in data, compute and thinking time."""

from okapi.formats.svg import Interval, Intervals, Picture, Place, Scatter, page
from okapi.recipes.league.answers import PRICES, Price, costs, frontier
from okapi.recipes.league.result import Result, Row, Table

__all__ = ["in_one", "of_prices", "of_table", "of_thinking", "title_of"]

SIZE = (620, 420)
"""Of one picture in the file that has all."""


def in_one(result: Result) -> str:
    """All pictures in one SVG file: tables, then prices, then thinking."""
    drawn: list[Picture] = [of_table(table) for table in result.tables]
    first = result.tables[0] if result.tables else None
    if first is not None:
        drawn += [of_prices(result, first, price) for price in PRICES]
    if result.levels:
        drawn.append(of_thinking(result))
    return page("The league: one search, one clock, every way of learning", drawn, SIZE)


def title_of(table: Table) -> str:
    """What a table is called.

    >>> title_of(Table(name="clock", limits="1+0.01", games=0, rows=(), met={}))
    'With a clock, 1+0.01'
    >>> title_of(Table(name="nodes", limits="nodes=1000", games=0, rows=(), met={}))
    'Equal nodes, 1000 a move'
    """
    if table.name == "clock":
        return f"With a clock, {table.limits}"
    return f"Equal nodes, {table.limits.removeprefix('nodes=')} a move"


def of_table(table: Table) -> Intervals:
    """Ratings with their intervals."""
    groups = ("entrants", "engines of the ladder") if any(not row.entrant for row in table.rows) else ("", "")
    rows = [
        Interval(row.name, row.elo, low, high, groups[not row.entrant])
        for row in table.rows
        if row.elo is not None
        for low, high in [_ends(row)]
    ]
    return Intervals(title_of(table), rows, "Elo")


def of_prices(result: Result, table: Table, price: Price) -> Scatter:
    """Strength over what was paid for it; whoever is surpassed for less is pale."""
    paid = costs(result, table, price)
    return Scatter(
        f"Elo over {price.name}: {title_of(table).lower()}",
        _ordered(result, [Place(row.name, cost, row.elo or 0.0, *_ends(row)) for row, cost in paid]),
        price.unit,
        "Elo",
        frontier((row.name, cost, row.elo or 0.0) for row, cost in paid),
    )


def of_thinking(result: Result) -> Scatter:
    """Strength over thinking time: each entrant with fewer nodes and with more."""
    return Scatter(
        "Elo over thinking time",
        _ordered(result, [Place(at.name, at.seconds, at.elo, at.low, at.high) for at in result.levels]),
        "seconds of one processor for a move",
        "Elo",
        frontier((level.name, level.seconds, level.elo) for level in result.levels),
    )


def _ordered(result: Result, places: list[Place]) -> list[Place]:
    """In the order of the entrants, so that each has one colour in all pictures."""
    order = [entry.name for entry in result.entries]
    return sorted(places, key=lambda place: order.index(place.name) if place.name in order else len(order))


def _ends(row: Row) -> tuple[float, float]:
    middle = row.elo or 0.0
    return middle if row.low is None else row.low, middle if row.high is None else row.high
