"""The headline figures of a paper, published and measured, by keys that programs may rely on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from okapi.formats.html import Table
from okapi.formats.numbers import interval, lasted, number
from okapi.papers.experiment import Results
from okapi.papers.published import Row
from okapi.recipes.proportions import Proportion


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured value with its interval."""

    ours: float | None
    """None, where it was not measured."""
    low: float | None = None
    high: float | None = None
    note: str = ""

    @classmethod
    def of_row(cls, row: Mapping[str, Any] | None, note: str = "") -> Self:
        """The Elo of a row, if there is one."""
        return cls(None) if row is None else cls(row["elo"], row["low"], row["high"], note)

    @classmethod
    def of_share(cls, share: Proportion, note: str = "") -> Self:
        """Per cent, with Wilson's interval."""
        if not share.count:
            return cls(None)
        low, high = share.interval
        return cls(100 * share.value, 100 * low, 100 * high, note)


@dataclass(frozen=True, slots=True)
class Headline:
    """A figure of a paper that is measured here."""

    what: str
    theirs: float | None
    """None, where the paper did not measure it."""
    unit: str
    experiment: str
    """The experiment that measures it."""
    ours: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""
    source: str = "paper"
    """What the figure was published in."""

    @property
    def text(self) -> str:
        mine = "not measured" if self.ours is None else self.shown(self.ours)
        interval = f" ({self.interval})" if self.interval else ""
        theirs = "" if self.theirs is None else f"; {self.source} {self.shown(self.theirs)}"
        return f"{self.what}: {mine}{interval}{theirs}{f'; {self.note}' if self.note else ''}"

    @property
    def interval(self) -> str:
        """The interval as text; empty if there is none."""
        return "" if self.low is None and self.high is None else interval(self.low, self.high, self._digits)

    def shown(self, value: float | None) -> str:
        if value is not None and self.unit == "seconds":
            return lasted(value)
        return f"{number(value, self._digits)}{' %' if value is not None and self.unit == 'percent' else ''}"

    @property
    def _digits(self) -> int:
        return {"percent": 1, "points": 1, "centipawns": 1, "hours": 1, "ratio": 1, "error": 4, "correlation": 4}.get(
            self.unit, 0
        )


Headlines = Mapping[str, tuple[Headline, Callable[[dict[str, Any]], Measured]]]
"""By key: a headline, and the function that measures it from the data of its experiment."""


def read_headlines(rows: Sequence[Sequence[Any]], published: Row, names: Mapping[str, Any], source: str) -> Headlines:
    """Rows of paper.toml: key, text, published value, unit, experiment, function of headlines.py, its arguments.

    The published value is a path in published.toml or begins with a constant of headlines.py; `100 *` makes per cent of
    a share, and an empty text says that there is none.
    """
    found = {}
    for key, what, theirs, unit, experiment, measure, *arguments in rows:
        value = _published(theirs, {**published, **{name: each for name, each in names.items() if name.isupper()}})
        headline = Headline(what, value, unit, experiment, source=source)
        found[key] = headline, _with(names[measure], arguments)
    return found


def _published(path: str, known: Mapping[str, Any]) -> float | None:
    value: Any = known
    times, _, name = path.rpartition(" * ")
    for part in name.split(".") if name else ():
        value = value[int(part) if isinstance(value, tuple) else part]
    return None if not name else int(times) * value if times else value


def _with(measure: Callable[..., Measured], arguments: Sequence[Any]) -> Callable[[dict[str, Any]], Measured]:
    return lambda data: measure(data, *arguments)


def measured(headlines: Headlines, results: Results) -> dict[str, Headline]:
    found = {}
    for key, (headline, measure) in headlines.items():
        result = results.get(headline.experiment)
        mine = {} if result is None or result.skipped else asdict(measure(result.data))
        found[key] = Headline(**{**asdict(headline), **mine})
    return found


def as_figures(found: Mapping[str, Headline]) -> dict[str, dict[str, Any]]:
    """For programs: figures.json."""
    return {key: {**asdict(headline), "text": headline.text} for key, headline in found.items()}


def headline_table(found: Mapping[str, Headline], caption: str, source: str = "paper") -> Table:
    rows = []
    for headline in found.values():
        ours = "not measured" if headline.ours is None else headline.shown(headline.ours)
        rows.append((headline.what, headline.shown(headline.theirs), ours, headline.interval, headline.note))
    heads = ("", source, "ours", "95 %", "")
    return Table(name="Headline figures", caption=caption, heads=heads, rows=rows, words=(4,))
