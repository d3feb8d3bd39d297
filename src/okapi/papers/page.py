"""
The page of a paper, for all papers: sections are data, filled with published and measured numbers.

A `PaperPage` lists its sections; a section lists texts and `Shown` entries. A `Shown` names an experiment and the
parts that its result fills: a `TableOf` or an `IntervalsOf`, which say which keys of the result go where, or a function
of the result's data where a table or figure has a form of its own. An experiment without a result is shown as
missing.
"""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from okapi.arena.elo import MatchResult
from okapi.formats.html import Command, Figure, Missing, Notes, Part, Prose, Section, Table, document
from okapi.formats.numbers import counted, elo, interval, lasted, number, percent
from okapi.formats.svg import Interval, Intervals, Stacks, figure
from okapi.papers.experiment import Experiment, Paper, Result, Results, lazily
from okapi.papers.headlines import Headlines, as_figures, headline_table, measured

Data = Mapping[str, Any]
"""Of one result, or a row of it."""

Build = Callable[[Any], Iterable[Part]]
"""Makes parts of a page from the data of a result."""

OUTCOMES: Final = {"wins": "#55994f", "draws": "#a8a8a8", "losses": "#cf6238"}
"""Outcomes of games, and their colours."""


# --- Declarations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, the keys of its values in a row, and how they are written."""

    head: str
    key: str | tuple[str, ...] | Callable[[Any], Any]
    """A key, several keys, or a function of the row."""
    show: Callable[..., str] = str
    words: bool = False
    """Left-aligned text instead of right-aligned numbers."""

    def cell(self, row: Data) -> str:
        """The text for a row; empty where the row has none of the keys."""
        if callable(self.key):
            return self.show(self.key(row))
        keys = (self.key,) if isinstance(self.key, str) else self.key
        return self.show(*(row.get(key) for key in keys)) if any(key in row for key in keys) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOf:
    """A table of rows that have the same keys, published ones above ours."""

    name: str
    caption: str | Callable[[Any], str]
    """Fields in braces are filled from the data: {positions:,}."""
    columns: Sequence[Column]
    rows: str | Callable[[Any], Iterable[Data]] = "rows"
    """The key of the rows in the data, or a function that gives them."""
    published: Sequence[Data] = ()
    source: str = "paper"
    groups: Sequence[tuple[str, int]] = ()
    bands: Callable[[Any], Sequence[tuple[str, int]]] | None = None

    def __call__(self, data: Any) -> list[Part]:
        """The table, filled; none, where there is no row."""
        ours = list(self.rows(data) if callable(self.rows) else data[self.rows])
        rows = [[column.cell(row) for column in self.columns] for row in (*self.published, *ours)]
        if not rows:
            return []
        sources = ((self.source, len(self.published)), ("ours", len(ours))) if self.published else ()
        return [
            Table(
                name=self.name,
                caption=self.caption(data) if callable(self.caption) else self.caption.format_map(data),
                heads=[column.head for column in self.columns],
                rows=rows,
                groups=self.groups,
                bands=sources if self.bands is None else self.bands(data),
                words=[place for place, column in enumerate(self.columns) if column.words],
            )
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalsOf:
    """A chart of values with intervals, those of the paper in a colour of their own."""

    name: str
    title: str
    unit: str = "Elo"
    value: str = "elo"
    label: str = "name"
    rows: str = "rows"
    published: Sequence[Data] = ()
    source: str = "paper"
    caption: str = "The same numbers as a chart; an open interval ends at its value."

    def __call__(self, data: Any) -> list[Part]:
        """The chart; none, where nothing was measured."""
        groups = (("ours", data[self.rows]), (self.source, self.published))
        drawn = [
            Interval(row[self.label], row[self.value], *self._ends(row), group if self.published else "")
            for group, rows in groups
            for row in rows
            if row[self.value] is not None
        ]
        if not drawn:
            return []
        described = "; ".join(f"{each.name} {elo(each.value, each.low, each.high)}" for each in drawn)
        picture = figure(Intervals(self.title, drawn, self.unit), described, width=760)
        return [Figure(name=self.name, caption=self.caption, pictures=[picture])]

    def _ends(self, row: Data) -> tuple[float, float]:
        low, high = (row[self.value] if row.get(end) is None else row[end] for end in ("low", "high"))
        return low, high


@dataclass(frozen=True, slots=True, init=False)
class Shown:
    """What the result of an experiment fills."""

    experiment: str
    name: str
    """What is missing, where the experiment has no result."""
    parts: tuple[Build, ...]

    def __init__(self, experiment: str, name: str, *parts: Build) -> None:
        object.__setattr__(self, "experiment", experiment)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parts", parts)

    def built(self, results: Results) -> list[Part]:
        """The parts, and the notes that the experiment left; or why there are none."""
        result = results.get(self.experiment)
        if result is None:
            return [Missing(self.name, f"the experiment {self.experiment} was not made")]
        if result.skipped:
            return [Missing(self.name, result.skipped)]
        return [part for build in self.parts for part in build(result.data)]


@dataclass(frozen=True, slots=True, init=False)
class PageSection:
    """A heading, and what stands below it: texts, parts that need no result, and what experiments fill."""

    title: str
    entries: tuple[str | Part | Shown | Callable[[Results], Iterable[Part]], ...]

    def __init__(self, title: str, *entries: str | Part | Shown | Callable[[Results], Iterable[Part]]) -> None:
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "entries", entries)

    def built(self, results: Results) -> Section:
        """With the results; the notes of an experiment stand below the last of its entries."""
        shown = {entry.experiment: place for place, entry in enumerate(self.entries) if isinstance(entry, Shown)}
        parts: list[Part] = []
        for place, entry in enumerate(self.entries):
            match entry:
                case str():
                    parts.append(Prose(entry))
                case Shown():
                    parts += entry.built(results)
                    if shown[entry.experiment] == place:
                        parts += _notes(results.get(entry.experiment))
                case _:
                    parts += entry(results) if callable(entry) else [entry]
        return Section(self.title, parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPage:
    """The page of a paper."""

    paper: str
    title: str
    subtitle: str
    sections: Sequence[PageSection]
    headlines: Headlines
    source: str = "paper"
    """What the numbers were published in."""
    unknown: str
    """What the publication leaves open."""

    def __call__(self, results: Results) -> str:
        """The page as HTML."""
        table = headline_table(
            measured(self.headlines, results), f"Headline figures of the {self.source} and ours.", self.source
        )
        unknown = f"{self.unknown} docs/{self.paper}.md of Okapi's source lists what was chosen here, with reasons."
        return document(
            self.title,
            f"{self.subtitle} Repeated by Okapi: each table and figure, with the {self.source}'s numbers and ours.",
            [
                Section("Summary", [*about(results), table]),
                *(section.built(results) for section in self.sections),
                Section(f"What the {self.source} leaves open", [Prose(unknown)]),
                repeat(self.paper, results),
            ],
        )


def as_paper(page: PaperPage, experiments: Mapping[str, str | Experiment]) -> Paper:
    """The paper whose page this is; experiments by dotted name are imported when they are made."""
    return Paper(
        name=page.paper,
        title=page.title,
        experiments={name: lazily(make) if isinstance(make, str) else make for name, make in experiments.items()},
        figures=lambda results: as_figures(measured(page.headlines, results)),
        page=page,
    )


def _notes(result: Result | None) -> list[Part]:
    notes = [] if result is None or result.skipped else result.data.get("notes", [])
    return [Notes(notes)] if notes else []


# --- Formats ----------------------------------------------------------------------------------------------------------


def decimals(digits: int) -> Callable[[float | None], str]:
    """Writes numbers with so many digits after the point."""
    return lambda value: number(value, digits)


def percents(digits: int = 1) -> Callable[[float | None], str]:
    """Writes shares of one as per cent."""
    return lambda share: percent(share, digits)


RATED: Final = (
    Column("player", "name"),
    Column("Elo", "elo", number),
    Column("95 %", ("low", "high"), interval),
    Column("games", "games", number),
    Column("score", "score", percent),
)
"""The columns of a rating on the ladder."""


# --- Games and ratings ------------------------------------------------------------------------------------------------


def tally_of(data: Data | Sequence[int]) -> MatchResult:
    """Games of a result: by name, or in this order.

    >>> tally_of([3, 2, 1]) == tally_of({"wins": 3, "draws": 2, "losses": 1, "seed": 7})
    True
    """
    wins, draws, losses = (data[name] for name in OUTCOMES) if isinstance(data, Mapping) else data
    return MatchResult(wins, draws, losses)


def counts(tally: MatchResult) -> str:
    """Won, drawn and lost.

    >>> counts(MatchResult(3, 2, 1))
    '3–2–1'
    """
    return f"{tally.wins}–{tally.draws}–{tally.losses}"


def rated_row(row: Data) -> dict[str, Any]:
    """A rating of a result as Bayeselo prints it: whole numbers, per cent, and distances to the interval's ends."""
    return {
        "name": row["name"],
        "elo": round(row["elo"]),
        "plus": round(row["high"] - row["elo"]),
        "minus": round(row["elo"] - row["low"]),
        "games": row["games"],
        "score": round(100 * row["score"]),
        "opposition": round(row["opposition"]),
        "draws": round(100 * row["draws"]),
    }


def rating_table(name: str, caption: str, published: Sequence[Data], ours: Sequence[Data]) -> Table:
    """Two tables of ratings, one above the other: side by side they are wider than a page."""
    return Table(
        name=name,
        caption=caption,
        heads=("player", "Elo", "95 %", "games", "score", "opposition", "draws"),
        rows=[_rated(row) for row in (*published, *ours)],
        bands=(("thesis", len(published)), ("ours", len(ours))),
    )


def _rated(row: Data) -> tuple[str, ...]:
    return (
        row["name"],
        elo(row["elo"]),
        f"{elo(row['elo'] - row['minus'])} … {elo(row['elo'] + row['plus'])}",
        number(row["games"]),
        percent(row["score"] / 100, 0),
        elo(row["opposition"]),
        percent(None if row.get("draws") is None else row["draws"] / 100, 0),
    )


def rating_figure(name: str, published: Sequence[Data], ours: Sequence[Data]) -> Figure:
    """The same ratings as a chart."""
    rows = [
        Interval(row["name"], row["elo"], row["elo"] - row["minus"], row["elo"] + row["plus"], group)
        for group, rated in (("thesis", published), ("ours", ours))
        for row in rated
    ]
    described = "; ".join(f"{row.name} {elo(row.value, row.low, row.high)}" for row in rows)
    picture = figure(Intervals("ratings with 95 % intervals", rows, "Elo"), described, width=720)
    return Figure(name=name, caption="The same ratings as a chart.", pictures=[picture])


def tally_figure(title: str, of: str, tallies: Mapping[str, MatchResult], width: int = 420) -> str:
    """Wins, draws and losses as stacked bars."""
    parts = {
        "won": [tally.wins for tally in tallies.values()],
        "drawn": [tally.draws for tally in tallies.values()],
        "lost": [tally.losses for tally in tallies.values()],
    }
    described = f"{title}; won, drawn and lost: " + "; ".join(
        f"{label} {counts(tally)}" for label, tally in tallies.items()
    )
    return figure(Stacks(title, list(tallies), parts, of, list(OUTCOMES.values())), described, width=width)


# --- How to repeat it -------------------------------------------------------------------------------------------------


def about(results: Results) -> list[Part]:
    """The size of the experiments, and the data they used."""
    if not results:
        return []
    settings = next(iter(results.values())).settings
    size, games = settings["size"], settings["games"]
    skipped = sum(bool(result.skipped) for result in results.values())
    text = f"{counted(len(results) - skipped, 'experiment')} of size {size}, {_time(results)} of work, with "
    text += f"the games of {_file(games)}." if games else "games that Okapi played itself in place of masters' games."
    if labels := settings.get("labels"):
        text += f" Labels are those of {_file(labels)}."
    if changes := _changes(results):
        text += f" Changed settings: {', '.join(changes)}."
    if size == "tiny":
        text += " Numbers of this size only show that everything works."
    return [Prose(text)]


def repeat(paper: str, results: Results) -> Section:
    """The command, and the conditions of each result."""
    if not results:
        return Section("How to repeat this", [Prose("There are no results yet."), Command(f"okapi paper {paper}")])
    settings = next(iter(results.values())).settings
    games = settings["games"]
    command = f"okapi paper {paper} --size {settings['size']} --seed {settings['seed']}"
    if games:
        command += f" --games {shlex.quote(_file(games))}"
    if labels := settings.get("labels"):
        command += f" --labels {shlex.quote(_file(labels))}"
    parts: list[Part] = [Command(command + "".join(f" --change {change}" for change in _changes(results)))]
    if games:
        parts.append(Prose(f"The games are those of the file {games} (the beginning of its SHA-256)."))
    else:
        parts.append(Prose("No games of masters were given: where some are needed, Okapi played games of its own."))
    if labels:
        parts.append(Prose(f"The labels are those of the file {labels}."))
    for what in ("machine", "version"):
        values = sorted({getattr(result, what) for result in results.values()})
        parts.append(Prose(f"{'Machine' if what == 'machine' else 'Okapi'}: {'; '.join(values)}."))
    rows = [(name, result.skipped or lasted(result.seconds)) for name, result in results.items()]
    parts.append(
        Table(
            name="Time",
            caption="Duration of each experiment; for an interrupted one, since it was last resumed.",
            heads=("experiment", "time"),
            rows=[*rows, ("all", _time(results))],
        )
    )
    return Section("How to repeat this", parts)


def _changes(results: Results) -> list[str]:
    changed = ((name, result.settings.get("changes", {})) for name, result in results.items())
    return [shlex.quote(f"{name}.{key}={value}") for name, made in changed for key, value in made.items()]


def _file(games: str) -> str:
    """The name of the file; the settings also have its hash."""
    return games.rpartition(" ")[0]


def _time(results: Results) -> str:
    return lasted(sum(result.seconds for result in results.values()))
