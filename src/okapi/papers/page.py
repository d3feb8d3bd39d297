"""The page of a paper, for all papers: `paper.toml` in the paper's folder says what stands where.

It has the texts, the tables with their columns, the figures and the sections. A section's `show` lists rows: an
experiment, what is missing where it has no result, and the parts that its result fills, by name. A part is a table,
chart, figure or group of boards of `paper.toml`, whose content is a key of the result or a function of the paper's
`page.py`; or a function of `page.py` that makes parts. A row with one name is a function of all results.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pkgutil import resolve_name
from typing import Any, Final

from okapi.arena.elo import MatchResult
from okapi.core import Position
from okapi.formats.html import Boards, Command, Figure, Missing, Notes, Part, Prose, Section, Table, document
from okapi.formats.numbers import counted, elo, interval, lasted, number, percent, signed
from okapi.formats.svg import Interval, Intervals, Stacks, figure
from okapi.papers.experiment import Experiment, ExperimentResult, Paper, Results
from okapi.papers.headlines import Headline, headline_table, measured, verdict_table, verdicts
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


def table_of(
    data: Any,
    *,
    name: str,
    caption: str,
    columns: Sequence[Column] = (),
    rows: str | Callable[[Any], Any] = "rows",
    published: Sequence[Data] = (),
    source: str = "paper",
    **about: Any,
) -> list[Part]:
    """A table of rows that have the same keys, published ones above ours; or of rows of cells. None without a row.

    `rows` is their key in the data, or a function that gives them, or a mapping: with rows, heads, groups, bands and
    words that depend on the data, and fields of the caption. The caption's other fields are filled from the data.
    """
    found = rows(data) if callable(rows) else data[rows]
    given = {**about, **(found if isinstance(found, Mapping) else {"rows": found})}
    ours = list(given["rows"])
    every = [*published, *ours]
    if not every:
        return []
    return [
        Table(
            name=name,
            caption=caption.format_map({**data, **given}),
            heads=given.get("heads") or [column.head for column in columns],
            rows=[[column.cell(row) for column in columns] for row in every] if columns else every,
            groups=given.get("groups", ()),
            bands=given.get("bands", ((source, len(published)), ("ours", len(ours))) if published else ()),
            words=given.get("words") or [place for place, column in enumerate(columns) if column.words],
        )
    ]


def chart_of(
    data: Any,
    *,
    name: str,
    title: str,
    unit: str = "Elo",
    value: str = "elo",
    label: str = "name",
    rows: str | Callable[[Any], Any] = "rows",
    mark: float | None = None,
    published: Sequence[Data] = (),
    source: str = "paper",
    caption: str = "The same numbers as a chart; an open interval ends at its value.",
) -> list[Part]:
    """A chart of values with intervals, a line at `mark`, and the paper's in a colour of their own; if there is any."""
    drawn = []
    for group, some in (("ours", rows(data) if callable(rows) else data[rows]), (source, published)):
        for row in some:
            if row[value] is not None:
                low, high = (row[value] if row.get(end) is None else row[end] for end in ("low", "high"))
                drawn.append(Interval(row[label], row[value], low, high, group if published else ""))
    if not drawn:
        return []
    described = "; ".join(f"{each.name} {elo(each.value, each.low, each.high)}" for each in drawn)
    picture = figure(Intervals(title, drawn, unit, mark), described, width=760)
    return [Figure(name=name, caption=caption.format_map(data), pictures=[picture])]


def figure_of(
    data: Any,
    *,
    name: str,
    caption: str,
    pictures: Callable[[Any], Any] | None = None,
    boards: Callable[[Any], Iterable[tuple[str, Sequence[str]]]] | None = None,
) -> list[Part]:
    """Pictures, or a mapping with them and fields of the caption; or the FEN of boards and lines of text below each."""
    if boards:
        shown = [(Position.from_fen(fen), lines) for fen, lines in boards(data)]
        return [Boards(name=name, caption=caption.format_map(data), boards=shown)] if shown else []
    found = pictures(data) if pictures else ()
    given = found if isinstance(found, Mapping) else {"pictures": list(found)}
    caption = caption.format_map({**data, **given})
    return [Figure(name=name, caption=caption, pictures=given["pictures"])] if given["pictures"] else []


# --- The page ---------------------------------------------------------------------------------------------------------


def counts(tally: MatchResult) -> str:
    """Won, drawn and lost: 3–2–1."""
    return f"{tally.wins}–{tally.draws}–{tally.losses}"


KINDS: Final[Mapping[str, Callable[..., list[Part]]]] = {"table": table_of, "chart": chart_of, "figure": figure_of}
"""Of parts, by their tables in paper.toml."""

