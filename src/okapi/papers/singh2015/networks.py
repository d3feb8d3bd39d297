"""Tables 3.1 to 3.3: each network by itself, and what it knows of the rules that nobody told it."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.exam import Exam
from okapi.papers.singh2015.marking import sat
from okapi.papers.singh2015.published import KINDS, TOP
from okapi.papers.singh2015.school import schooled

__all__ = ["about_exam", "networks", "top"]

MEANS: Final = {"squared": "squared", "chebyshev": "chebyshev", "rank": "rank", "rank_masked": "masked"}
"""What is told as a mean, and where marks have it."""


def networks(lab: ExperimentContext) -> dict[str, Any]:
    """PIECE in all positions of the exam, and each of the six in those where such a piece moved."""
    school = schooled(lab)
    exam, marks = sat(lab, school, "networks")
    return {**about_exam(exam), "brains": {brain: _brain(found) for brain, found in marks.items()}}


def about_exam(exam: Exam) -> dict[str, Any]:
    """How large it is, and how many of its positions training games have, too."""
    return {"positions": len(exam), "games": len(np.unique(exam.games)), "seen": int(exam.seen.sum())}


def top(ranks: NDArray[Any], guesses: range | tuple[int, ...] = TOP) -> dict[str, int]:
    """How often so many guesses were enough.

    >>> top(np.array([1, 2, 1, 7]), (1, 3, 10))
    {'1': 2, '3': 3, '10': 4}
    """
    return {str(k): int((ranks <= k).sum()) for k in guesses}


def _brain(marks: NDArray[np.void]) -> dict[str, Any]:
    kinds = {kind: _row(marks["target"][marks["kind"] == number]) for number, kind in enumerate(KINDS)}
    return {"piece": {**_row(marks["piece"]), "stuck": int(marks["stuck"].sum())}, **kinds}


def _row(said: NDArray[np.void]) -> dict[str, Any]:
    return {
        "count": len(said),
        "top": top(said["rank"]),
        "top_masked": top(said["masked"]),
        "illegal": int(said["illegal"].sum()),
        **{key: float(said[where].mean(dtype=np.float64)) if len(said) else None for key, where in MEANS.items()},
    }
