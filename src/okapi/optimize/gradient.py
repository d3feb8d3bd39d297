"""Texel's tuning: weights that predict results, by Newton's method.

The probability to win is a logistic function of the sum of weights times features, so its likelihood has a gradient.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from okapi.optimize.population import CountedScore, FloatArray, Generation, ParameterSpace, Score

Line = tuple[float, float]  # scale and offset of the logistic function

HALVINGS: Final = 20  # of a step that increases the loss
DIGITS: Final = 6  # decimal digits of weights: so they do not depend on how many threads computed a sum
WORTH_IT: Final = 1e-7  # the decrease of the loss that a step has to reach, in nats a position
FIRST_LINE: Final = (1e-3, 0.0)  # scale of the logistic function and value of the move from which they are fitted


@dataclass(frozen=True, slots=True, eq=False)
class LinearDataset:
    factors: FloatArray  # a row for each position, a column for each weight
    known: FloatArray  # the value of each position by weights that are fixed
    results: FloatArray  # 0 lost, ½ drawn, 1 won

    def __post_init__(self) -> None:
        if not len(self.factors) == len(self.known) == len(self.results) > 0:
            raise ValueError(f"{len(self.factors)} rows, {len(self.known)} known, {len(self.results)} results")

    def total(self, weights: FloatArray) -> FloatArray:
        return np.asarray(self.known + self.factors @ weights)

    def some(self, count: int, seed: int) -> "LinearDataset":
        """Random positions without repetition; all, if there are no more."""
        which = np.random.default_rng([seed, 0]).permutation(len(self.results))[:count]
        return LinearDataset(self.factors[which], self.known[which], self.results[which])


def fit(
    score: Score, space: ParameterSpace, data: LinearDataset, *, start: FloatArray, steps: int, prior: float = 1e-4
) -> Iterator[Generation]:
    """Yield the start and the weights after each of at most `steps` steps; fewer if the loss stops to decrease.

    The scale of the logistic function and the value of the right to move are fitted, too. `prior` pulls weights to the
    start: the loss for a distance of the whole range. Scores are reported, but not used.
    """
    weights = origin = space.clip(np.asarray(start, dtype=np.float64))
    pull, counted, line = prior / np.maximum(space.width, 1e-9) ** 2, CountedScore(score), FIRST_LINE
    for number in range(steps + 1):
        yield Generation(number, weights[None], counted(weights[None]), counted.evaluations)
        line = _line(data.total(weights), data.results, line)
        better = _newton_step(space, data, weights, line, origin, pull)
        if np.array_equal(better, weights):
            return
        weights = better


def loss(data: LinearDataset, weights: FloatArray) -> float:
    """Nats a position, with the best scale and value of the move for these weights."""
    total = data.total(weights)
    return _cross_entropy(total, data.results, _line(total, data.results, FIRST_LINE))


def _newton_step(
    space: ParameterSpace, data: LinearDataset, weights: FloatArray, line: Line, origin: FloatArray, pull: FloatArray
) -> FloatArray:
    """A Newton step in weights that are not on a bound, halved until the loss decreases; or the same weights.

    `pull` is that of each weight towards the origin.
    """

    def cost(weights: FloatArray) -> float:
        distance = float((pull * (weights - origin) ** 2).sum())
        return _cross_entropy(data.total(weights), data.results, line) + distance

    scale, move = line
    total, count = data.total(weights), len(data.results)
    expected = _logistic(scale * total + move)
    gradient = scale * data.factors.T @ (expected - data.results) / count + 2 * pull * (weights - origin)
    low, high = space.low, space.high
    free = ~(((weights <= low) & (gradient > 0)) | ((weights >= high) & (gradient < 0))) & (high > low)
    # Scale and move are optimal for these weights, but depend on them: so they are part of the Hessian.
    columns = np.column_stack([scale * data.factors[:, free], total * scale, np.ones(count)])
    hessian = (columns * (expected * (1 - expected))[:, None]).T @ columns / count
    hessian += np.diag([*2 * pull[free], 0.0, 0.0])
    direction = np.zeros_like(weights)
    direction[free] = -np.linalg.lstsq(hessian, [*gradient[free], 0.0, 0.0], rcond=None)[0][:-2]
    trials = (space.clip(np.round(weights + direction / 2**halving, DIGITS)) for halving in range(HALVINGS))
    enough = cost(weights) - WORTH_IT
    return next((trial for trial in trials if cost(trial) < enough), weights)


def _line(total: FloatArray, results: FloatArray, guess: Line) -> Line:
    """The best scale and offset of the logistic function for these totals, by Newton's method."""
    unit = max(float(np.abs(total).mean()), 1e-9)
    columns = np.stack([total / unit, np.ones_like(total)], axis=1)
    point = np.array([guess[0] * unit, guess[1]])
    for _ in range(HALVINGS):
        expected = _logistic(columns @ point)
        gradient = columns.T @ (expected - results)
        hessian = (columns * (expected * (1 - expected))[:, None]).T @ columns + 1e-9 * np.eye(2)
        change = np.linalg.solve(hessian, gradient)
        point -= change
        if np.abs(change).max() < 1e-10:
            break
    return float(point[0] / unit), float(point[1])


def _cross_entropy(total: FloatArray, results: FloatArray, line: Line) -> float:
    z = line[0] * total + line[1]
    return float((np.logaddexp(0.0, z) - results * z).mean())


def _logistic(z: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-z)))
