"""What many papers publish: games won, drawn and lost, and ratings; and how these stand on a page beside ours."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from okapi.arena.elo import MatchResult
from okapi.formats.html import Figure, Missing, Notes, Part, Table
from okapi.formats.numbers import elo, number, percent
from okapi.formats.svg import Interval, Intervals, Stacks, figure
from okapi.papers.experiment import Results

__all__ = ["Rated", "counts", "made", "rating_figure", "rating_table", "remarks", "tally_figure", "tally_of"]

OUTCOMES: Final = {"wins": "#55994f", "draws": "#a8a8a8", "losses": "#cf6238"}
"""What becomes of games, and the colours of that."""


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


def tally_of(data: Mapping[str, int] | Sequence[int]) -> MatchResult:
    """Games of a result: by name, or in this order.

    >>> tally_of([3, 2, 1]) == tally_of({"wins": 3, "draws": 2, "losses": 1, "seed": 7})
    True
    """
    wins, draws, losses = (data[name] for name in OUTCOMES) if isinstance(data, Mapping) else data
    return MatchResult(wins, draws, losses)


def counts(tally: MatchResult) -> str:
    """Won, drawn and lost, for people.

    >>> counts(MatchResult(3, 2, 1))
    '3–2–1'
    """
    return f"{tally.wins}–{tally.draws}–{tally.losses}"


def made(results: Results, name: str, what: str, build: Callable[[dict[str, Any]], Iterable[Part]]) -> list[Part]:
    """The parts that `build` makes of an experiment's data; or why there are none."""
    result = results.get(name)
    if result is None:
        return [Missing(what, f"the experiment {name} was not made")]
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
