"""The league as a page, a picture and a table in Markdown."""

from collections.abc import Iterator, Sequence

from okapi.formats.html import Command, Figure, Notes, Part, Prose, Section, document
from okapi.formats.html import Table as Printed
from okapi.formats.numbers import interval, number, percent
from okapi.formats.svg import Interval, Intervals, Picture, Scatter, ScatterPoint, figure, page
from okapi.recipes.league.result import (
    PRICES,
    LeagueResult,
    LeagueTable,
    LevelRating,
    Price,
    TableRow,
    answers,
    costs,
    frontier,
    round_number,
)

SIZE = (620, 420)
"""Of one picture in the file that has all."""


def in_one(result: LeagueResult) -> str:
    """All pictures in one SVG file: tables, then prices, then thinking."""
    drawn: list[Picture] = [of_table(table) for table in result.tables]
    first = result.tables[0] if result.tables else None
    if first is not None:
        drawn += [of_prices(result, first, price) for price in PRICES]
    if result.levels:
        drawn.append(of_thinking(result))
    return page("The league: one search, one clock, every way of learning", drawn, SIZE)


def title_of(table: LeagueTable) -> str:
    """What a table is called.

    >>> title_of(LeagueTable(name="clock", limits="1+0.01", games=0, rows=(), met={}))
    'With a clock, 1+0.01'
    >>> title_of(LeagueTable(name="nodes", limits="nodes=1000", games=0, rows=(), met={}))
    'Equal nodes, 1000 a move'
    """
    if table.name == "clock":
        return f"With a clock, {table.limits}"
    return f"Equal nodes, {table.limits.removeprefix('nodes=')} a move"


def of_table(table: LeagueTable) -> Intervals:
    groups = ("entrants", "engines of the ladder") if any(not row.entrant for row in table.rows) else ("", "")
    rows = [
        Interval(row.name, row.elo, low, high, groups[not row.entrant])
        for row in table.rows
        if row.elo is not None
        for low, high in [_ends(row)]
    ]
    return Intervals(title_of(table), rows, "Elo")


def of_prices(result: LeagueResult, table: LeagueTable, price: Price) -> Scatter:
    """Strength over what was paid for it; whoever is surpassed for less is pale."""
    paid = costs(result, table, price)
    return Scatter(
        f"Elo over {price.name}: {title_of(table).lower()}",
        _ordered(result, [ScatterPoint(row.name, cost, row.elo or 0.0, *_ends(row)) for row, cost in paid]),
        price.unit,
        "Elo",
        frontier((row.name, cost, row.elo or 0.0) for row, cost in paid),
    )


def of_thinking(result: LeagueResult) -> Scatter:
    """Strength over thinking time: each entrant with fewer nodes and with more."""
    return Scatter(
        "Elo over thinking time",
        _ordered(result, [ScatterPoint(at.name, at.seconds, at.elo, at.low, at.high) for at in result.levels]),
        "seconds of one processor for a move",
        "Elo",
        frontier((level.name, level.seconds, level.elo) for level in result.levels),
    )


def _ordered(result: LeagueResult, places: list[ScatterPoint]) -> list[ScatterPoint]:
    """In the order of the entrants, so that each has one colour in all pictures."""
    order = [entry.name for entry in result.entries]
    return sorted(places, key=lambda place: order.index(place.name) if place.name in order else len(order))


def _ends(row: TableRow) -> tuple[float, float]:
    middle = row.elo or 0.0
    return middle if row.low is None else row.low, middle if row.high is None else row.high


# --- The page ---------------------------------------------------------------------------------------------------------

WIDE = 760
HIGH = 460

MEANING = (
    "All entrants that judge positions play under the same search, from the same openings, each opening twice with "
    "colours changed; okapi-human has no opinion of positions and plays the likeliest move without search. Ratings "
    "are those of the model of okapi rate, with intervals of 95 %. At equal nodes okapi-28 is 0; with a clock, "
    "engines of the ladder are what their nominal ratings say, on average."
)


