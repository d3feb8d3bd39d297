"""Statistics of a game store: counts and histograms, from its columns."""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.game import time_control_seconds
from okapi.core.keys import position_keys
from okapi.data.game_filter import SPEEDS
from okapi.data.split import in_chunks
from okapi.data.store import Store
from okapi.formats.eco import find_openings, named_lines
from okapi.formats.svg import Bars, Chart

ELO_STEP: Final = 100
HIGHEST_ELO: Final = 4000
PLY_STEP: Final = 20
LONGEST: Final = 300  # plies; longer games share one bin
MOST_OPENINGS: Final = 20
MOST_BARS: Final = 40
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Histogram:
    title: str
    of: str
    counts: Mapping[str, int]

    @classmethod
    def in_steps(cls, title: str, of: str, numbers: NDArray[Any], step: int, last: int = sys.maxsize) -> "Histogram":
        """Numbers in bins, each named after its first number; all from `last` on are one bin.

        >>> Histogram.in_steps("lengths", "plies", np.array([3, 25, 27, 95]), 20, last=60).counts
        {'0': 1, '20': 2, '40': 0, '60+': 1}
        """
        if not len(numbers):
            return cls(title, of, {})
        steps = np.minimum(np.asarray(numbers, np.int64), last) // step * step
        bins = range(int(steps.min()), int(steps.max()) + 1, step)
        counts = np.bincount((steps - bins[0]) // step).tolist()
        return cls(title, of, {f"{first}{'+' * (first == last)}": n for first, n in zip(bins, counts, strict=True)})

    def chart(self) -> Chart:
        return Bars.named(self.title, self.counts, self.of)


@dataclass(frozen=True, slots=True)
class GameElos:
    known: int
    mean: float | None
    lowest: int | None
    highest: int | None
    histogram: Histogram

    @classmethod
    def of(cls, elos: NDArray[Any]) -> "GameElos":
        """A rating of 0 or less is unknown."""
        known = elos[elos > 0]
        histogram = Histogram.in_steps("ratings", "Elo of the players", known, ELO_STEP, HIGHEST_ELO)
        if not len(known):
            return cls(0, None, None, None, histogram)
        return cls(len(known), float(known.mean()), int(known.min()), int(known.max()), histogram)


@dataclass(frozen=True, slots=True)
class OpeningCount:
    """An ECO code, how often it was played, and White's score where the result is known."""

    eco: str
    name: str
    games: int
    white: float | None


@dataclass(frozen=True, slots=True)
class Stats:
    games: int
    plies: int
    results: Mapping[str, int]  # white, draw, black, unknown
    elo: GameElos
    lengths: Histogram
    years: Histogram
    openings: tuple[OpeningCount, ...]  # all that were played, the most frequent first
    without_opening: int
    time_controls: Mapping[str, int]
    with_values: int
    with_clocks: int

    @classmethod
    def of(cls, store: Store) -> "Stats":
        columns = store.columns()
        results = np.bincount(columns.result.astype(np.int64) + 1, minlength=4).tolist()
        years = columns.year[columns.year > 0]
        span = int(np.ptp(years)) if len(years) else 0
        step = next((step for step in (1, 5, 10, 50) if span / step < MOST_BARS), 100)
        openings, without = _openings(store, columns.plies, columns.result)
        return cls(
            games=len(store),
            plies=int(columns.plies.sum(dtype=np.int64)),
            results=dict(zip(("unknown", "black", "draw", "white"), results, strict=True)),
            elo=GameElos.of(np.concatenate([columns.white_elo, columns.black_elo])),
            lengths=Histogram.in_steps("lengths", "plies", columns.plies, PLY_STEP, LONGEST),
            years=Histogram.in_steps("years", "year of the game", years, step),
            openings=openings,
            without_opening=without,
            time_controls=_time_controls(store),
            with_values=int(columns.has_values.sum()),
            with_clocks=int(columns.has_clocks.sum()),
        )

    def charts(self) -> list[Chart]:
        named = {"White won": "white", "drawn": "draw", "Black won": "black"}
        results = Bars.named("results", {name: self.results[result] for name, result in named.items()})
        most = {each.eco: each.games for each in self.openings[:MOST_OPENINGS]}
        openings = Bars.named("openings", most, "ECO, most frequent first")
        return [results, self.elo.histogram.chart(), self.lengths.chart(), self.years.chart(), openings]


def speed_of(time_control: str) -> str:
    """The class of a TimeControl tag: bullet, blitz, rapid, classical, or unknown.

    >>> [speed_of(text) for text in ("60+0", "180+2", "40/5400+30:1800", "-", "300")]
    ['bullet', 'blitz', 'classical', 'unknown', 'blitz']
    """
    seconds = time_control_seconds(time_control)
    if seconds is None:
        return UNKNOWN
    return next(name for name, (_, below) in SPEEDS.items() if below is None or seconds < below)


def _time_controls(store: Store) -> dict[str, int]:
    texts = store.texts("TimeControl")
    games = np.bincount(texts.index + 1, minlength=len(texts.values) + 1)
    counts: Counter[str] = Counter()
    for value, count in zip(["", *texts.values], games.tolist(), strict=True):
        counts[speed_of(value)] += count
    return {name: counts[name] for name in (*SPEEDS, UNKNOWN)}


def _openings(
    store: Store, plies: NDArray[np.uint16], results: NDArray[np.int8]
) -> tuple[tuple[OpeningCount, ...], int]:
    """How often each ECO code was played, and how many games have none."""
    codes = sorted({line.eco for line in named_lines()})
    number = {code: index for index, code in enumerate(codes)}
    texts = store.texts("ECO")
    eco = texts.spread((number.get(value[:3].upper(), -1) for value in texts.values), -1)
    of_line = np.array([number[line.eco] for line in named_lines()], np.int64)
    longest = max(len(line.moves) for line in named_lines())
    for of, ply in in_chunks(np.minimum(plies, longest), np.flatnonzero(eco < 0)):
        line = find_openings(position_keys(store.positions(of, ply)))
        eco[of[line >= 0]] = of_line[line[line >= 0]]  # the last named position of each game
    games = np.bincount(eco + 1, minlength=len(codes) + 1)[1:]
    decided = (results >= 0) & (eco >= 0)
    known = np.bincount(eco[decided], minlength=len(codes))
    points = np.bincount(eco[decided], weights=results[decided] / 2, minlength=len(codes))
    names = {line.eco: line.name for line in reversed(named_lines())}
    counted = tuple(
        OpeningCount(codes[i], names[codes[i]], int(games[i]), float(points[i] / known[i]) if known[i] else None)
        for i in np.argsort(-games, kind="stable")
        if games[i]
    )
    return counted, int((eco < 0).sum())
