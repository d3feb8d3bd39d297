"""
Tuning by the gradient, as the authors of Texel did: weights that foretell results.

The chance to win is a logistic function of the sum of weights times factors. Unlike a count of solved exercises its
likelihood has a slope, so that Newton's method finds the best weights in a few steps.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from okapi.optimize.generation import Generation, Score, ask
from okapi.optimize.genes import FloatArray, Genes

__all__ = ["Lesson", "fit", "loss"]

HALVINGS: Final = 20
"""Of a step that made things worse."""

DIGITS: Final = 6
"""Behind the point: so the weights do not depend on how many threads a sum was made by."""

WORTH_IT: Final = 1e-7
"""Nats a position that a step has to gain."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Games that have a result, position by position."""

    factors: FloatArray
    """A row for each position, a column for each gene: what a weight is multiplied with."""
    known: FloatArray
    """What each position is worth by weights that are not learned."""
    results: FloatArray
    """0 lost, ½ drawn, 1 won."""

    def __post_init__(self) -> None:
        if not len(self.factors) == len(self.known) == len(self.results) > 0:
            raise ValueError(f"{len(self.factors)} rows, {len(self.known)} known, {len(self.results)} results")

    def some(self, count: int, seed: int) -> "Lesson":
        """So many positions, at random and none twice; all, where there are no more."""
        which = np.random.default_rng([seed, 0]).permutation(len(self.results))[:count]
        return Lesson(self.factors[which], self.known[which], self.results[which])


def fit(
    score: Score, genes: Genes, lesson: Lesson, *, start: FloatArray, steps: int, prior: float = 1e-4
) -> Iterator[Generation]:
    """Yield the start and the weights after each of at most `steps` steps; fewer if nothing gets better.

    How many points make a win (the scale) and what the move is worth are fitted along. `prior` draws weights towards
    the start: so much loss for a whole width between the bounds. The score function is asked about each
    generation, and decides nothing.
    """
    origin = genes.clip(np.asarray(start, dtype=np.float64))
    fitted = _Fit(genes, lesson, origin, prior)
    weights, line = origin, (1e-3, 0.0)
    for number in range(steps + 1):
        scores = ask(score, weights[None], number)
        yield Generation(number, weights[None], scores, number + 1)
        line = fitted.line(weights, line)
        better = fitted.step(weights, line)
        if np.array_equal(better, weights):
            return
        weights = better


def loss(lesson: Lesson, weights: FloatArray) -> float:
    """Nats a position, with the scale and the worth of the move that suit these weights best."""
    total = lesson.known + lesson.factors @ weights
    return _cross_entropy(total, lesson.results, _line(total, lesson.results, (1e-3, 0.0)))


class _Fit:
    """The likelihood around one place at a time."""

    def __init__(self, genes: Genes, lesson: Lesson, origin: FloatArray, prior: float) -> None:
        self._genes = genes
        self._lesson = lesson
        self._origin = origin
        self._pull = prior / np.maximum(genes.width, 1e-9) ** 2

    def total(self, weights: FloatArray) -> FloatArray:
        return np.asarray(self._lesson.known + self._lesson.factors @ weights)

    def line(self, weights: FloatArray, guess: tuple[float, float]) -> tuple[float, float]:
        """Scale and worth of the move for these weights."""
        return _line(self.total(weights), self._lesson.results, guess)

    def cost(self, weights: FloatArray, line: tuple[float, float]) -> float:
        pull = float((self._pull * (weights - self._origin) ** 2).sum())
        return _cross_entropy(self.total(weights), self._lesson.results, line) + pull

    def step(self, weights: FloatArray, line: tuple[float, float]) -> FloatArray:
        """Newton's step in the genes that are free to move, halved until it helps; the same place if nothing does."""
        scale, move = line
        total, count = self.total(weights), len(self._lesson.results)
        expected = _logistic(scale * total + move)
        pull = 2 * self._pull * (weights - self._origin)
        slope = scale * self._lesson.factors.T @ (expected - self._lesson.results) / count + pull
        low, high = self._genes.low, self._genes.high
        free = ~(((weights <= low) & (slope > 0)) | ((weights >= high) & (slope < 0))) & (high > low)
        # The line is at its best already, but will turn with the weights: so it is part of the bend.
        columns = np.column_stack([scale * self._lesson.factors[:, free], total * scale, np.ones(count)])
        bend = (columns * (expected * (1 - expected))[:, None]).T @ columns / count
        bend += np.diag([*2 * self._pull[free], 0.0, 0.0])
        direction = np.zeros_like(weights)
        direction[free] = -np.linalg.lstsq(bend, [*slope[free], 0.0, 0.0], rcond=None)[0][:-2]
        before = self.cost(weights, line)
        for halving in range(HALVINGS):
            trial = self._genes.clip(np.round(weights + direction / 2**halving, DIGITS))
            if self.cost(trial, line) < before - WORTH_IT:
                return trial
        return weights


def _line(total: FloatArray, results: FloatArray, guess: tuple[float, float]) -> tuple[float, float]:
    """The two numbers of the logistic function that suit these totals best: Newton's method."""
    unit = max(float(np.abs(total).mean()), 1e-9)
    columns = np.stack([total / unit, np.ones_like(total)], axis=1)
    place = np.array([guess[0] * unit, guess[1]])
    for _ in range(HALVINGS):
        expected = _logistic(columns @ place)
        slope = columns.T @ (expected - results)
        bend = (columns * (expected * (1 - expected))[:, None]).T @ columns + 1e-9 * np.eye(2)
        change = np.linalg.solve(bend, slope)
        place -= change
        if np.abs(change).max() < 1e-10:
            break
    return float(place[0] / unit), float(place[1])


def _cross_entropy(total: FloatArray, results: FloatArray, line: tuple[float, float]) -> float:
    z = line[0] * total + line[1]
    return float((np.logaddexp(0.0, z) - results * z).mean())


def _logistic(z: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-z)))