WRITERS = (number, signed, percent, interval, elo, lasted, counts)
FORMATS: Final[Mapping[str, Callable[..., str]]] = {"words": str, **{write.__name__: write for write in WRITERS}}
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
        """For programs: figures.json."""
        return {key: {**asdict(each), "text": each.text} for key, each in self.headlines(results).items()}

    def __call__(self, results: Results) -> str:
        return document(self.declared["title"], self.subtitle, self.sections(results))

    @property
    def subtitle(self) -> str:
        said = f"Repeated by Okapi: each table and figure, with the {self.source}'s numbers and ours."
        return f"{self.declared['subtitle']} {said}"

    def verdicts(self, results: Results) -> list[dict[str, str]]:
        """On each claim of the paper."""
        return verdicts(read_toml(self.paper, "claims").get("claim", []), self.headlines(results))

    def sections(self, results: Results) -> list[Section]:
        summary = [*about(results), headline_table(self.headlines(results), self.source)]
        if claims := self.verdicts(results):
            summary.append(verdict_table(claims, self.source))
        chosen = f"docs/explanation/{self.paper}.md of Okapi's source lists what was chosen here, with reasons."
        return [
            Section("Summary", summary),
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
        for place, (experiment, *shown) in enumerate(rows):
            result = results.get(experiment)
            if not shown:
                parts += self.names[experiment](results)
            elif result is None or result.skipped:
                parts.append(Missing(shown[0], result.skipped if result else self._not_made(experiment)))
            else:
                parts += [part for name in shown[1:] for part in self.part(name)(result.data)]
                if last[experiment] == place:
                    parts += self._notes(experiment, result)
        if "after" in section:
            parts.append(Prose(section["after"]))
        return Section(section["title"], parts)

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

        def stored(name: str) -> str:
            result = results.get(name)
            if result is None or result.skipped:
                return self._not_made(name)
            return f"experiment {name}{f', {result.unfinished}' if result.unfinished else ''}"

        def answer(how: str) -> str:
            names = how.split()
            return "; ".join(map(stored, names)) if set(names) <= set(self.declared["experiments"]) else how

        rows = [(where, what, answer(how)) for where, what, how in read_toml(self.paper, "contents").get("rows", [])]
        caption = f"Each of the {self.source}: the experiment that is stored, or why there is none."
        table = Table(
            name="Every table and figure", caption=caption, heads=("", "what", "here"), rows=rows, words=(1, 2)
        )
        return [Section("Contents", [table])] if rows else []

    def _notes(self, experiment: str, result: ExperimentResult) -> list[Part]:
        """What the experiment says itself; first, where it is not finished, how much of it is and what goes on."""
        notes = list(result.data.get("notes", []))
        if result.unfinished:
            how = _command(self.paper, {experiment: result}, f" --only {experiment}")
            notes.insert(0, f"{result.unfinished} so far; the others: {how} --store docs/papers")
        return [Notes(notes)] if notes else []

    def part(self, name: str) -> Build:
        """A part by its name: a function, or declared, with functions, columns and tables instead of their names."""
        kind = next((kind for kind in KINDS if name in self.declared.get(kind, {})), None)
        if kind is None:
            found: Build = self.names[name]
            return found
        declared = {**self.declared[kind][name]}
        for key in {"rows", "pictures", "boards", "mark"} & set(declared):
            declared[key] = self.names.get(declared[key], declared[key])
        if columns := declared.get("columns"):
            columns = self.declared["columns"][columns] if isinstance(columns, str) else columns
            declared["columns"] = [self._column(*column) for column in columns]
        if "published" in declared:
            declared |= {"published": read_published(self.paper)[declared["published"]], "source": self.source}
        if "caption" in declared:
            declared["caption"] = self._text(declared["caption"])
        return partial(KINDS[kind], **declared)

    def _text(self, text: str) -> str:
        """With numbers for {published.KEY} and {page.NAME}, of published.toml and page.py; other fields stay."""
        known = {"published": read_published(self.paper), "page": Row(self.names)}
        return re.sub(r"\{(published|page)\.[^}]*\}", lambda field: field[0].format_map(known), text)

    def _column(self, head: str, key: str | Sequence[str], show: str = "") -> Column:
        name, _, digits = show.partition(" ")
        write = FORMATS.get(name or "words") or self.names[name]
        if digits:
            return Column(self._text(head), key, lambda *values: write(*values, int(digits)))
        return Column(self._text(head), key, write, words=show == "words")


def read_paper(name: str) -> Paper:
    """The paper of a folder."""
    page, declared = PaperPage(name), read_toml(name, "paper")
    return Paper(
        name=name,
        title=declared["title"],
        experiments={key: _lazily(f"okapi.papers.{name}.{where}") for key, where in declared["experiments"].items()},
        figures=page.figures,
        page=page,
        **{key: declared[key] for key in ("cost", "runs", "training") if key in declared},
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
    return MatchResult(*((data[name] for name in OUTCOMES) if isinstance(data, Mapping) else data))


def tally_figure(title: str, of: str, tallies: Mapping[str, MatchResult], width: int = 420) -> str:
    parts = {
        said: [getattr(tally, name) for tally in tallies.values()]
        for name, said in zip(OUTCOMES, ("won", "drawn", "lost"), strict=True)
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
    title = "How to repeat this"
    if not results:
        return Section(title, [Prose("There are no results yet."), Command(f"okapi paper {paper}")])
    settings = next(iter(results.values())).settings
    games = settings["games"]
    none = "No games of masters were given: where some are needed, Okapi played games of its own."
    said = [f"The games are those of the file {games} (the beginning of its SHA-256)." if games else none]
    if labels := settings.get("labels"):
        said.append(f"The labels are those of the file {labels}.")
    for what, field in (("Machine", "machine"), ("Okapi", "version")):
        said.append(f"{what}: {'; '.join(sorted({getattr(result, field) for result in results.values()}))}.")
    rows = [(name, result.skipped or lasted(result.seconds)) for name, result in results.items()]
    caption = "Duration of each experiment; for an interrupted one, since it was last resumed."
    table = Table(name="Time", caption=caption, heads=("experiment", "time"), rows=[*rows, ("all", _time(results))])
    return Section(title, [Command(_command(paper, results)), *map(Prose, said), table])


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
