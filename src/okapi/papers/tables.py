"""What many papers publish: games won, drawn and lost, and ratings; and how these stand on a page beside ours."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from okapi.formats.svg import Interval, Intervals, Stacks, figure
from okapi.papers.lab import Results
from okapi.papers.page import Figure, Missing, Notes, Part, Table
from okapi.papers.words import elo, number, percent

__all__ = ["Rated", "Tally", "made", "rating_figure", "rating_table", "remarks", "tally_figure"]

OUTCOMES: Final = ("#55994f", "#a8a8a8", "#cf6238")
"""The colours of games won, drawn and lost."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def percent(self) -> float:
        """Points in hundredths.

        >>> Tally(180, 14, 6).percent
        93.5
        """
        return 100 * (self.wins + self.draws / 2) / self.games

    @classmethod
    def of(cls, data: Mapping[str, int] | Sequence[int]) -> Self:
        """Of a result: by name, or in this order.

        >>> Tally.of([3, 2, 1]) == Tally.of({"wins": 3, "draws": 2, "losses": 1, "seed": 7})
        True
        """
        return cls(data["wins"], data["draws"], data["losses"]) if isinstance(data, Mapping) else cls(*data)

    def __str__(self) -> str:
        return f"{self.wins}–{self.draws}–{self.losses}"


@dataclass(frozen=True, slots=True)
class Rated:
    """A line as Bayeselo prints it."""

    name: str
    elo: int
    plus: int
    minus: int
    games: int
    score: int
    """Percent."""
    opposition: int
    draws: int | None = None
    """Percent."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Of a result, whose shares are parts of one and whose interval has ends."""
        return cls(
            name=row["name"],
            elo=round(row["elo"]),
            plus=round(row["high"] - row["elo"]),
            minus=round(row["elo"] - row["low"]),
            games=row["games"],
            score=round(100 * row["score"]),
            opposition=round(row["opposition"]),
            draws=round(100 * row["draws"]),
        )


def made(results: Results, name: str, what: str, build: Callable[[dict[str, Any]], Iterable[Part]]) -> list[Part]:
    """The parts that `build` makes of an experiment's data; or why there are none."""
    result = results.get(name)
    if result is None:
        return [Missing(what, f"the experiment `{name}` was not made")]
    return [Missing(what, result.skipped)] if result.skipped else list(build(result.data))


def remarks(data: Mapping[str, Any]) -> list[Part]:
    """What an experiment has to say about itself, under `notes`."""
    return [Notes(data["notes"])] if data.get("notes") else []


def rating_table(name: str, caption: str, theirs: Sequence[Rated], ours: Sequence[Rated]) -> Table:
    """Two tables of ratings, one above the other: beside each other they are wider than a page."""
    return Table(
        name=name,
        caption=caption,
        heads=("player", "Elo", "95 %", "games", "score", "opposition", "draws"),
        rows=[_rated(rated) for rated in (*theirs, *ours)],
        bands=(("thesis", len(theirs)), ("ours", len(ours))),
    )


def rating_figure(name: str, caption: str, theirs: Sequence[Rated], ours: Sequence[Rated]) -> Figure:
    """The same ratings as a picture."""
    rows = [
        Interval(rated.name, rated.elo, rated.elo - rated.minus, rated.elo + rated.plus, group)
        for group, all_rated in (("thesis", theirs), ("ours", ours))
        for rated in all_rated
    ]
    described = "; ".join(f"{row.name} {elo(row.value, row.low, row.high)}" for row in rows)
    picture = figure(Intervals("ratings with 95 % intervals", rows, "Elo"), described, width=720)
    return Figure(name=name, caption=caption, pictures=[picture])


def tally_figure(title: str, of: str, tallies: Mapping[str, Tally], width: int = 420) -> str:
    """Wins, draws and losses as stacked bars."""
    parts = {
        "won": [tally.wins for tally in tallies.values()],
        "drawn": [tally.draws for tally in tallies.values()],
        "lost": [tally.losses for tally in tallies.values()],
    }
    described = f"{title}; won, drawn and lost: " + "; ".join(f"{label} {tally}" for label, tally in tallies.items())
    return figure(Stacks(title, list(tallies), parts, of, OUTCOMES), described, width=width)


def _rated(rated: Rated) -> tuple[str, ...]:
    return (
        rated.name,
        elo(rated.elo),
        f"{elo(rated.elo - rated.minus)} … {elo(rated.elo + rated.plus)}",
        number(rated.games),
        percent(rated.score / 100, 0),
        elo(rated.opposition),
        percent(None if rated.draws is None else rated.draws / 100, 0),
    )
