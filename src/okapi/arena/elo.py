"""Elo of one match with its interval, the likelihoods it is made of, and Elo updated game by game."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

# A match is counts of results in order of points: (lost, drawn, won) for single games, or five counts for pairs of
# games with 0, ½, 1, 1½ and 2 points. No model of draws is assumed. For a hypothesis such as "the mean is 0.507" take
# the distribution of results that fits the hypothesis and makes the counts most likely: empirical likelihood (Owen
# 1988), as in fishtest (M. Van den Bergh). The last axis of all arrays is the results, so that a thousand matches cost
# little more than one.

Array: TypeAlias = NDArray[np.float64]

UNSEEN = 1e-3
"""The count of a result that did not occur, as in fishtest."""

STEEPEST = 60.0
"""Bound of the search for v in eᵛ: beyond it a mean is 0 or 1 in double precision."""


def regularised(counts: ArrayLike) -> tuple[Array, Array]:
    """The counts, with a thousandth for results that did not occur, and their shares."""
    found = np.asarray(counts, dtype=np.float64)
    seen = np.where(found > 0, found, UNSEEN)
    return seen, seen / seen.sum(axis=-1, keepdims=True)


def result_points(results: int) -> Array:
    """The share of the points of each of `results` results, worst first: 0, ½ and 1 of three."""
    return np.linspace(0.0, 1.0, results)


def moments(shares: Array) -> tuple[Array, Array]:
    """Mean and variance of distributions over results."""
    points = result_points(shares.shape[-1])
    mean = shares @ points
    return mean, np.maximum(shares @ points**2 - mean**2, 0.0)


def with_mean(shares: Array, mean: ArrayLike) -> Array:
    """The distribution with this mean under which results in these `shares` are most likely."""
    return _tilted(shares, result_points(shares.shape[-1]) - np.asarray(mean)[..., None])


def with_t_value(shares: Array, t: float) -> Array:
    """The same for a given (mean − ½) / standard deviation, which is what normalised Elo measures.

    The constraint is linearised at the last answer, again and again, and approached in steps that can be met.
    """
    points = result_points(shares.shape[-1])
    found = with_mean(shares, np.full(shares.shape[:-1], 0.5))
    for _ in range(50):
        mean, variance = (moment[..., None] for moment in moments(found))
        deviation = np.sqrt(variance)
        bend = deviation / 2 * (1 + ((points - mean) / deviation) ** 2)
        farthest = 0.9 * (points - 0.5) / bend
        step = np.clip(t, farthest.min(axis=-1, keepdims=True), farthest.max(axis=-1, keepdims=True))
        bent = points - 0.5 - step * bend
        before, found = found, _tilted(shares, bent)
        if np.abs(found - before).max(initial=0.0) < 1e-10:
            break
    return found


def deviance(counts: ArrayLike, mean: float) -> float:
    """Twice the log-likelihood ratio of the counts without and with the hypothesis that the mean is `mean`: if it is,
    distributed like the square of a normal deviate (Wilks, Owen)."""
    seen, shares = regularised(counts)
    return max(0.0, float(2 * seen @ np.log(shares / with_mean(shares, mean))))


def means_within(counts: ArrayLike, allowed: float) -> tuple[float, float]:
    """The least and the greatest mean whose deviance is at most `allowed`."""
    seen, shares = regularised(counts)
    place = result_points(len(seen))
    inside, outside = np.zeros((2, 1)), np.array([[STEEPEST], [-STEEPEST]])
    for _ in range(50):
        middle = (inside + outside) / 2
        fits = 2 * (seen * np.log(shares / _reweighted(shares, place, middle))).sum(axis=-1, keepdims=True) <= allowed
        inside, outside = np.where(fits, middle, inside), np.where(fits, outside, middle)
    low, high = _reweighted(shares, place, inside) @ place
    return float(low), float(high)


def _reweighted(shares: Array, place: Array, v: Array) -> Array:
    """Every p that makes `shares` most likely under some mean of `place` (0…1) has this form; the mean falls with v."""
    weights = shares / (1 - place + place * np.exp(v))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _tilted(shares: Array, excess: Array) -> Array:
    """The p that makes `shares` most likely under Σ p·excess = 0: Newton's method for v, with bisection as a guard."""
    least, most = excess.min(axis=-1, keepdims=True), excess.max(axis=-1, keepdims=True)
    place = (excess - least) / (most - least)
    target = np.log(-least / most)
    v = np.zeros((*shares.shape[:-1], 1))
    low, high = v - STEEPEST, v + STEEPEST
    for _ in range(100):
        tilted = _reweighted(shares, place, v)
        mean, rest = (tilted * place).sum(axis=-1, keepdims=True), (tilted * (1 - place)).sum(axis=-1, keepdims=True)
        gap = np.log(mean / rest) - target
        if np.abs(gap).max(initial=0.0) < 1e-11:
            break
        pull = place * np.exp(v) / (1 - place + place * np.exp(v))
        slope = (tilted * (place - mean) * pull).sum(axis=-1, keepdims=True) / (mean * rest)
        low, high = np.where(gap > 0, v, low), np.where(gap > 0, high, v)
        step = v + gap / np.maximum(slope, 1e-9)
        v = np.where((step > low) & (step < high), step, (low + high) / 2)
    return tilted


