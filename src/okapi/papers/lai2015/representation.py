"""Section 4.1: can a network learn a teacher's opinion more easily from Giraffe's features than from a bitmap?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.models import make_model
from okapi.models.modalities import Apart
from okapi.papers.lai2015.lessons import Entrant, entrants, lessons
from okapi.recipes.arrays import TEST
from okapi.recipes.course import TURN, Course
from okapi.recipes.lab import Lab
from okapi.recipes.labelled import LOOKED_UP, SHARES, How, Labelled, labelled, parts
from okapi.recipes.order import Size
from okapi.recipes.schooling import Left, Material, have
from okapi.recipes.targets import Target
from okapi.training.supervised import Plan, Report

__all__ = ["representation"]

POSITIONS: Final[dict[Size, int]] = {"tiny": 2_000, "quick": 30_000, "full": 0}
"""Labelled positions; 0: all there are. The thesis had five million."""


def representation(lab: Lab) -> dict[str, Any]:
    """All who are compared, on the same labels and the same split."""
    usual = {"positions": POSITIONS[lab.size], "course": "", "device": "auto", "at_once": 1}
    chosen = lab.chosen("representation", usual)
    folder = Path(chosen["course"]) if chosen["course"] else lab.folder / "courses" / "representation"
    material = _gathered(lab, folder, chosen["positions"])
    split = "games" if "games" in material.parts else "positions"
    course = material.course(folder, lessons(lab.size, lab.seed, split))
    who = {entrant.name: entrant for entrant in entrants(lab.size)}
    missing = ""
    try:
        have(lab, course, list(who), device=chosen["device"], at_once=chosen["at_once"])
    except Left as left:
        missing = str(left)
    reports = {name: report for name in who if (report := course.report(name)) is not None}
    if not reports:
        return {"skipped": missing}
    return {
        "split": split,
        **material.told(split),
        "spread": _spread(course, next(iter(reports))),
        "rows": [_row(who[name], report) for name, report in reports.items()],
        "notes": [f"Not all networks are here: {missing}."] if missing else [],
    }


def _gathered(lab: Lab, folder: Path, most: int) -> Material:
    def make() -> tuple[Labelled, Mapping[str, NDArray[np.uint8]]]:
        found = labelled(lab, most=most or None)
        how: How = "positions" if found.games is None else "games"
        return found, {how: parts(found, how, lab.seed, SHARES if found.library is None else LOOKED_UP)}

    settings = lab.settings("")
    return Material.gathered(
        folder, {**{key: settings[key] for key in ("seed", "games", "labels")}, "positions": most}, make
    )


def _row(entrant: Entrant, report: Report) -> dict[str, Any]:
    plan = Plan.from_json(report.about["plan"])
    return {
        "name": entrant.name,
        "what": entrant.what,
        "weight": entrant.weight,
        "encoding": plan.encoding,
        "size": _size(plan),
        **{key: report.test[key] for key in ("count", "mse", "mse_error", "mae")},
        "train_mse": report.train["mse"],
        "epochs": report.epochs,
        "seconds": report.seconds,
        "device": report.device,
        "curve": [[entry["epoch"], entry["validation_loss"]] for entry in report.curve],
    }


def _size(plan: Plan) -> int:
    """Weights and biases that were learned."""
    model = make_model(plan.model, plan.arguments)
    return sum(
        layer.size if isinstance(layer, Apart) else sum(weights.numel() for weights in layer.parameters())
        for layer in model
    )


def _spread(course: Course, lesson: str) -> float:
    """The squared error of somebody who says the same of every test position."""
    rows = course.part(lesson, TEST)
    scores = Target.score().of(course.values[rows], course.positions[rows, TURN])
    return float(np.var(scores))
