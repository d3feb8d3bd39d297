"""The league as Markdown: what stands in README and docs."""

from collections.abc import Sequence

from okapi.papers.league.answers import answers, round_number
from okapi.papers.league.pictures import title_of
from okapi.papers.league.result import Result, Row
from okapi.papers.words import interval, number

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
        parts.append("Thinking longer, against the yardstick at several levels:")
        levels = [
            (
                f"`{level.name}`",
                "–" if level.nodes is None else f"{level.nodes:,}",
                f"{level.seconds:.2g}",
                f"{number(level.elo)} ({interval(level.low, level.high)})",
            )
            for level in result.levels
        ]
        parts.append(_table([("brain", "nodes a move", "seconds a move", "Elo (95 %)"), *levels]))
    failed = [(row, table) for table in result.tables for row in table.rows if row.faults]
    if failed:
        told = ", ".join(f"{row.name} {sum(row.faults.values())} ({table.limits})" for row, table in failed)
        parts.append(f"Games lost by the clock, a crash or an illegal move: {told}.")
    if result.left_out:
        parts.append("\n".join(f"- Left out of {who}, because {why}." for who, why in result.left_out.items()))
    counted = ", ".join(f"{table.games:,} games ({table.limits})" for table in result.tables)
    made = " ".join(f"`{command}`" for command in result.commands.values())
    return "\n\n".join([*parts, f"{counted}. Made by {made}."]) + "\n"


def _elo(row: Row | None) -> str:
    if row is None or row.elo is None:
        return "–"
    return f"{number(row.elo)} ({interval(row.low, row.high)})"


def _table(lines: Sequence[Sequence[str]]) -> str:
    head, *rows = lines
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *rows])
