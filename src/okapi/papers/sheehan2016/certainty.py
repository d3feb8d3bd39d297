"""How sure a net is: the paper's "Net A predicts each of the 10 scores with close to equal probability", measured."""

import math
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import opinions
from okapi.core.packed import POSITION
from okapi.papers.sheehan2016.courses import brain, has_weights, name_of, preferred, splits, taught
from okapi.recipes.arrays import TEST
from okapi.recipes.course import TURN, Course
from okapi.recipes.lab import Lab
from okapi.recipes.sheehan2016 import variants

__all__ = ["certainty", "probabilities", "tested"]

MOST: Final = 20_000
"""Test positions that are looked at."""


def certainty(lab: Lab) -> dict[str, Any]:
    """For every net that was taught: the probability of its answer, and the entropy of all ten."""
    course, split = taught(lab), preferred(splits(lab))
    rows = []
    for variant in variants(lab.size, own=False):
        lesson = name_of(variant, split)
        if not has_weights(course, lesson):
            continue
        positions, _, buckets = tested(course, lesson)
        found = probabilities(brain(lab, course, lesson), positions)
        rows.append({"net": variant.net, "how": variant.how, **_sure(found, buckets)})
    return {"rows": rows, "split": split, "most": math.log2(10)}


def tested(course: Course, lesson: str) -> tuple[NDArray[np.void], NDArray[np.int64], NDArray[np.int64]]:
    """Some test positions, what the teacher says of them for White, and their buckets."""
    rows = course.part(lesson, TEST)[:MOST]
    packed = np.ascontiguousarray(course.positions[rows])
    values = course.values[rows].astype(np.int64)
    turns = packed[:, TURN]
    buckets = course.lessons[lesson].target.of(values, turns)
    return packed.view(POSITION).reshape(-1), np.where(turns == 1, -values, values), buckets


def probabilities(path: Path, positions: NDArray[np.void]) -> NDArray[np.float32]:
    """Of the ten buckets."""
    found = opinions(str(path), positions).classes
    assert found is not None
    return found


def _sure(found: NDArray[np.float32], buckets: NDArray[np.int64]) -> dict[str, Any]:
    ordered = np.sort(found, axis=1)
    top, second = ordered[:, -1], ordered[:, -2]
    right = found.argmax(axis=1) == buckets
    entropy = -(found * np.log2(np.maximum(found, 1e-12))).sum(axis=1)
    return {
        "count": len(found),
        "top": float(top.mean()),
        "second": float(second.mean()),
        "right": float(top[right].mean()) if right.any() else None,
        "wrong": float(top[~right].mean()) if (~right).any() else None,
        "entropy": float(entropy.mean()),
    }