def league_page(result: LeagueResult) -> str:
    sections = [Section("Answers", [Notes(answers(result)), Prose(MEANING)])]
    sections += [Section(title_of(table), list(_table(table))) for table in result.tables]
    sections.append(Section("What it cost", list(_costs(result))))
    if result.levels:
        sections.append(Section("Thinking time", list(_thinking(result))))
    told = [f"{who}: {why}." for who, why in result.left_out.items()]
    sections.append(Section("Left out", [Notes(told or ["Nobody."])]))
    sections.append(Section("How it was made", [Command("\n".join(result.commands.values()))]))
    return document("The league", "One search, one clock, every way of learning", sections)


def _table(table: LeagueTable) -> Iterator[Part]:
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


def _points(table: LeagueTable, name: str, opponent: str) -> str:
    won, drawn, lost = table.met.get(name, {}).get(opponent, (0, 0, 0))
    games = won + drawn + lost
    return f"{won + drawn / 2:g}/{games}" if games else "·"


def _costs(result: LeagueResult) -> Iterator[Part]:
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


def _thinking(result: LeagueResult) -> Iterator[Part]:
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


# --- Markdown ---------------------------------------------------------------------------------------------------------


def in_short(result: LeagueResult) -> str:
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
    return _markdown_table(lines)


def as_markdown(result: LeagueResult) -> str:
    """The strongest, the tables and how they were made. The picture shows what strength costs."""
    parts = ["\n".join(f"- {sentence}" for sentence in answers(result, prices=())), in_short(result)]
    for table in result.tables:
        engines = [row for row in table.rows if not row.entrant]
        if engines:
            rated = "; ".join(f"{row.name} {_elo(row)}, {row.games} games" for row in engines)
            parts.append(f"Engines in “{title_of(table)}”: {rated}.")
    if result.levels:
        parts.append("With more and with less thinking, Elo (95 %), and the processor time that a node takes:")
        parts.append(_thinking_table(result))
    failed = [(row, table) for table in result.tables for row in table.rows if row.faults]
    if failed:
        told = ", ".join(f"{row.name} {sum(row.faults.values())} ({table.limits})" for row, table in failed)
        parts.append(f"Games lost by the clock, a crash or an illegal move: {told}.")
    if result.left_out:
        reasons = dict.fromkeys(result.left_out.values())
        who = {why: ", ".join(who for who, reason in result.left_out.items() if reason == why) for why in reasons}
        parts.append("Left out: " + "; ".join(f"{names} ({why})" for why, names in who.items()) + ".")
    counted = ", ".join(f"{table.games:,} games ({table.limits})" for table in result.tables)
    made = " ".join(f"`{command}`" for command in result.commands.values())
    return "\n\n".join([*parts, f"{counted}. Made by {made}."]) + "\n"


def _thinking_table(result: LeagueResult) -> str:
    """A row for each brain, a column for each number of nodes, the strongest first."""
    columns = sorted({level.nodes for level in result.levels if level.nodes is not None})
    names = dict.fromkeys(level.name for level in sorted(result.levels, key=lambda level: -level.elo))
    lines = [("brain", *(f"{nodes:,} nodes" for nodes in columns), "no search", "µs a node or move")]
    for name in names:
        at = {level.nodes: level for level in result.levels if level.name == name}
        entry = result.entry(name)
        seconds = number(None if entry is None else 1e6 * entry.seconds, 2)
        lines.append((f"`{name}`", *(_elo(at.get(nodes)) for nodes in (*columns, None)), seconds))
    return _markdown_table(lines)


def _elo(rated: TableRow | LevelRating | None) -> str:
    if rated is None or rated.elo is None:
        return "–"
    fixed = rated.low == rated.high  # the yardstick
    return number(rated.elo) if fixed else f"{number(rated.elo)} ({interval(rated.low, rated.high)})"


def _markdown_table(lines: Sequence[Sequence[str]]) -> str:
    head, *rows = lines
    first, *others = (f"| {' | '.join(cells)} |" for cells in [head, *rows])
    return "\n".join([first, "|---" * len(head) + "|", *others])
