"""The headline figures of a paper, published and measured, by keys that programs may rely on."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from typing import Any, Final, Self, TypeVar

from okapi.formats.html import Table
from okapi.formats.numbers import interval, lasted, number
from okapi.papers.experiment import Results
from okapi.papers.published import Row
from okapi.recipes.proportions import Proportion

DIGITS: Final = {"percent": 1, "points": 1, "centipawns": 1, "hours": 1, "ratio": 1, "error": 4, "correlation": 4}
"""After the point, by unit; none for others."""

Found = TypeVar("Found")


class NotMeasured(Exception):
    """A result lacks what a headline figure is about."""


def need(found: Found | None) -> Found:
    """What a result has: NotMeasured where that is nothing."""
    if not found:
        raise NotMeasured
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured value with its interval."""

    ours: float | None
    """None, where it was not measured."""
    low: float | None = None
    high: float | None = None
    note: str = ""

    @classmethod
    def of_share(cls, share: Proportion, note: str = "") -> Self:
        """Per cent, with Wilson's interval."""
        need(share.count)
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
    letter: float | None = None
    """Measured as the paper did it; None, where only `ours` was measured."""
    letter_low: float | None = None
    letter_high: float | None = None
    source: str = "paper"
    """What the figure was published in."""

    @property
    def text(self) -> str:
        mine = self.with_interval(self.ours, self.low, self.high) or "not measured"
        theirs = "" if self.theirs is None else f"; {self.source} {self.shown(self.theirs)}"
        return f"{self.what}: {mine}{theirs}{f'; {self.note}' if self.note else ''}"

    def with_interval(self, value: float | None, low: float | None, high: float | None) -> str:
        """A value and its interval, if it has one; empty if nothing was measured."""
        if value is None:
            return ""
        return self.shown(value) + ("" if low is high is None else f" ({interval(low, high, self._digits)})")

    def shown(self, value: float | None) -> str:
        if value is not None and self.unit == "seconds":
            return lasted(value)
        return f"{number(value, self._digits)}{' %' if value is not None and self.unit == 'percent' else ''}"

    @property
    def _digits(self) -> int:
        return DIGITS.get(self.unit, 0)


def measured(
    declared: Mapping[str, Any], published: Row, names: Mapping[str, Any], source: str, results: Results
) -> dict[str, Headline]:
    """`headlines` of paper.toml: key, text, published value, unit, experiment, function of headlines.py, its arguments.

    The function may be one of this module. The published value is a path in published.toml or from a constant of
    headlines.py; `100 *` makes per cent of a share, and an empty text says that there is none. `letter` has experiment,
    function and arguments of the measurement to the letter by key; an empty list: `ours` is to the letter itself.
    """

    def measure(experiment: str, function: str, *arguments: Any) -> Measured:
        result = results.get(experiment)
        if result is None or result.skipped:
            return Measured(None)
        try:
            found: Measured = {"value": value, "elo": elo, **names}[function](result.data, *arguments)
        except NotMeasured:
            return Measured(None)
        return found

    found = {}
    letters = declared.get("letter", {})
    known = {**published, **{name: value for name, value in names.items() if name.isupper()}}
    for key, what, theirs, unit, *how in declared["headlines"]:
        exact = measure(*(letters[key] or how)) if key in letters else Measured(None)
        letter = {"letter": exact.ours, "letter_low": exact.low, "letter_high": exact.high}
        ours = {**asdict(measure(*how)), **letter, "source": source}
        found[key] = Headline(what, _published(theirs, known), unit, how[0], **ours)
    return found


def _published(path: str, known: Mapping[str, Any]) -> float | None:
    times, _, name = path.rpartition(" * ")
    return int(times or 1) * _at(known, name) if name else None


def _at(data: Any, path: str) -> Any:
    """What is at `a.b`: NotMeasured where there is nothing."""
    try:
        return reduce(lambda here, key: here[int(key) if isinstance(here, tuple) else key], path.split("."), data)
    except KeyError:
        raise NotMeasured from None


