"""
Simultaneous perturbation (Spall 1992): a slope is felt with two questions, however many genes there are.

All genes are moved at once, each up or down by the toss of a coin, and then the other way round; what the first place
scores more than the second says which way to go. One answer is mostly noise. Thousands of them are a walk uphill, which
is why engines are tuned like this: a question is a pair of games.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from okapi.optimize.generation import Generation, Score, ask
from okapi.optimize.genes import FloatArray, Genes

__all__ = ["Gains", "spsa", "usual_rate"]

ALPHA, GAMMA = 0.602, 0.101
"""How fast strides and reaches shrink: the least exponents for which Spall (1998) shows that it still arrives."""

CALM = 0.1
"""Spall's A, as a part of all iterations: so long the first strides are held back."""

DRIFT = 0.35
"""By about so many reaches, and a few times more in the large strides of the beginning, noise moves a gene in a run."""


def usual_rate(questions: int) -> float:
    """The rate at which noise moves genes as far in a short run as in a long one.

    >>> round(usual_rate(30_000), 4), round(usual_rate(1_000), 4)
    (0.002, 0.0111)
    """
    return float(DRIFT / np.sqrt(questions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gains:
    """How far it reaches and how far it goes, iteration by iteration. Both are told by where they end."""

    iterations: int
    rate: float = 0.002
    """In the last iteration, a gene goes by so much of its reach for each point of difference."""

    def reach(self, iteration: int) -> float:
        """How many times farther than in the last iteration the two places are from the middle; from 1.

        >>> [round(Gains(iterations=1000).reach(number), 2) for number in (1, 100, 1000)]
        [2.01, 1.26, 1.0]
        """
        return float((self.iterations / iteration) ** GAMMA)

    def stride(self, iteration: int) -> float:
        """By how many last reaches a gene goes for each point of difference.

        >>> [round(Gains(iterations=1000).stride(number), 4) for number in (1, 100, 1000)]
        [0.0042, 0.0044, 0.002]
        """
        calm = CALM * self.iterations
        slowing = ((calm + self.iterations) / (calm + iteration)) ** ALPHA
        return float(self.rate * slowing / self.reach(iteration))


def spsa(
    score: Score,
    genes: Genes,
    *,
    start: FloatArray,
    reach: FloatArray,
    gains: Gains,
    seed: int,
    directions: int = 1,
    whole: bool = False,
) -> Iterator[Generation]:
    """Yield the start, and where it stands after each iteration; the score is that of the places asked about around it.

    Each iteration tosses the coins for so many `directions`, and asks about two places in each: rows 0 and 1 are one
    direction, 2 and 3 the next. `reach` is how far each gene is moved in the end. Of `whole` genes the score function
    sees whole numbers, rounded up or down by dice so that on average nothing is lost.
    """
    here = genes.clip(np.asarray(start, dtype=np.float64))
    asked = 0
    yield Generation(0, here[None], np.zeros(1), asked)
    for iteration in range(1, gains.iterations + 1):
        dice = np.random.default_rng([seed, iteration])
        coins = dice.choice((-1.0, 1.0), (directions, len(genes)))
        away = coins * reach * gains.reach(iteration)
        places = genes.clip(np.stack([here + away, here - away], axis=1).reshape(2 * directions, len(genes)))
        if whole:
            places = genes.clip(np.floor(places + dice.random(places.shape)))
        scores = ask(score, places, iteration - 1)
        differences = scores[0::2] - scores[1::2]
        here = genes.clip(here + gains.stride(iteration) * reach * (differences @ coins))
        asked += len(places)
        yield Generation(iteration, here[None], np.array([scores.mean()]), asked)
