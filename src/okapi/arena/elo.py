"""How much stronger, and how sure: Elo from the results of one match."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np

from okapi.arena.likelihood import Array, deviance, means_within, moments, regularised, worth

__all__ = ["NORMALISED", "Estimate", "Tally", "elo_difference", "estimate", "expected_score"]

NORMALISED = 800 / math.log(10)
"""Normalised Elo of one standard deviation of a game: makes it equal to Elo where few games are drawn."""


def expected_score(difference: float) -> float:
    """The score that a player so many Elo stronger expects: 400 Elo are ten to one.

    >>> round(expected_score(100), 3), expected_score(0), round(expected_score(-400), 3)
    (0.64, 0.5, 0.091)
    """
    return 1 / (1 + 10 ** min(-difference / 400, 300.0))


def elo_difference(score: float) -> float:
    """The Elo difference at which this score is expected; infinite for nothing and for everything.

    >>> round(elo_difference(0.75), 1), elo_difference(1.0)
    (190.8, inf)
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score is between 0 and 1, not {score}")
    if score in (0.0, 1.0):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player got in a match.

    >>> tally = Tally.of([(1, 0.5), (1, 0), (0.5, 0.5)])
    >>> tally.wins, tally.draws, tally.losses, tally.pairs, tally.score
    (2, 3, 1, (0, 0, 2, 1, 0), 0.5833333333333334)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Pairs of games, the same opening with each colour, that brought 0, ½, 1, 1½ and 2 points."""

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses, *self.pairs) < 0 or 2 * sum(self.pairs) > self.games:
            raise ValueError(f"counts that no match can have: {self}")

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]], singles: Iterable[float] = ()) -> Self:
        """Count results, told as the player's points (0, ½, 1): of games in pairs, and of games without a partner."""
        paired = list(pairs)
        points = [point for pair in paired for point in pair] + list(singles)
        sums = [first + second for first, second in paired]
        return cls(
            points.count(1.0),
            points.count(0.5),
            points.count(0.0),
            (sums.count(0.0), sums.count(0.5), sums.count(1.0), sums.count(1.5), sums.count(2.0)),
        )

    def __add__(self, other: "Tally") -> "Tally":
        ll, ld, middle, wd, ww = (mine + theirs for mine, theirs in zip(self.pairs, other.pairs, strict=True))
        return Tally(
            self.wins + other.wins, self.draws + other.draws, self.losses + other.losses, (ll, ld, middle, wd, ww)
        )

    @property
    def games(self) -> int:
        """Games that were finished."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points; ½ before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def draw_rate(self) -> float:
        """The share of the games that were drawn; 0 before the first game."""
        return self.draws / self.games if self.games else 0.0

    @property
    def counts(self) -> tuple[int, ...]:
        """What statistics are made of: the five counts of pairs or, where nothing was paired, (lost, drawn, won).

        Two games from one opening are not independent: an opening that favours White gives a win and a loss. Counting
        pairs keeps this, and intervals become narrower. A game whose partner is missing is then left out.
        """
        return self.pairs if any(self.pairs) else (self.losses, self.draws, self.wins)


@dataclass(frozen=True, slots=True)
class Estimate:
    """How much stronger the player is than its opponent."""

    elo: float
    """Always finite: a match without a lost point is rated as if a quarter of a point had been lost."""
    low: float
    """The interval; −∞ where every point was lost."""
    high: float
    """+∞ where every point was won."""
    los: float
    """Likelihood of superiority: how sure it is that the player is stronger at all."""
    normalised: float
    """Elo in units of the noise of the games: what decides how many games a test needs."""
    draw_rate: float


def estimate(tally: Tally, confidence: float = 0.95) -> Estimate:
    """Elo with its interval. The interval holds the scores that a likelihood ratio test does not reject.

    >>> found = estimate(Tally.of([(1, 0.5)] * 60 + [(0.5, 0.5)] * 100 + [(0, 0.5)] * 40))
    >>> f"{found.elo:+.1f} ({found.low:+.1f} … {found.high:+.1f}), {found.los:.1%} sure"
    '+17.4 (+0.4 … +34.2), 97.8% sure'
    """
    if not tally.games:
        return Estimate(0.0, -math.inf, math.inf, 0.5, 0.0, 0.0)
    counts = np.array(tally.counts, dtype=np.float64)
    shown = _imperfect(counts)
    mean, variance = (float(moment) for moment in moments(regularised(shown) / regularised(shown).sum()))
    games_a_result = (len(counts) - 1) // 2
    low, high = _bounds(counts, confidence)
    surprise = math.sqrt(deviance(counts, 0.5))
    return Estimate(
        elo=elo_difference(float(shown @ worth(len(shown)) / shown.sum())),
        low=elo_difference(low),
        high=elo_difference(high),
        los=NormalDist().cdf(math.copysign(surprise, mean - 0.5)),
        normalised=NORMALISED * (mean - 0.5) / math.sqrt(variance * games_a_result),
        draw_rate=tally.draw_rate,
    )


def _bounds(counts: Array, confidence: float) -> tuple[float, float]:
    """The scores that a likelihood ratio test does not reject; none are ruled out beyond a perfect score."""
    low, high = means_within(counts, NormalDist().inv_cdf((1 + confidence) / 2) ** 2)
    return (0.0 if counts[0] == counts.sum() else low), (1.0 if counts[-1] == counts.sum() else high)


def _imperfect(counts: Array) -> Array:
    """The counts, with half of one result a step worse where no point was lost, or better where none was won."""
    flawed = counts.copy()
    if counts[-1] == counts.sum():
        flawed[-2:] += 0.5, -0.5
    elif counts[0] == counts.sum():
        flawed[:2] += -0.5, 0.5
    return flawed