def headline_table(found: Mapping[str, Headline], source: str) -> Table:
    rows = []
    for headline in found.values():
        letter = headline.with_interval(headline.letter, headline.letter_low, headline.letter_high)
        ours = headline.with_interval(headline.ours, headline.low, headline.high) or "not measured"
        cells = (headline.shown(headline.theirs), letter, "" if letter == ours else ours, headline.note)
        rows.append((headline.what, *cells))
    heads = ("", source, "to the letter (95 %)", "ours (95 %)", "")
    caption = f"Headline figures of the {source} and ours."
    return Table(name="Headline figures", caption=caption, heads=heads, rows=rows, words=(4,))


def find_row(data: Mapping[str, Any], **wanted: Any) -> dict[str, Any]:
    """The first row of a result with these values: NotMeasured, where there is none."""
    rows: list[dict[str, Any]] = data["rows"]
    return need(next((row for row in rows if all(row[key] == value for key, value in wanted.items())), None))


def share_of(row: Mapping[str, Any], key: str = "accuracy") -> Proportion:
    """Of the positions that a row counts: a result has the share, rounded."""
    return Proportion(round(row[key] * row["count"]), row["count"])


def preferred(splits: Collection[str]) -> str:
    """The split by games, where the games of positions are known."""
    return "games" if "games" in splits else "positions"


def value(data: Mapping[str, Any], path: str, note: str = "") -> Measured:
    """The number of a result at `a.b`; the note may have fields of what is beside it."""
    beside, _, key = path.rpartition(".")
    row = _at(data, beside) if beside else data
    return Measured(row[key], note=note.format_map(row))


def elo(data: Mapping[str, Any], where: str | Mapping[str, Any], note: str = "") -> Measured:
    """The Elo of what a result has at `a.b`, or of its row with these values, whose fields the note may have."""
    row = _at(data, where) if isinstance(where, str) else find_row(data, **where)
    return Measured(row["elo"], row["low"], row["high"], note.format_map({**data, **row}))


def verdicts(claims: Sequence[Mapping[str, Any]], found: Mapping[str, Headline]) -> list[dict[str, str]]:
    """A verdict on each claim of claims.toml: `where`, `claim`, `verdict`, `why`.

    A claim names a headline figure and what the paper's words allow it to be, `least` and `most`. To the letter, or
    ours where that was not measured: inside is reproduced, an interval wholly outside refuted, anything else
    undecidable. Of a claim that something is the best, the interval has to be inside as well: `whole`. A claim that no
    figure decides has its verdict written down.
    """
    return [{key: claim[key] for key in ("where", "claim")} | _verdict(claim, found) for claim in claims]


def _verdict(claim: Mapping[str, Any], found: Mapping[str, Headline]) -> dict[str, str]:
    if "verdict" in claim:
        return {"verdict": claim["verdict"], "why": claim["why"]}
    figure = found[claim["figure"]]
    exact = figure.letter is not None and claim.get("of", "letter") == "letter"
    letter, ours = (figure.letter, figure.letter_low, figure.letter_high), (figure.ours, figure.low, figure.high)
    value, low, high = letter if exact else ours
    if value is None:
        return {"verdict": "not measured", "why": f"experiment {figure.experiment}"}
    least, most = claim.get("least", -math.inf), claim.get("most", math.inf)
    said = f"{'to the letter' if exact else 'ours'} {figure.with_interval(value, low, high)}"
    low, high = (value if end is None else end for end in (low, high))
    inside = least <= low and high <= most if claim.get("whole") else least <= value <= most
    verdict = "refuted" if high < least or low > most else "reproduced" if inside else "undecidable"
    return {"verdict": verdict, "why": said + (f"; {claim['why']}" if "why" in claim else "")}


def verdict_table(rows: Sequence[Mapping[str, str]], source: str) -> Table:
    counts = Counter(row["verdict"] for row in rows)
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    caption = f"Every claim of the {source}, with a verdict computed from the results: {told}."
    heads = ("claim", "where", "verdict", "why")
    cells = [[row[head] for head in heads] for row in rows]
    return Table(name="Claims", caption=caption, heads=heads, rows=cells, words=(1, 2, 3))
