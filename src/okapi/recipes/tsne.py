"""t-SNE: points in a plane whose neighbours are those that they have in many dimensions.

L. van der Maaten and G. Hinton, *Visualizing Data using t-SNE*, 2008. Exact: every point pulls at every other, so time
and memory grow with the square of their number.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["principal", "similarities", "tsne"]

Floats = NDArray[np.float32]

EXAGGERATION: Final = 12.0
"""In the first rounds near points pull this much harder, so that groups find together before they settle."""
EARLY: Final = 250
"""How many rounds these are."""
BLOCK: Final = 256
"""Rows of a table of all pairs that are worked on at once, so that they stay in the processor's cache."""
LEAST_GAIN: Final = 0.01
HALVINGS: Final = 50
"""Steps in the search for a perplexity; float32 has no more digits to find."""


def tsne(
    features: NDArray[np.floating],
    *,
    perplexity: float = 30.0,
    rounds: int = 750,
    seed: int = 1,
    tell: Callable[[int], object] = lambda done: None,
) -> Floats:
    """A place in the plane for each row of features; the same rows and seed give the same. `tell` hears each round.

    Begins with the two directions in which the rows differ most, so that what is far apart begins far apart.
    """
    near = similarities(features, perplexity)
    count = len(near)
    places = _first_places(features, seed)
    speed, gains = np.zeros_like(places), np.ones_like(places)
    rate = count / EXAGGERATION
    for done in range(rounds):
        early = done < EARLY
        slope = _slope(near, places, EXAGGERATION if early else 1.0)
        # Steps grow where they keep their direction, and shrink where they turn round.
        gains = np.maximum(np.where(np.sign(slope) == np.sign(speed), gains * 0.8, gains + 0.2), LEAST_GAIN)
        speed = (0.5 if early else 0.8) * speed - rate * gains * slope
        places = places + speed
        tell(done + 1)
    return np.asarray(places - places.mean(axis=0), np.float32)


def similarities(features: NDArray[np.floating], perplexity: float) -> Floats:
    """How near each row is to each other: a Gaussian around each, as wide as the perplexity wants; all sum to 1."""
    rows = np.asarray(features - features.mean(axis=0), np.float32)
    count = len(rows)
    if count < 4:
        raise ValueError(f"{count} points make no map: four are the least")
    wanted = np.log(min(perplexity, (count - 1) / 3))
    squares = (rows**2).sum(axis=1)
    near = np.empty((count, count), np.float32)
    for begin in range(0, count, BLOCK):
        end = min(begin + BLOCK, count)
        distances = np.maximum(squares[begin:end, None] + squares - 2 * rows[begin:end] @ rows.T, 0)
        distances[np.arange(end - begin), np.arange(begin, end)] = np.inf
        near[begin:end] = _gaussians(distances, wanted)
    near += near.T.copy()
    near /= near.sum()
    return near


def principal(features: NDArray[np.floating], count: int) -> tuple[Floats, Floats]:
    """The mean of rows, and the directions in which they differ most: [row length, count], of length 1 each."""
    mean = features.mean(axis=0, dtype=np.float64)
    centred = np.asarray(features - mean, np.float64)
    variances, directions = np.linalg.eigh(centred.T @ centred)
    chosen = directions[:, np.argsort(-variances, kind="stable")[:count]]
    # An eigenvector may as well point the other way: the largest number of each is made positive.
    largest = chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])]
    return mean.astype(np.float32), np.asarray(chosen * np.sign(largest), np.float32)


def _first_places(features: NDArray[np.floating], seed: int) -> Floats:
    mean, directions = principal(features, 2)
    places = np.zeros((len(features), 2))
    places[:, : directions.shape[1]] = (features - mean) @ directions
    places *= 1e-4 / max(places[:, 0].std(), 1e-12)
    # Rows that are the same would never part: a little chance comes to their help.
    noise = np.random.default_rng(seed).normal(scale=1e-6, size=places.shape)
    return np.asarray(places + noise, np.float32)


def _gaussians(distances: Floats, wanted: float) -> Floats:
    """Probabilities by squared distance, row by row, whose entropy is `wanted`: the width is found by halving."""
    finite = np.where(np.isfinite(distances), distances, 0)
    low, high = np.zeros(len(distances)), np.full(len(distances), np.inf)
    sharpness = 1 / np.maximum(finite.mean(axis=1, dtype=np.float64), 1e-12)
    nearest = distances.min(axis=1, keepdims=True)
    for _ in range(HALVINGS):
        weights = np.exp((nearest - distances) * sharpness[:, None].astype(np.float32))
        total = weights.sum(axis=1, dtype=np.float64)
        mean = (weights * finite).sum(axis=1, dtype=np.float64) / total
        entropy = np.log(total) + sharpness * (mean - nearest[:, 0])
        wide = entropy > wanted
        low, high = np.where(wide, sharpness, low), np.where(wide, high, sharpness)
        sharpness = np.where(np.isfinite(high), (low + high) / 2, 2 * sharpness)
    return np.asarray(weights / total[:, None], np.float32)


def _slope(near: Floats, places: Floats, exaggeration: float) -> Floats:
    """Where the Kullback-Leibler divergence rises: 4 Σ (p - q)(a - b) / (1 + |a - b|²) for each point a, over all b."""
    one = np.ones((len(places), 1), np.float32)
    squares = (places**2).sum(axis=1, keepdims=True)
    left, right = np.hstack([-2 * places, squares + 1, one]), np.hstack([places, one, squares])
    others = np.hstack([places, one])
    pull, push, total = np.empty_like(others), np.empty_like(others), 0.0
    for begin in range(0, len(places), BLOCK):
        rows = slice(begin, begin + BLOCK)
        closeness = left[rows] @ right.T
        np.reciprocal(closeness, out=closeness)
        total += float(closeness.sum(dtype=np.float64))
        pull[rows] = (near[rows] * closeness) @ others
        np.square(closeness, out=closeness)
        push[rows] = closeness @ others
    both = exaggeration * pull - push / (total - len(places))
    return np.asarray(4 * (both[:, 2:] * places - both[:, :2]), np.float32)
