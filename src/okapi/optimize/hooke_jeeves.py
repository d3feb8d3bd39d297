"""Direct search by Hooke and Jeeves (1961), after algorithms 11 and 12 of Vázquez-Fernández's thesis; it maximises."""

from collections.abc import Iterator
from itertools import count

import numpy as np

from okapi.optimize.population import CountedScore, FloatArray, Generation, ParameterSpace, Score


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

    The search is deterministic and moves to strictly better points only. The step is one for all parameters, or for
    each.
    """
    if reduction <= 1.0:
        raise ValueError(f"the step is divided by {reduction}: expected more than 1")
    counted, steps = CountedScore(score), np.broadcast_to(np.asarray(step, dtype=np.float64), len(space))
    base = space.clip(np.asarray(start, dtype=np.float64))
    value = counted.of(base)
    for number in count():
        yield Generation(number, base[None], np.array([value]), counted.evaluations)
        if not (steps > end).any():
            return
        explored, found = _explore(counted, space, base, value, steps)
        if found > value:
            further = space.clip(explored + (explored - base))
            beyond = counted.of(further)
            base, value = (further, beyond) if beyond > found else (explored, found)
        else:
            steps = steps / reduction


def _explore(
    counted: CountedScore, space: ParameterSpace, base: FloatArray, value: float, steps: FloatArray
) -> tuple[FloatArray, float]:
    """Try every axis in turn, forwards and then backwards, from the best point so far."""
    for parameter in range(len(space)):
        for signed in (steps[parameter], -steps[parameter]):
            trial = base.copy()
            trial[parameter] = np.clip(trial[parameter] + signed, space.low[parameter], space.high[parameter])
            if trial[parameter] == base[parameter]:
                continue  # on the bound
            found = counted.of(trial)
            if found > value:
                base, value = trial, found
                break
    return base, value
