"""
The page of a paper, for all papers: `paper.toml` in the paper's folder says what stands where.

It has the texts, the tables with their columns, the figures and the sections. A section's `show` lists rows: an
experiment, what is missing where it has no result, and the parts that its result fills, by name. A part is a table,
chart, figure or group of boards of `paper.toml`, whose content is a key of the result or a function of the paper's
`page.py`; or a function of `page.py` that makes parts. A row with one name is a function of all results.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import resolve_name
from typing import Any, Final

from okapi.arena.elo import MatchResult
from okapi.core import Position
from okapi.formats.html import Boards, Command, Figure, Missing, Notes, Part, Prose, Section, Table, document
from okapi.formats.numbers import counted, elo, interval, lasted, number, percent, signed
from okapi.formats.svg import Interval, Intervals, Stacks, figure
from okapi.papers.experiment import Experiment, ExperimentResult, Paper, Results
from okapi.papers.headlines import Headline, as_figures, headline_table, measured, verdict_table, verdicts
from okapi.papers.published import Row, read_published, read_toml

Data = Mapping[str, Any]
"""Of one result, or a row of it."""

Build = Callable[[Any], Iterable[Part]]
"""Makes parts of a page from the data of a result."""

OUTCOMES: Final = {"wins": "#55994f", "draws": "#a8a8a8", "losses": "#cf6238"}
"""Outcomes of games, and their colours."""


# --- Parts that are declared ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, the keys of its values in a row, and how they are written."""

    head: str
    key: str | Sequence[str]
    """A key, `a.b` for a key in a key, or several keys."""
    show: Callable[..., str] = str
    words: bool = False
    """Left-aligned text instead of right-aligned numbers."""

    def cell(self, row: Data) -> str:
        """The text for a row; empty where the row has none of the keys."""
        keys = (self.key,) if isinstance(self.key, str) else self.key
        if not any(key.partition(".")[0] in row for key in keys):
            return ""
        return self.show(*(_value(row, key) for key in keys))