NORMALISED = 800 / math.log(10)
"""Normalised Elo of one standard deviation of a game; makes it equal to Elo where few games are drawn."""


def expected_score(difference: float) -> float:
    """The expected score of a player that is `difference` Elo stronger: 400 Elo are odds of ten to one."""
    return 1 / (1 + 10 ** min(-difference / 400, 300.0))


def elo_difference(score: float) -> float:
    """The Elo difference at which this score is expected; infinite for scores of 0 and 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score is between 0 and 1, not {score}")
    if score in (0.0, 1.0):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match from one player's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)
    """Pairs of games from one opening with colours reversed, by points: 0, ½, 1, 1½ and 2."""

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses, *self.pairs) < 0 or 2 * sum(self.pairs) > self.games:
            raise ValueError(f"impossible counts: {self}")

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]], singles: Iterable[float] = ()) -> Self:
        """Count results, given as points (0, ½, 1): of games in pairs, and of games without a partner."""
        paired = list(pairs)
        points = [point for pair in paired for point in pair] + list(singles)
        sums = [first + second for first, second in paired]
        of_pairs = tuple(sums.count(half / 2) for half in range(5))
        return cls(points.count(1.0), points.count(0.5), points.count(0.0), of_pairs)

    def __add__(self, other: "MatchResult") -> "MatchResult":
        pairs = tuple(mine + theirs for mine, theirs in zip(self.pairs, other.pairs, strict=True))
        return MatchResult(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses, pairs)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The share of the points; ½ without games."""
        return self.points / self.games if self.games else 0.5

    @property
    def draw_rate(self) -> float:
        """The share of drawn games; 0 without games."""
        return self.draws / self.games if self.games else 0.0

    @property
    def counts(self) -> tuple[int, ...]:
        """The five counts of pairs or, without pairs, (lost, drawn, won): games of one opening are not independent."""
        return self.pairs if any(self.pairs) else (self.losses, self.draws, self.wins)


@dataclass(frozen=True, slots=True)
class EloEstimate:
    elo: float
    """Always finite: a match without a lost point counts as if a quarter of a point had been lost."""
    low: float
    high: float
    """The bounds are infinite if every point was lost, or won."""
    los: float
    """Likelihood of superiority: the probability that the player is stronger."""
    normalised: float
    """Elo in units of the games' standard deviation: it decides how many games a test needs."""
    draw_rate: float


def estimate_elo(result: MatchResult) -> EloEstimate:
    """Elo with its 95 % interval: the scores that a likelihood ratio test does not reject."""
    if not result.games:
        return EloEstimate(0.0, -math.inf, math.inf, 0.5, 0.0, 0.0)
    counts = np.array(result.counts, dtype=np.float64)
    shown, lost, won = counts.copy(), counts[0] == counts.sum(), counts[-1] == counts.sum()
    if won:  # half a result is moved one step down
        shown[-2:] += 0.5, -0.5
    elif lost:
        shown[:2] += -0.5, 0.5
    mean, variance = (float(moment) for moment in moments(regularised(shown)[1]))
    games_a_result = (len(counts) - 1) // 2
    low, high = means_within(counts, NormalDist().inv_cdf(0.975) ** 2)
    low, high = (0.0 if lost else low), (1.0 if won else high)
    surprise = math.sqrt(deviance(counts, 0.5))
    return EloEstimate(
        elo=elo_difference(float(shown @ result_points(len(shown)) / shown.sum())),
        low=elo_difference(low),
        high=elo_difference(high),
        los=NormalDist().cdf(math.copysign(surprise, mean - 0.5)),
        normalised=NORMALISED * (mean - 0.5) / math.sqrt(variance * games_a_result),
        draw_rate=result.draw_rate,
    )


INITIAL_RATING = 1500.0
"""The rating of a new player. vazquez2012 does not say; its influence ends after some hundred games."""


def k_factor(rating: float, games: int) -> int:
    """The K-factor of FIDE in 2012."""
    return 30 if games < 30 else 15 if rating < 2400 else 10


@dataclass(slots=True)
class RatedPlayer:
    rating: float
    games: int = 0
    points: float = 0.0
    draws: int = 0


def replay_ratings(
    games: Iterable[tuple[str, str, float]], anchors: Mapping[str, float] | None = None
) -> dict[str, RatedPlayer]:
    """The players after all games, given as White, Black and White's points. Anchors are fixed.

    After each game: R + K·(points − expected points), equations 30 and 31 of vazquez2012.
    """
    fixed = anchors or {}
    players: dict[str, RatedPlayer] = {}
    for white, black, points in games:
        one, two = (players.setdefault(name, RatedPlayer(fixed.get(name, INITIAL_RATING))) for name in (white, black))
        before = one.rating, two.rating
        for name, player, opponent, got in ((white, one, before[1], points), (black, two, before[0], 1 - points)):
            if name not in fixed:
                surprise = got - expected_score(player.rating - opponent)
                player.rating += k_factor(player.rating, player.games) * surprise
            player.games += 1
            player.points += got
            player.draws += got == 0.5
    return players
