"""The league as Markdown: what stands in the docs."""

from collections.abc import Sequence

from okapi.formats.numbers import interval, number
from okapi.recipes.league.answers import answers, round_number
from okapi.recipes.league.pictures import title_of
from okapi.recipes.league.result import Level, Result, Row

__all__ = ["as_markdown", "in_short"]


def in_short(result: Result) -> str:
    """One table for a first page: everybody, with the ratings of all tables and what learning cost."""
    heads = [f"{title_of(table)}: Elo (95 %)" for table in result.tables]
    lines = [("brain", "way of learning", *heads, "positions", "multiplications")]
    order = [row.name for table in result.tables for row in table.rows if row.entrant]
    rated = [{row.name: row for row in table.rows} for table in result.tables]
    for name in dict.fromkeys(order):
        entry = result.entry(name)
        if entry is not None:
            costs = round_number(entry.samples), round_number(entry.operations)
            lines.append((f"`{name}`", entry.way, *(_elo(rows.get(name)) for rows in rated), *costs))
    return _table(lines)


def as_markdown(result: Result) -> str:
    """The answers, the tables and how they were made."""
    parts = ["\n".join(f"- {sentence}" for sentence in answers(result)), in_short(result)]
    for table in result.tables:
        engines = [row for row in table.rows if not row.entrant]
        if engines:
            rows = [(row.name, _elo(row), str(row.games)) for row in engines]
            parts.append(f"Engines of the ladder in the table “{title_of(table)}”:")
            parts.append(_table([("engine", "Elo (95 %)", "games"), *rows]))
    if result.levels:
        parts.append("With more and with less thinking, Elo (95 %), and the processor time that a node takes:")
        parts.append(_thinking(result))
    failed = [(row, table) for table in result.tables for row in table.rows if row.faults]
    if failed:
        told = ", ".join(f"{row.name} {sum(row.faults.values())} ({table.limits})" for row, table in failed)
        parts.append(f"Games lost by the clock, a crash or an illegal move: {told}.")
    if result.left_out:
        parts.append("\n".join(f"- Left out of {who}, because {why}." for who, why in result.left_out.items()))
    counted = ", ".join(f"{table.games:,} games ({table.limits})" for table in result.tables)
    made = " ".join(f"`{command}`" for command in result.commands.values())
    return "\n\n".join([*parts, f"{counted}. Made by {made}."]) + "\n"


def _thinking(result: Result) -> str:
    """A row for each brain, a column for each number of nodes, the strongest first."""
    columns = sorted({level.nodes for level in result.levels if level.nodes is not None})
    names = dict.fromkeys(level.name for level in sorted(result.levels, key=lambda level: -level.elo))
    lines = [("brain", *(f"{nodes:,} nodes" for nodes in columns), "no search", "µs a node or move")]
    for name in names:
        at = {level.nodes: level for level in result.levels if level.name == name}
        entry = result.entry(name)
        seconds = number(None if entry is None else 1e6 * entry.seconds, 2)
        lines.append((f"`{name}`", *(_elo(at.get(nodes)) for nodes in (*columns, None)), seconds))
    return _table(lines)


def _elo(rated: Row | Level | None) -> str:
    if rated is None or rated.elo is None:
        return "–"
    fixed = rated.low == rated.high  # the yardstick
    return number(rated.elo) if fixed else f"{number(rated.elo)} ({interval(rated.low, rated.high)})"


def _table(lines: Sequence[Sequence[str]]) -> str:
    head, *rows = lines
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *rows])