def _value(row: Data, key: str) -> Any:
    value: Any = row
    for name in key.split("."):
        value = None if value is None else value.get(name)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOf:
    """A table of rows that have the same keys, published ones above ours; or of rows of cells below `heads`."""

    name: str
    caption: str
    """Fields in braces are filled from the data: {positions:,}."""
    columns: Sequence[Column] = ()
    rows: str | Callable[[Any], Any] = "rows"
    """The key of the rows in the data, or a function that gives them.

    It may give a mapping: with rows, heads, groups and bands that depend on the data, and fields of the caption.
    """
    published: Sequence[Data] = ()
    source: str = "paper"
    heads: Sequence[str] = ()
    groups: Sequence[tuple[str, int]] = ()
    words: Sequence[int] = ()

    def __call__(self, data: Any) -> list[Part]:
        """The table, filled; none, where there is no row."""
        found = self.rows(data) if callable(self.rows) else data[self.rows]
        given = found if isinstance(found, Mapping) else {"rows": found}
        ours = list(given["rows"])
        rows = [*self.published, *ours]
        if not rows:
            return []
        sources = ((self.source, len(self.published)), ("ours", len(ours))) if self.published else ()
        columns = enumerate(self.columns)
        return [
            Table(
                name=self.name,
                caption=self.caption.format_map({**data, **given}),
                heads=given.get("heads", self.heads) or [column.head for column in self.columns],
                rows=[[column.cell(row) for column in self.columns] for row in rows] if self.columns else rows,
                groups=given.get("groups", self.groups),
                bands=given.get("bands", sources),
                words=given.get("words", self.words) or [place for place, column in columns if column.words],
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
    rows: str | Callable[[Any], Any] = "rows"
    mark: float | None = None
    """A value that is drawn as a line."""
    published: Sequence[Data] = ()
    source: str = "paper"
    caption: str = "The same numbers as a chart; an open interval ends at its value."

    def __call__(self, data: Any) -> list[Part]:
        """The chart; none, where nothing was measured."""
        ours = self.rows(data) if callable(self.rows) else data[self.rows]
        drawn = [
            Interval(row[self.label], row[self.value], *self._ends(row), group if self.published else "")
            for group, rows in (("ours", ours), (self.source, self.published))
            for row in rows
            if row[self.value] is not None
        ]
        if not drawn:
            return []
        described = "; ".join(f"{each.name} {elo(each.value, each.low, each.high)}" for each in drawn)
        chart = Intervals(self.title, drawn, self.unit, self.mark)
        picture = figure(chart, described, width=760)
        return [Figure(name=self.name, caption=self.caption.format_map(data), pictures=[picture])]

    def _ends(self, row: Data) -> tuple[float, float]:
        low, high = (row[self.value] if row.get(end) is None else row[end] for end in ("low", "high"))
        return low, high


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOf:
    """Pictures, or boards with lines of text below them; a function of the data makes them."""

    name: str
    caption: str
    pictures: Callable[[Any], Any] = lambda _: ()
    """Gives pictures, or a mapping with them and fields of the caption."""
    boards: Callable[[Any], Iterable[tuple[str, Sequence[str]]]] = lambda _: ()
    """FEN and lines of text of each."""

    def __call__(self, data: Any) -> list[Part]:
        """The figure; none, where there is no picture."""
        if boards := [(Position.from_fen(fen), lines) for fen, lines in self.boards(data)]:
            return [Boards(name=self.name, caption=self.caption.format_map(data), boards=boards)]
        found = self.pictures(data)
        given = found if isinstance(found, Mapping) else {"pictures": found}
        caption = self.caption.format_map({**data, **given})
        pictures = list(given["pictures"])
        return [Figure(name=self.name, caption=caption, pictures=pictures)] if pictures else []


# --- The page ---------------------------------------------------------------------------------------------------------


def counts(tally: MatchResult) -> str:
    """Won, drawn and lost.

    >>> counts(MatchResult(3, 2, 1))
    '3–2–1'
    """
    return f"{tally.wins}–{tally.draws}–{tally.losses}"


FORMATS: Final[Mapping[str, Callable[..., str]]] = {
    "number": number,
    "signed": signed,
    "percent": percent,
    "interval": interval,
    "elo": elo,
    "lasted": lasted,
    "counts": counts,
    "words": str,
}
"""How columns write their values; `number 2` has two digits after the point."""


@dataclass(frozen=True)
class PaperPage:
    """The page of a paper, from its `paper.toml`."""

    paper: str

    @property
    def declared(self) -> dict[str, Any]:
        return read_toml(self.paper, "paper")

    @property
    def names(self) -> Mapping[str, Any]:
        """What the paper's page.py defines."""
        return vars(import_module(f"okapi.papers.{self.paper}.page"))

    @property
    def source(self) -> str:
        """What the numbers were published in."""
        return str(self.declared.get("source", "paper"))

    def headlines(self, results: Results) -> dict[str, Headline]:
        names = vars(import_module(f"okapi.papers.{self.paper}.headlines"))
        return measured(self.declared, read_published(self.paper), names, self.source, results)

    def figures(self, results: Results) -> dict[str, Any]:
        return as_figures(self.headlines(results))

    def __call__(self, results: Results) -> str:
        return document(self.declared["title"], self.subtitle, self.sections(results))

    @property
    def subtitle(self) -> str:
        return (
            f"{self.declared['subtitle']} Repeated by Okapi: each table and figure, with the {self.source}'s numbers "
            "and ours."
        )

    def verdicts(self, results: Results) -> list[dict[str, str]]:
        """On each claim of the paper."""
        claims = read_toml(self.paper, "claims").get("claim", [])
        return verdicts(claims, self.headlines(results))

    def sections(self, results: Results) -> list[Section]:
        table = headline_table(self.headlines(results), self.source)
        chosen = f"docs/explanation/{self.paper}.md of Okapi's source lists what was chosen here, with reasons."
        claims = self.verdicts(results)
        return [
            Section("Summary", [*about(results), table, *([verdict_table(claims, self.source)] if claims else [])]),
            *(self.section(section, results) for section in self.declared["section"]),
            *self.contents(results),
            Section(f"What the {self.source} leaves open", [Prose(f"{self.declared['unknown']} {chosen}")]),
            repeat(self.paper, results),
        ]

    def section(self, section: Data, results: Results) -> Section:
        """With the results; the notes of an experiment stand below the last of its rows."""
        parts: list[Part] = [Prose(self._text(section["text"]))] if "text" in section else []
        rows = section["show"]
        last = {row[0]: place for place, row in enumerate(rows)}
        for place, row in enumerate(rows):
            if len(row) == 1:
                parts += self.names[row[0]](results)
                continue
            experiment, what, *names = row
            parts += self._shown(results.get(experiment), experiment, what, names)
            if last[experiment] == place:
                parts += self._notes(experiment, results.get(experiment))
        if "after" in section:
            parts.append(Prose(section["after"]))
        return Section(section["title"], parts)

    def _shown(self, result: ExperimentResult | None, experiment: str, what: str, names: Sequence[str]) -> list[Part]:
        """What a result fills, or why there is none."""
        if result is None:
            return [Missing(what, self._not_made(experiment))]
        if result.skipped:
            return [Missing(what, result.skipped)]
        return [part for name in names for part in self.part(name)(result.data)]

    def _not_made(self, experiment: str) -> str:
        """With its cost, where that is known."""
        said, cost = f"the experiment {experiment} was not made", self.declared.get("cost", {})
        if experiment not in cost:
            return said
        hours, minutes = cost[experiment]
        gpu = f" and {number(minutes)} minutes of a GPU" if minutes else ""
        takes = f"it takes about {lasted(3600 * hours)} on two cores{gpu}"
        return f"{said}; {takes}: okapi paper {self.paper} --size full --only {experiment}"

    def contents(self, results: Results) -> list[Section]:
        """All tables and figures of the paper, by contents.toml: what each is, and the experiments or a sentence."""
        rows = read_toml(self.paper, "contents").get("rows", [])
        table = Table(
            name="Every table and figure",
            caption=f"Each of the {self.source}: the experiment that is stored, or why there is none.",
            heads=("", "what", "here"),
            rows=[(where, what, self._answer(how, results)) for where, what, how in rows],
            words=(1, 2),
        )
        return [Section("Contents", [table])] if rows else []

    def _answer(self, how: str, results: Results) -> str:
        if not all(name in self.declared["experiments"] for name in how.split()):
            return how
        return "; ".join(self._stored(name, results.get(name)) for name in how.split())

    def _stored(self, name: str, result: ExperimentResult | None) -> str:
        if result is None or result.skipped:
            return self._not_made(name)
        return f"experiment {name}{f', {result.unfinished}' if result.unfinished else ''}"

    def _notes(self, experiment: str, result: ExperimentResult | None) -> list[Part]:
        """What the experiment says itself; first, where it is not finished, how much of it is and what goes on."""
        if result is None or result.skipped:
            return []
        notes = list(result.data.get("notes", []))
        if result.unfinished:
            how = _command(self.paper, {experiment: result}, f" --only {experiment}")
            notes.insert(0, f"{result.unfinished} so far; the others: {how} --store docs/papers")
        return [Notes(notes)] if notes else []

    def part(self, name: str) -> Build:
        """A part by its name: declared, or a function."""
        kinds: dict[str, Callable[..., Build]] = {"table": TableOf, "chart": IntervalsOf, "figure": FigureOf}
        for kind, make in kinds.items():
            if name in self.declared.get(kind, {}):
                return make(**self._filled({**self.declared[kind][name]}))
        found: Build = self.names[name]
        return found

    def _filled(self, declared: dict[str, Any]) -> dict[str, Any]:
        """With functions, columns and published tables instead of their names."""
        for key in ("rows", "pictures", "boards", "mark"):
            if key in declared:
                declared[key] = self.names.get(declared[key], declared[key])
        if columns := declared.get("columns"):
            columns = self.declared["columns"][columns] if isinstance(columns, str) else columns
            declared["columns"] = [self._column(*column) for column in columns]
        if "published" in declared:
            declared |= {"published": read_published(self.paper)[declared["published"]], "source": self.source}
        if "caption" in declared:
            declared["caption"] = self._text(declared["caption"])
        return declared

    def _text(self, text: str) -> str:
        """With numbers for {published.KEY} and {page.NAME}, of published.toml and page.py; other fields stay."""
        known = {"published": read_published(self.paper), "page": Row(self.names)}
        return re.sub(r"\{(published|page)\.[^}]*\}", lambda field: field[0].format_map(known), text)

    def _column(self, head: str, key: str | Sequence[str], show: str = "") -> Column:
        name, _, digits = show.partition(" ")
        write: Callable[..., str] = FORMATS.get(name) or self.names[name] if name else str
        head = self._text(head)
        if digits:
            return Column(head, key, lambda *values: write(*values, int(digits)))
        return Column(head, key, write, words=name == "words")


def read_paper(name: str) -> Paper:
    """The paper of a folder."""
    page, declared = PaperPage(name), read_toml(name, "paper")
    return Paper(
        name=name,
        title=declared["title"],
        experiments={key: _lazily(f"okapi.papers.{name}.{where}") for key, where in declared["experiments"].items()},
        figures=page.figures,
        page=page,
        cost=declared.get("cost", {}),
        runs=declared.get("runs", ()),
        training=declared.get("training", ()),
    )


def _lazily(where: str) -> Experiment:
    """The experiment at a dotted name, which is imported when it is made."""
    return lambda context: resolve_name(where)(context)


# --- Games ------------------------------------------------------------------------------------------------------------


def tally_of(data: Data | Sequence[int]) -> MatchResult:
    """Games of a result: by name, or in this order.

    >>> tally_of([3, 2, 1]) == tally_of({"wins": 3, "draws": 2, "losses": 1, "seed": 7})
    True
    """
    wins, draws, losses = (data[name] for name in OUTCOMES) if isinstance(data, Mapping) else data
    return MatchResult(wins, draws, losses)


def tally_figure(title: str, of: str, tallies: Mapping[str, MatchResult], width: int = 420) -> str:
    parts = {
        "won": [tally.wins for tally in tallies.values()],
        "drawn": [tally.draws for tally in tallies.values()],
        "lost": [tally.losses for tally in tallies.values()],
    }
    told = "; ".join(f"{label} {counts(tally)}" for label, tally in tallies.items())
    described = f"{title}; won, drawn and lost: {told}"
    return figure(Stacks(title, list(tallies), parts, of, list(OUTCOMES.values())), described, width=width)


# --- How to repeat it -------------------------------------------------------------------------------------------------


def about(results: Results) -> list[Part]:
    """The size of the experiments, and the data they used."""
    if not results:
        return []
    settings = next(iter(results.values())).settings
    size, games = settings["size"], settings["games"]
    skipped = sum(bool(result.skipped) for result in results.values())
    parts = ", ".join(f"{name}: {result.unfinished}" for name, result in results.items() if result.unfinished)
    text = f"{counted(len(results) - skipped, 'experiment')} of size {size}{f' ({parts})' if parts else ''}, "
    text += f"{_time(results)} of work, with "
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
    parts: list[Part] = [Command(_command(paper, results))]
    none = "No games of masters were given: where some are needed, Okapi played games of its own."
    parts.append(Prose(f"The games are those of the file {games} (the beginning of its SHA-256)." if games else none))
    if labels := settings.get("labels"):
        parts.append(Prose(f"The labels are those of the file {labels}."))
    for what, field in (("Machine", "machine"), ("Okapi", "version")):
        values = sorted({getattr(result, field) for result in results.values()})
        parts.append(Prose(f"{what}: {'; '.join(values)}."))
    rows = [(name, result.skipped or lasted(result.seconds)) for name, result in results.items()]
    caption = "Duration of each experiment; for an interrupted one, since it was last resumed."
    rows.append(("all", _time(results)))
    parts.append(Table(name="Time", caption=caption, heads=("experiment", "time"), rows=rows))
    return Section("How to repeat this", parts)


def _command(paper: str, results: Results, only: str = "") -> str:
    """With the data, the seed and the changes of these results."""
    settings = next(iter(results.values())).settings
    data = (f" --{what} {shlex.quote(_file(settings[what]))}" for what in ("games", "labels") if settings.get(what))
    command = f"okapi paper {paper} --size {settings['size']} --seed {settings['seed']}{only}{''.join(data)}"
    return command + "".join(f" --change {change}" for change in _changes(results))


def _changes(results: Results) -> list[str]:
    changed = ((name, result.settings.get("changes", {})) for name, result in results.items())
    return [shlex.quote(f"{name}.{key}={value}") for name, made in changed for key, value in made.items()]


def _file(games: str) -> str:
    """The name of the file; the settings also have its hash."""
    return games.rpartition(" ")[0]


def _time(results: Results) -> str:
    return lasted(sum(result.seconds for result in results.values()))
