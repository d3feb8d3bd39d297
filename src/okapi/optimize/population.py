"""Parameters with bounds, scored populations of them, and the score functions that optimizers are given."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

Score = Callable[[FloatArray, int], FloatArray]
"""Is given a population and the number of the call (0, 1, …): a score for each individual, higher is better."""


@dataclass(frozen=True, slots=True, eq=False)
class ParameterSpace:
    """Named parameters with bounds. A population has a row for each individual and a column for each parameter.

    >>> space = ParameterSpace(("knight", "mobility"), np.array([100.0, 0.0]), np.array([500.0, 300.0]))
    >>> space.clip(np.array([[90.0, 20.0], [320.0, 301.0]])).tolist()
    [[100.0, 20.0], [320.0, 300.0]]
    """

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray

    def __post_init__(self) -> None:
        count, low, high = len(self.names), self.low.shape, self.high.shape
        if not low == high == (count,):
            raise ValueError(f"{count} parameters with {low} lower and {high} upper bounds")
        if not (self.low <= self.high).all():
            wrong = [name for name, low, high in zip(self.names, self.low, self.high, strict=True) if not low <= high]
            raise ValueError(f"the bounds of {', '.join(wrong)} are empty")

    def __len__(self) -> int:
        return len(self.names)

    @property
    def width(self) -> FloatArray:
        return self.high - self.low

    def random(self, rng: np.random.Generator, count: int) -> FloatArray:
        return rng.uniform(self.low, self.high, (count, len(self)))

    def clip(self, population: FloatArray) -> FloatArray:
        return np.clip(population, self.low, self.high)


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A scored population, best first; of two with the same score the older one comes first."""

    number: int  # 0 is the start
    population: FloatArray
    scores: FloatArray
    evaluations: int  # individuals that were scored so far

    @property
    def best(self) -> FloatArray:
        return np.asarray(self.population[0])

    @property
    def mean(self) -> FloatArray:
        return np.asarray(self.population.mean(axis=0))

    @property
    def deviation(self) -> FloatArray:
        return np.asarray(self.population.std(axis=0))

    @property
    def best_score(self) -> float:
        return float(self.scores[0])

    @property
    def mean_score(self) -> float:
        return float(self.scores.mean())

    @property
    def spread(self) -> float:
        return float(self.scores.std())


def evaluate(score: Score, population: FloatArray, number: int) -> FloatArray:
    """The scores of a population; ValueError if there are too few, too many or not finite ones."""
    scores = np.asarray(score(population, number), dtype=np.float64)
    if scores.shape != population.shape[:1]:
        raise ValueError(f"{len(population)} individuals have scores of shape {scores.shape}")
    if not np.isfinite(scores).all():
        wrong = int(np.isfinite(scores).argmin())
        raise ValueError(f"the score of individual {wrong} is {scores[wrong]}")
    return scores


class CountedScore:
    """Calls a score function with the number of the call, and counts."""

    def __init__(self, score: Score) -> None:
        self._score, self._calls, self.evaluations = score, 0, 0

    def __call__(self, population: FloatArray) -> FloatArray:
        scores = evaluate(self._score, population, self._calls)
        self._calls += 1
        self.evaluations += len(population)
        return scores

    def of(self, point: FloatArray) -> float:
        return float(self(point[None])[0])

    def ranked(self, number: int, population: FloatArray, scores: FloatArray) -> Generation:
        order = np.argsort(-scores, kind="stable")
        return Generation(number, population[order], scores[order], self.evaluations)


def limit_evaluations(budget: int, generations: Iterable[Generation]) -> Iterator[Generation]:
    """The generations up to the one in which so many individuals have been scored."""
    for generation in generations:
        yield generation
        if generation.evaluations >= budget:
            return
