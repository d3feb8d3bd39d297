"""Figures 3.3 and 3.4: whole moves among the first guesses, by the number of guesses and by the number of the move."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.exam import Exam
from okapi.papers.singh2015.marking import sat
from okapi.papers.singh2015.marks import loss
from okapi.papers.singh2015.networks import about_exam, top
from okapi.papers.singh2015.school import schooled

__all__ = ["GUESSES", "full_moves"]

GUESSES: Final = range(1, 31)
BY_NUMBER: Final = (1, 5, 10, 20, 30)
"""Guesses of Figure 3.3."""

FEWEST: Final = 20
"""Positions that make a point of a curve; late moves, which few games have, are left out."""


def full_moves(lab: ExperimentContext) -> dict[str, Any]:
    """Of each brain, in all positions of the exam and in those that no training game has."""
    school = schooled(lab)
    exam, marks = sat(lab, school, "full_moves")
    return {**about_exam(exam), "brains": {brain: _brain(found, exam) for brain, found in marks.items()}}


def _brain(marks: NDArray[np.void], exam: Exam) -> dict[str, Any]:
    fewest = FEWEST if len(exam) >= 100 * FEWEST else 1
    numbers = 1 + exam.plies // 2
    by_number = [(int(number), marks[numbers == number]["move"]["masked"]) for number in np.unique(numbers)]
    return {
        "all": _row(marks),
        "fresh": _row(marks[~exam.seen]),
        "by_number": [
            {"number": number, "count": len(ranks), "top": top(ranks, BY_NUMBER)}
            for number, ranks in by_number
            if len(ranks) >= fewest
        ],
    }


def _row(marks: NDArray[np.void]) -> dict[str, Any]:
    said = marks["move"]
    return {
        "count": len(marks),
        "top": top(said["masked"], GUESSES),
        "top_unmasked": top(said["rank"], GUESSES),
        "illegal": int(said["illegal"].sum()),
        "loss": loss(marks),
    }
