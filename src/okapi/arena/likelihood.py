"""How likely the results of a match are: what intervals and the sequential test are made of.

A match is counts of results in order of points: (lost, drawn, won) for single games, or five counts for pairs of games
that brought 0, ½, 1, 1½ and 2 points. No model of draws is assumed. For a hypothesis such as "the mean is 0.507" we
take the distribution of results which fits the hypothesis and makes the counts likeliest: empirical likelihood (Owen
1988), and what fishtest does (M. Van den Bergh).

All functions take arrays whose last axis is the results, so that a thousand matches cost little more than one.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "deviance", "means_within", "moments", "regularised", "with_mean", "with_t_value", "worth"]

Array: TypeAlias = NDArray[np.float64]

UNSEEN = 1e-3
"""What a result that never happened counts: it may still happen. fishtest's number."""

STEEPEST = 60.0
"""Bound of the search for v in eᵛ: beyond it a mean is 0 or 1 for all that numbers can tell."""


def regularised(counts: ArrayLike) -> Array:
    """The counts, with a thousandth for results that never happened."""
    found = np.asarray(counts, dtype=np.float64)
    return np.where(found > 0, found, UNSEEN)


def worth(results: int) -> Array:
    """The share of the points that each of so many results brings.

    >>> worth(3).tolist(), worth(5).tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.25, 0.5, 0.75, 1.0])
    """
    return np.linspace(0.0, 1.0, results)


def moments(shares: Array) -> tuple[Array, Array]:
    """Mean and variance of distributions over results."""
    points = worth(shares.shape[-1])
    mean = shares @ points
    return mean, np.maximum(shares @ points**2 - mean**2, 0.0)


def with_mean(shares: Array, mean: ArrayLike) -> Array:
    """The distribution with this mean under which results in these `shares` are likeliest.

    >>> with_mean(np.array([0.2, 0.3, 0.5]), 0.5).round(3).tolist()
    [0.35, 0.3, 0.35]
    """
    return _tilted(shares, worth(shares.shape[-1]) - np.asarray(mean)[..., None])


def with_t_value(shares: Array, t: float) -> Array:
    """The same for a given (mean − ½) / standard deviation, which is what normalised Elo measures.

    The constraint bends with the distribution, so it is made straight again and again where the last answer was. The
    first is that of t = 0, where it is straight.
    """
    points = worth(shares.shape[-1])
    found = with_mean(shares, np.full(shares.shape[:-1], 0.5))
    for _ in range(50):
        mean, variance = (moment[..., None] for moment in moments(found))
        deviation = np.sqrt(variance)
        bent = points - 0.5 - t * deviation / 2 * (1 + ((points - mean) / deviation) ** 2)
        before, found = found, _tilted(shares, bent)
        if np.abs(found - before).max(initial=0.0) < 1e-10:
            break
    return found


def deviance(counts: ArrayLike, mean: float) -> float:
    """Twice the logarithm of how much likelier the counts are without the hypothesis that the mean is `mean`.

    Distributed like the square of a normal deviate if the hypothesis is true (Wilks, Owen).
    """
    seen = regularised(counts)
    shares = seen / seen.sum()
    return max(0.0, float(2 * seen @ np.log(shares / with_mean(shares, mean))))


def means_within(counts: ArrayLike, allowed: float) -> tuple[float, float]:
    """The least and the greatest mean whose deviance is at most `allowed`."""
    seen = regularised(counts)
    shares = seen / seen.sum()
    place = worth(len(seen))
    inside, outside = np.zeros((2, 1)), np.array([[STEEPEST], [-STEEPEST]])
    for _ in range(50):
        middle = (inside + outside) / 2
        fits = 2 * (seen * np.log(shares / _leaning(shares, place, middle))).sum(axis=-1, keepdims=True) <= allowed
        inside, outside = np.where(fits, middle, inside), np.where(fits, outside, middle)
    low, high = _leaning(shares, place, inside) @ place
    return float(low), float(high)


def _leaning(shares: Array, place: Array, v: Array) -> Array:
    """Every p that makes `shares` likeliest under some mean of `place` (0…1) is of this form; the mean falls with v."""
    weights = shares / (1 - place + place * np.exp(v))
    leaning: Array = weights / weights.sum(axis=-1, keepdims=True)
    return leaning


def _tilted(shares: Array, excess: Array) -> Array:
    """The p that makes `shares` likeliest under Σ p·excess = 0.

    The log-odds of the mean are almost a line in v: Newton's steps find it, and halving the bracket where it bends.
    """
    least, most = excess.min(axis=-1, keepdims=True), excess.max(axis=-1, keepdims=True)
    place = (excess - least) / (most - least)
    target = np.log(-least / most)
    v = np.zeros((*shares.shape[:-1], 1))
    low, high = v - STEEPEST, v + STEEPEST
    for _ in range(100):
        tilted = _leaning(shares, place, v)
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
