"""The league as one page of HTML that needs nothing else."""

from collections.abc import Iterator

from okapi.formats.html import Command, Figure, Notes, Part, Prose, Section, document
from okapi.formats.html import Table as Printed
from okapi.formats.numbers import interval, number, percent
from okapi.formats.svg import Picture, figure
from okapi.recipes.league.answers import PRICES, answers, round_number
from okapi.recipes.league.pictures import of_prices, of_table, of_thinking, title_of
from okapi.recipes.league.result import Result, Table

__all__ = ["MEANING", "league_page"]

WIDE = 760
HIGH = 460

MEANING = (
    "All entrants that judge positions play under the same search, from the same openings, each opening twice with "
    "colours changed; okapi-human has no opinion of positions and plays the likeliest move without search. Ratings "
    "are those of the model of okapi rate, with intervals of 95 %. At equal nodes okapi-28 is 0; with a clock, "
    "engines of the ladder are what their nominal ratings say, on average."
)


def league_page(result: Result) -> str:
    """The page."""
    sections = [Section("Answers", [Notes(answers(result)), Prose(MEANING)])]
    sections += [Section(title_of(table), list(_table(table))) for table in result.tables]
    sections.append(Section("What it cost", list(_costs(result))))
    if result.levels:
        sections.append(Section("Thinking time", list(_thinking(result))))
    told = [f"{who}: {why}." for who, why in result.left_out.items()]
    sections.append(Section("Left out", [Notes(told or ["Nobody."])]))
    sections.append(Section("How it was made", [Command("\n".join(result.commands.values()))]))
    return document("The league", "One search, one clock, every way of learning", sections)


def _table(table: Table) -> Iterator[Part]:
    order = [row.name for row in table.rows]
    yield Printed(
        name=f"Ratings, {table.limits}",
        caption=f"{table.games:,} games. Faults are games lost by the clock, a crash or an illegal move.",
        heads=("player", "Elo", "95 %", "games", "score", "faults"),
        rows=[
            (
                row.name,
                number(row.elo),
                interval(row.low, row.high),
                str(row.games),
                percent(row.score),
                str(sum(row.faults.values()) or "–"),
            )
            for row in table.rows
        ],
    )
    yield _drawn(f"Picture, {table.limits}", "The same, with intervals.", of_table(table))
    yield Printed(
        name=f"Who met whom, {table.limits}",
        caption="Points of the row's player against the column's, of so many games.",
        heads=("player", *(str(place) for place in range(1, len(order) + 1))),
        rows=[
            (f"{place}. {name}", *(_points(table, name, opponent) for opponent in order))
            for place, name in enumerate(order, start=1)
        ],
    )


def _points(table: Table, name: str, opponent: str) -> str:
    won, drawn, lost = table.met.get(name, {}).get(opponent, (0, 0, 0))
    games = won + drawn + lost
    return f"{won + drawn / 2:g}/{games}" if games else "·"


def _costs(result: Result) -> Iterator[Part]:
    yield Printed(
        name="Entrants",
        caption="Positions that were learned from, multiplications of learning (about; a teacher's own are not "
        "counted), weights, and nodes a second of one processor.",
        heads=("brain", "way of learning", "learned from", "positions", "multiplications", "weights", "nodes/s"),
        rows=[
            (
                entry.name,
                entry.way,
                entry.learned_from,
                round_number(entry.samples),
                round_number(entry.operations),
                f"{entry.weights:,}",
                number(1 / entry.seconds) if entry.searches and entry.seconds else "–",
            )
            for entry in result.entries
        ],
        words=(1, 2),
    )
    for table in result.tables:
        for price in PRICES:
            yield _drawn(
                f"Elo over {price.name}, {table.limits}",
                "Whoever is surpassed by somebody for less is pale.",
                of_prices(result, table, price),
            )


def _thinking(result: Result) -> Iterator[Part]:
    yield _drawn(
        "Elo over thinking time",
        "Each entrant against okapi-28 at several numbers of nodes; okapi-28 at the middle one is 0.",
        of_thinking(result),
    )
    yield Printed(
        name="Levels",
        caption="Nodes a move, and the processor time that they take.",
        heads=("player", "nodes", "seconds", "Elo", "95 %", "games"),
        rows=[
            (
                level.name,
                "–" if level.nodes is None else f"{level.nodes:,}",
                f"{level.seconds:.2g}",
                number(level.elo),
                interval(level.low, level.high),
                str(level.games),
            )
            for level in result.levels
        ],
    )


def _drawn(name: str, caption: str, picture: Picture) -> Figure:
    described = f"{name}: the numbers are in the tables of this section"
    return Figure(name=name, caption=caption, pictures=[figure(picture, described, WIDE, HIGH)])
