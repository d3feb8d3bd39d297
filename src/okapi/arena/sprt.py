"""The sequential probability ratio test on pairs of games."""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from okapi.arena.elo import NORMALISED, Array, MatchResult, expected_score, regularised, with_mean, with_t_value
from okapi.errors import UsageError

Scale: TypeAlias = Literal["logistic", "normalised"]
"""The unit of the bounds: logistic Elo, or Elo in units of the games' standard deviation."""


class Verdict(Enum):
    UNDECIDED = "undecided"
    H0 = "H0 accepted"
    H1 = "H1 accepted"


@dataclass(frozen=True, slots=True)
class SprtStatus:
    llr: float
    lower: float
    """At or below it, H0 is accepted."""
    upper: float
    """At or above it, H1 is accepted."""
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Sprt:
    """H0: the player is `elo0` stronger. H1: it is `elo1` stronger."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting H1 if H0 is true."""
    beta: float = 0.05
    """The probability of accepting H0 if H1 is true."""
    scale: Scale = "logistic"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise UsageError(f"a test between {self.elo0:g} and {self.elo1:g} Elo", hint="the first must be smaller")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise UsageError(f"error rates of {self.alpha:g} and {self.beta:g}", hint="expected between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The bound for H0 (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def status(self, result: MatchResult) -> SprtStatus:
        """The status after a result: from pairs of games or, without pairs, from single games."""
        llr = float(log_likelihood_ratio(result.counts, self.elo0, self.elo1, self.scale)) if result.games else 0.0
        verdict = Verdict.H0 if llr <= self.lower else Verdict.H1 if llr >= self.upper else Verdict.UNDECIDED
        return SprtStatus(llr, self.lower, self.upper, verdict)


def log_likelihood_ratio(counts: ArrayLike, elo0: float, elo1: float, scale: Scale = "logistic") -> Array:
    """The generalised log-likelihood ratio of H1 to H0. The last axis is the results: three (games) or five (pairs).

    A hypothesis gives the Elo, not the share of draws: each takes the most likely distribution with that Elo.
    """
    seen, shares = regularised(counts)
    under0, under1 = (_hypothesis(shares, elo, scale) for elo in (elo0, elo1))
    return np.asarray((seen * np.log(under1 / under0)).sum(axis=-1))


def _hypothesis(shares: Array, elo: float, scale: Scale) -> Array:
    """The most likely distribution under a hypothesis."""
    if scale == "logistic":
        return with_mean(shares, np.full(shares.shape[:-1], expected_score(elo)))
    games_a_result = (shares.shape[-1] - 1) // 2  # the mean of two games has less noise than one
    return with_t_value(shares, elo / NORMALISED * math.sqrt(games_a_result))
