"""
Direct search by Hooke and Jeeves (1961): a step along each axis, and once more in the direction that was good.

As algorithms 11 and 12 of Vázquez-Fernández's thesis have it, where the function was to be made small.
"""

from collections.abc import Iterator

import numpy as np

from okapi.optimize.generation import Generation, Score, ask
from okapi.optimize.genes import FloatArray, Genes

__all__ = ["hooke_jeeves"]


def hooke_jeeves(
    score: Score,
    genes: Genes,
    *,
    start: FloatArray,
    step: float | FloatArray = 30.0,
    reduction: float = 2.0,
    end: float = 0.5,
) -> Iterator[Generation]:
    """Yield the start, and the place where it stands after each round, until no gene's step is longer than `end`.

    Nothing here is left to chance. Only strictly better places are gone to, and none outside the bounds. The step may
    be one for all genes, or one for each.
    """
    if reduction <= 1.0:
        raise ValueError(f"the step is to be divided by {reduction}, and would never become small")
    judge = _Judge(score)
    steps = np.broadcast_to(np.asarray(step, dtype=np.float64), (len(genes),))
    base = genes.clip(np.asarray(start, dtype=np.float64))
    value = judge(base)
    number = 0
    yield Generation(number, base[None], np.array([value]), judge.asked)
    while (steps > end).any():
        explored, found = _explore(judge, genes, base, value, steps)
        if found > value:
            further = genes.clip(explored + (explored - base))
            beyond = judge(further)
            base, value = (further, beyond) if beyond > found else (explored, found)
        else:
            steps = steps / reduction
        number += 1
        yield Generation(number, base[None], np.array([value]), judge.asked)


class _Judge:
    """Scores one place at a time, and counts."""

    def __init__(self, score: Score) -> None:
        self.asked = 0
        self._score = score

    def __call__(self, place: FloatArray) -> float:
        value = float(ask(self._score, place[None], self.asked)[0])
        self.asked += 1
        return value


def _explore(
    judge: _Judge, genes: Genes, base: FloatArray, value: float, steps: FloatArray
) -> tuple[FloatArray, float]:
    """Try every axis in turn, forwards and then backwards, from the best place so far."""
    for gene in range(len(genes)):
        for signed in (steps[gene], -steps[gene]):
            trial = base.copy()
            trial[gene] = np.clip(trial[gene] + signed, genes.low[gene], genes.high[gene])
            if trial[gene] == base[gene]:
                continue  # it stands on the bound
            found = judge(trial)
            if found > value:
                base, value = trial, found
                break
    return base, value
