"""
Dataset 4 is "normalised to be in [0, 1]", the paper says, and not how. What would each way have made of an error?

One network's answers and the teacher's values, in centipawns, are normalised in each way; so is a network that always
answers the mean. The squared error of the paper's Table 3 is looked for among them.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import load
from okapi.core.exercises import outputs
from okapi.core.packed import POSITION
from okapi.papers.sabatelli2018.names import ON_DATASET_4, PLAYING, lesson_name
from okapi.recipes.arrays import TEST
from okapi.recipes.course import Course
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size
from okapi.recipes.sabatelli2018 import CLIP, REGRESSION
from okapi.recipes.targets import expected_score

__all__ = ["Way", "normalisation", "ways"]

JUDGED: Final[dict[Size, int]] = {"tiny": 40, "quick": 2_000, "full": 20_000}
"""Test positions."""

MATE: Final = 31_000
"""Centipawns from which on a value is a mate."""

CLIPS: Final = (5, 10, 15, 20, 30, 50, 100)
"""Pawns."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to make numbers from 0 to 1 of centipawns."""

    name: str
    apply: Callable[[Floats], Floats]
    range_cp: float
    """Centipawns that a number from 0 to 1 stands for; where they are not evenly spread, around 0."""
    mates: bool = True
    """Are mates among the values?"""


def ways(largest: float) -> Iterator[Way]:
    """All that are tried; `largest` is the largest value that is not a mate."""
    for pawns in CLIPS:
        yield Way(f"cut off at ±{pawns} pawns", partial(_evenly, most=100.0 * pawns), 200.0 * pawns)
    yield Way("least to largest, without mates", partial(_evenly, most=largest), 2 * largest, mates=False)
    yield Way("least to largest, mates 320 pawns", partial(_evenly, most=32_000.0), 64_000.0)
    yield Way("expected score", expected_score, 1600 / math.log(10))


def normalisation(lab: Lab) -> dict[str, Any]:
    """Table 3's errors by ways to normalise."""
    count = lab.chosen("normalisation", {"positions": JUDGED[lab.size]})["positions"]
    taught = lab.result("tables")
    course = Course.read(lab.folder / taught["course"])
    name = next(name for name in (lesson_name("mlp", "bitmap", REGRESSION), *ON_DATASET_4) if _plays(taught, name))
    rows = course.part(name, TEST)
    rows = np.sort(np.random.default_rng(lab.seed).permutation(rows)[:count])
    brain = load(str(lab.folder / taught["brains"][PLAYING[name]]))
    positions = np.ascontiguousarray(course.positions[rows]).view(POSITION)[:, 0]
    answered = outputs(brain, positions, threads=lab.executor.workers)[:, 0]
    found = compared(CLIP * (2.0 * answered.astype(np.float64) - 1.0), course.values[rows].astype(np.float64))
    return {**found, "network": PLAYING[name]}


def _plays(taught: Mapping[str, Any], name: str) -> bool:
    """Did a network's weights come back from where it learned?"""
    return PLAYING[name] in taught["brains"]


def compared(answers: Floats, values: Floats) -> dict[str, Any]:
    """The errors of answers, and of always answering the mean, in each way."""
    is_mate = np.abs(values) >= MATE
    largest = float(np.abs(values[~is_mate]).max(initial=1.0))
    rows = []
    for way in ways(largest):
        kept = ~is_mate if not way.mates else np.ones(len(values), np.bool_)
        ours, theirs = way.apply(answers[kept]), way.apply(values[kept])
        rows.append(
            {
                "name": way.name,
                "network": float(np.mean((ours - theirs) ** 2)),
                "constant": float(np.var(theirs)),
                "range_cp": way.range_cp,
            }
        )
    return {"rows": rows, "positions": len(values), "mates": float(is_mate.mean()), "largest": largest}


def _evenly(cp: Floats, *, most: float) -> Floats:
    return np.clip(cp, -most, most) / (2 * most) + 0.5
