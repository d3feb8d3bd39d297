"""What every learner yields while it learns."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from okapi.optimize.genes import FloatArray

__all__ = ["Generation", "Score", "ask", "within"]

Score = Callable[[FloatArray, int], FloatArray]
"""Asked with a population and the number of the question (0, 1, …): a score for each player, higher is better."""


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """The players of one moment, best first; of two that are equal the one that was there first."""

    number: int
    """0 is the start."""
    population: FloatArray
    scores: FloatArray
    evaluations: int
    """Players that were scored so far."""

    @classmethod
    def ranked(cls, number: int, population: FloatArray, scores: FloatArray, evaluations: int) -> Self:
        """A generation whose players come in any order."""
        order = np.argsort(-scores, kind="stable")
        return cls(number, population[order], scores[order], evaluations)

    @property
    def best(self) -> FloatArray:
        """The genes of the champion."""
        return np.asarray(self.population[0])

    @property
    def mean(self) -> FloatArray:
        """Each gene's average."""
        return np.asarray(self.population.mean(axis=0))

    @property
    def deviation(self) -> FloatArray:
        """Each gene's standard deviation: how far the players still are from one mind."""
        return np.asarray(self.population.std(axis=0))

    @property
    def best_score(self) -> float:
        """The champion's."""
        return float(self.scores[0])

    @property
    def mean_score(self) -> float:
        """Of all players."""
        return float(self.scores.mean())

    @property
    def spread(self) -> float:
        """The standard deviation of the scores."""
        return float(self.scores.std())


def ask(score: Score, population: FloatArray, number: int) -> FloatArray:
    """The scores of a population; ValueError if the score function does not answer what it was asked."""
    scores = np.asarray(score(population, number), dtype=np.float64)
    if scores.shape != population.shape[:1]:
        raise ValueError(f"{len(population)} players were to be scored, and the answer has the shape {scores.shape}")
    if not np.isfinite(scores).all():
        wrong = int(np.isfinite(scores).argmin())
        raise ValueError(f"the score of player {wrong} is {scores[wrong]}")
    return scores


def within(budget: int, generations: Iterable[Generation]) -> Iterator[Generation]:
    """The generations, until so many players have been scored; the one in which that happens is the last."""
    for generation in generations:
        yield generation
        if generation.evaluations >= budget:
            return
