"""
Evolutionary programming: the better half survives, and each survivor has one child that differs a little.

After L. J. Fogel, with the two mutations of Vázquez-Fernández's thesis (2012). No crossover.
"""

from collections.abc import Callable, Iterator

import numpy as np

from okapi.optimize.generation import Generation, Score, ask
from okapi.optimize.genes import FloatArray, Genes

__all__ = ["Mutate", "evolve", "gaussian", "non_uniform"]

Mutate = Callable[[FloatArray, Genes, int, int, np.random.Generator], FloatArray]
"""Parents, genes, the parents' generation t, the last generation T, dice: a child of each parent."""


def gaussian(sigma: float | FloatArray) -> Mutate:
    """To every gene something is added that is normally distributed; outside, it is put on the bound (chapter 4).

    `sigma` may be one for all genes, or one for each.
    """

    def mutate(parents: FloatArray, genes: Genes, t: int, last: int, rng: np.random.Generator) -> FloatArray:
        return genes.clip(parents + rng.normal(0.0, sigma, parents.shape))

    return mutate


def non_uniform(b: float = 2.0, rate: float = 0.9) -> Mutate:
    """Michalewicz's mutation (equations 19 and 20): anywhere at first, ever nearer to the parent later.

    A gene is changed with the probability `rate`. The thesis may also be read as one throw for all genes of a child.
    """

    def mutate(parents: FloatArray, genes: Genes, t: int, last: int, rng: np.random.Generator) -> FloatArray:
        changed = rng.random(parents.shape) < rate
        up = rng.random(parents.shape) < 0.5
        room = np.where(up, genes.high - parents, genes.low - parents)
        step = step_size(t / last, rng.random(parents.shape), b)
        return genes.clip(np.where(changed, parents + room * step, parents))

    return mutate


def step_size(time: float, dice: FloatArray, b: float) -> FloatArray:
    """Which part of its room to the bound a gene goes: anything at time 0, nothing at time 1."""
    return np.asarray(1.0 - dice ** ((1.0 - time) ** b))


def evolve(
    score: Score,
    genes: Genes,
    *,
    players: int,
    generations: int,
    mutate: Mutate,
    seed: int,
    start: FloatArray | None = None,
    keep_scores: bool = False,
) -> Iterator[Generation]:
    """Yield generation 0 and as many more as asked for.

    The start is random if none is given. Survivors are scored again with the others, since the games or positions of
    the next generation may be others; `keep_scores` spares that where the exam is always the same.
    """
    if players < 2 or players % 2:
        raise ValueError(f"{players} players: expected an even number, for half of them survive")
    population = genes.random(np.random.default_rng([seed, 0]), players) if start is None else genes.clip(start)
    if population.shape != (players, len(genes)):
        raise ValueError(f"the start has the shape {population.shape}: expected {(players, len(genes))}")
    evaluations = players
    now = Generation.ranked(0, population, ask(score, population, 0), evaluations)
    yield now
    for number in range(1, generations + 1):
        parents = now.population[: players // 2]
        rng = np.random.default_rng([seed, number])  # its own dice: nothing depends on how many were thrown before
        children = mutate(parents, genes, number - 1, generations, rng)
        population = np.concatenate([parents, children])
        if keep_scores:
            scores = np.concatenate([now.scores[: players // 2], ask(score, children, number)])
        else:
            scores = ask(score, population, number)
        evaluations += players // 2 if keep_scores else players
        now = Generation.ranked(number, population, scores, evaluations)
        yield now
