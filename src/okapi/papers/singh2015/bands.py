"""
Does the dial do anything? Moves that our network meets, by the rating of who played them and the rating it was told.

As Maia's authors show it: a row for each band of ratings, a column for each setting. Where the dial works, rows are
best on the diagonal.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import predictor
from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.exam import Exam
from okapi.papers.singh2015.marking import brains_of, marked
from okapi.papers.singh2015.marks import loss
from okapi.papers.singh2015.school import schooled
from okapi.recipes.config import Size

__all__ = ["bands"]

BANDS: Final = tuple(range(2000, 2800, 100))
"""Where bands begin; the last one has no end."""

DIALS: Final = tuple(band + 50 for band in BANDS)
"""The middle of each band."""

POSITIONS: Final[dict[Size, int]] = {"tiny": 40, "quick": 500, "full": 5_000}
"""Of each band."""

FEWEST: Final = 20
"""Positions without which a band is left out."""


def bands(lab: ExperimentContext) -> dict[str, Any]:
    """For each band and each setting of the dial: first choices that were played, and the loss."""
    school = schooled(lab)
    chosen = lab.chosen("bands", {"positions": POSITIONS[lab.size], "brain": "ours"})
    brain = brains_of(school).get(chosen["brain"])
    if brain is None:
        return {"skipped": f"there is no network `{chosen['brain']}` here"}
    if "elo" not in predictor(str(brain)).dials:
        return {"skipped": "the network has no ELO layer"}
    exams = _by_band(school.exam, chosen["positions"], lab.seed)
    if len(exams) < 2:
        return {"skipped": "the test games have no ratings in two bands or more; --games with WhiteElo and BlackElo"}
    return {
        "brain": chosen["brain"],
        "dials": list(DIALS),
        "rows": [_row(lab, brain, band, exam) for band, exam in exams.items()],
    }


def _by_band(exam: Exam, count: int, seed: int) -> dict[int, Exam]:
    """So many positions of each band, where it has enough. Nobody is below the first one."""
    numbers = np.clip((exam.elos - BANDS[0]) // 100, 0, len(BANDS) - 1)
    found = {band: exam.take(numbers == number).some(count, seed) for number, band in enumerate(BANDS)}
    return {band: part for band, part in found.items() if len(part) >= FEWEST}


def _row(lab: ExperimentContext, brain: Path, band: int, exam: Exam) -> dict[str, Any]:
    """A band: one cell for each setting of the dial, each compared with the band's own."""
    told = {dial: replace(exam, elos=np.full(len(exam), dial, np.int32)) for dial in DIALS}
    marks = {dial: marked(lab, brain, each, f"band {band}, dial {dial}") for dial, each in told.items()}
    own = marks[DIALS[BANDS.index(band)]]
    return {
        "name": f"{band} and more" if band == BANDS[-1] else f"{band} to {band + 99}",
        "own": BANDS.index(band),
        "count": len(exam),
        "cells": [_cell(marks[dial], own) for dial in DIALS],
    }


def _cell(marks: NDArray[np.void], own: NDArray[np.void]) -> dict[str, Any]:
    right, own_right = marks["move"]["masked"] == 1, own["move"]["masked"] == 1
    return {
        "right": int(right.sum()),
        "only_here": int((right & ~own_right).sum()),
        "only_own": int((own_right & ~right).sum()),
        "loss": loss(marks),
    }
