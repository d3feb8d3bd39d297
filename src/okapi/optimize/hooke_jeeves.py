"""
Direct search by Hooke and Jeeves (1961): a step along each axis, and one more in the direction of success.

After algorithms 11 and 12 of Vázquez-Fernández's thesis, which minimise; this maximises.
"""

from collections.abc import Iterator

import numpy as np

from okapi.optimize.population import FloatArray, Generation, ParameterSpace, Score, evaluate


def hooke_jeeves(
    score: Score,
    space: ParameterSpace,
    *,
    start: FloatArray,
    step: float | FloatArray = 30.0,
    reduction: float = 2.0,
    end: float = 0.5,
) -> Iterator[Generation]:
    """Yield the start, and the point after each round, until no parameter's step is longer than `end`.

    The search is deterministic, moves to strictly better points only, and stays within the bounds. The step may be one
    for all parameters, or one for each.
    """
    if reduction <= 1.0:
        raise ValueError(f"the step is divided by {reduction}: expected more than 1")
    score_point = _Scorer(score)
    steps = np.broadcast_to(np.asarray(step, dtype=np.float64), (len(space),))
    base = space.clip(np.asarray(start, dtype=np.float64))
    value = score_point(base)
    number = 0
    yield Generation(number, base[None], np.array([value]), score_point.calls)
    while (steps > end).any():
        explored, found = _explore(score_point, space, base, value, steps)
        if found > value:
            further = space.clip(explored + (explored - base))
            beyond = score_point(further)
            base, value = (further, beyond) if beyond > found else (explored, found)
        else:
            steps = steps / reduction
        number += 1
        yield Generation(number, base[None], np.array([value]), score_point.calls)


class _Scorer:
    """Scores one point at a time, and counts."""

    def __init__(self, score: Score) -> None:
        self.calls = 0
        self._score = score

    def __call__(self, point: FloatArray) -> float:
        value = float(evaluate(self._score, point[None], self.calls)[0])
        self.calls += 1
        return value


def _explore(
    score_point: _Scorer, space: ParameterSpace, base: FloatArray, value: float, steps: FloatArray
) -> tuple[FloatArray, float]:
    """Try every axis in turn, forwards and then backwards, from the best point so far."""
    for parameter in range(len(space)):
        for signed in (steps[parameter], -steps[parameter]):
            trial = base.copy()
            trial[parameter] = np.clip(trial[parameter] + signed, space.low[parameter], space.high[parameter])
            if trial[parameter] == base[parameter]:
                continue  # on the bound
            found = score_point(trial)
            if found > value:
                base, value = trial, found
                break
    return base, value
