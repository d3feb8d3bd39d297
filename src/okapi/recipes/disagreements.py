"""Where a brain and the teacher of its lesson disagree most: left beside the brain, for the board to show."""

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.compare import list_disagreements
from okapi.brains import card, opinions
from okapi.core.packed import NO_GAME, POSITION, SAMPLE
from okapi.recipes.arrays import TEST
from okapi.recipes.course import Course
from okapi.recipes.lab import Lab

__all__ = ["leave_disagreements", "leave_disagreements_of"]

MOST: Final = 5000
"""Test positions that are looked at: a moment's work, also for a convolutional network."""


def leave_disagreements(
    brain: Path, teacher: str, positions: NDArray[Any], values: NDArray[Any], folder: Path | None = None
) -> None:
    """List the worst of these packed positions, which the brain did not learn from, in its folder or another one.

    `values` are the teacher's centipawns for the side to move.
    """
    some = np.sort(np.random.default_rng(1).permutation(len(values))[:MOST])
    rows = np.zeros(len(some), SAMPLE)
    rows["position"] = np.ascontiguousarray(positions[some]).view(POSITION).reshape(-1)
    rows["value"], rows["game"] = values[some], NO_GAME
    to = folder or brain.parent
    said = opinions(str(brain), rows["position"]).values
    to.mkdir(parents=True, exist_ok=True)
    list_disagreements(card(str(brain)).name, teacher, rows, said).write(to)


def leave_disagreements_of(lab: Lab, course: Course, lesson: str, brain: Path) -> None:
    """The same of a paper's lesson, in a folder that has the name of its brain."""
    unseen = course.part(lesson, TEST)
    teacher = "Okapi" if lab.labels is None else lab.labels.name
    leave_disagreements(brain, teacher, course.positions[unseen], course.values[unseen], brain.with_suffix(""))
