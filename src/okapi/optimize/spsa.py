"""SPSA (Spall 1992): simultaneous perturbation stochastic approximation.

All parameters are perturbed at once by random signs, and then the other way round: the difference of the two scores
estimates the gradient. One estimate is mostly noise; thousands, with a pair of games each, lead uphill.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from okapi.optimize.population import CountedScore, FloatArray, Generation, ParameterSpace, Score

ALPHA, GAMMA = 0.602, 0.101  # decay of steps and perturbations: the smallest for which Spall (1998) proves convergence

STABILITY = 0.1  # Spall's A as a share of all iterations: it reduces the first steps
DRIFT = 0.35  # how far noise moves a parameter in a run, in final perturbations; a few times more at the start


def usual_rate(evaluations: int) -> float:
    """The rate at which noise moves parameters as far in a short run as in a long one.

    >>> round(usual_rate(30_000), 4), round(usual_rate(1_000), 4)
    (0.002, 0.0111)
    """
    return float(DRIFT / np.sqrt(evaluations))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gains:
    """Perturbations and step sizes of each iteration, relative to those of the last one."""

    iterations: int
    rate: float = 0.002  # step of the last iteration for each point of difference, in perturbations

    def reach(self, iteration: int) -> float:
        """The perturbation of an iteration (from 1 on), in those of the last iteration.

        >>> [round(Gains(iterations=1000).reach(number), 2) for number in (1, 100, 1000)]
        [2.01, 1.26, 1.0]
        """
        return float((self.iterations / iteration) ** GAMMA)

    def stride(self, iteration: int) -> float:
        """The step for each point of difference, in perturbations of the last iteration.

        >>> [round(Gains(iterations=1000).stride(number), 4) for number in (1, 100, 1000)]
        [0.0042, 0.0044, 0.002]
        """
        stability = STABILITY * self.iterations
        slowing = ((stability + self.iterations) / (stability + iteration)) ** ALPHA
        return float(self.rate * slowing / self.reach(iteration))


def spsa(
    score: Score,
    space: ParameterSpace,
    *,
    start: FloatArray,
    reach: FloatArray,
    gains: Gains,
    seed: int,
    directions: int = 1,
    whole: bool = False,
) -> Iterator[Generation]:
    """Yield the start, and the point after each iteration, with the mean score of the perturbed points around it.

    Each iteration scores two points in so many random `directions`: rows 0 and 1 are one direction, 2 and 3 the next.
    `reach` is the final perturbation of each parameter. With `whole` the score function gets integers, rounded at
    random.
    """
    here = space.clip(np.asarray(start, dtype=np.float64))
    counted = CountedScore(score)
    yield Generation(0, here[None], np.zeros(1), counted.evaluations)
    for iteration in range(1, gains.iterations + 1):
        rng = np.random.default_rng([seed, iteration])
        signs = rng.choice((-1.0, 1.0), (directions, len(space)))
        offsets = signs * reach * gains.reach(iteration)
        points = space.clip(np.stack([here + offsets, here - offsets], axis=1).reshape(2 * directions, len(space)))
        if whole:
            points = space.clip(np.floor(points + rng.random(points.shape)))
        scores = counted(points)
        differences = scores[0::2] - scores[1::2]
        here = space.clip(here + gains.stride(iteration) * reach * (differences @ signs))
        yield Generation(iteration, here[None], np.array([scores.mean()]), counted.evaluations)
