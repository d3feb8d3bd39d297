"""Tables 2 and 3: the nets under the paper's split and by game, near misses, confusion, and how they learn."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.papers.sheehan2016.courses import gathered, lessons, name_of, preferred
from okapi.papers.sheehan2016.differential import differential, differential_alone
from okapi.papers.sheehan2016.published import BUCKETS
from okapi.recipes.arrays import TEST, TRAIN
from okapi.recipes.course import Course
from okapi.recipes.lab import Lab
from okapi.recipes.schooling import Left, Material, have
from okapi.recipes.sheehan2016 import MOST, Variant, buckets, iterations, variants
from okapi.training.supervised import Plan, Report

__all__ = ["consecutive", "networks"]

ELSEWHERE: Final[dict[str, Any]] = {"course": "", "device": "auto", "at_once": 1}
"""Where lessons are had: a folder for the course, a device, and how many at a time."""


def networks(lab: Lab) -> dict[str, Any]:
    """On --labels."""
    chosen = lab.chosen("networks", {"positions": MOST[lab.size], **ELSEWHERE})
    return _networks(lab, "networks", lab.labels, chosen)


def consecutive(lab: Lab) -> dict[str, Any]:
    """On positions that follow each other in their games, as the paper had them: a second file of labels."""
    chosen = lab.chosen("consecutive", {"positions": MOST[lab.size], "labels": "", **ELSEWHERE})
    if not (chosen["labels"] or chosen["course"]):
        return {"skipped": "no other labels were given: --change consecutive.labels=FILE, as `okapi label` makes them"}
    return _networks(lab, "consecutive", Path(chosen["labels"]) if chosen["labels"] else None, chosen)


def _networks(lab: Lab, name: str, labels: Path | None, chosen: Mapping[str, Any]) -> dict[str, Any]:
    folder = Path(chosen["course"]) if chosen["course"] else lab.folder / "courses" / name
    material = gathered(lab, folder, labels, chosen["positions"])
    found = material.labels
    course = material.course(folder, lessons(lab.size, found.values, found.positions["turn"], material.parts))
    wanted = {
        name_of(variant, split): (variant, split)
        for split in material.parts
        for variant in variants(lab.size, own=split == preferred(material.parts))
    }
    missing = _have(lab, course, list(wanted), chosen)
    reports = {lesson: report for lesson in wanted if (report := course.report(lesson)) is not None}
    if not reports:
        return {"skipped": missing}
    told = {split: _split(material, split) for split in material.parts}
    return {
        "course": str(folder.absolute()) if chosen["course"] else lab.inside(folder),
        "splits": told,
        "rows": [_row(*wanted[lesson], report, told) for lesson, report in reports.items()],
        "confusion": {lesson: report.test["confusion"] for lesson, report in reports.items()},
        "curves": {lesson: _curve(wanted[lesson][1], report, told) for lesson, report in reports.items()},
        "notes": [f"Not all nets are here: {missing}."] if missing else [],
    }


def _have(lab: Lab, course: Course, names: Sequence[str], chosen: Mapping[str, Any]) -> str:
    """Have the lessons; where some are for another machine, a sentence about that."""
    try:
        have(lab, course, names, device=chosen["device"], at_once=chosen["at_once"])
    except Left as left:
        return str(left)
    return ""


def _row(variant: Variant, split: str, report: Report, told: Mapping[str, Any]) -> dict[str, Any]:
    plan, test = _plan(report), report.test
    return {
        "net": variant.net,
        "how": variant.how,
        "split": split,
        "lesson": name_of(variant, split),
        **{key: test[key] for key in ("count", "accuracy", "near", "loss")},
        "train_accuracy": report.train["accuracy"],
        "iterations": iterations(plan, report.epochs, told[split]["parts"]["train"]),
        "batch": plan.batch,
        "hidden": list(plan.arguments.get("hidden", [])),
        "seconds": report.seconds,
        "device": report.device,
        "busy": report.busy,
    }


def _plan(report: Report) -> Plan:
    """By which it was really taught."""
    return Plan.from_json(report.about["plan"])


def _curve(split: str, report: Report, told: Mapping[str, Any]) -> list[list[float]]:
    """Iterations, and accuracy on the validation positions."""
    plan, trained = _plan(report), told[split]["parts"]["train"]
    return [
        [iterations(plan, entry["epoch"], trained), round(entry["validation_accuracy"], 5)] for entry in report.curve
    ]


def _split(material: Material, split: str) -> dict[str, Any]:
    """How many there are of what, how near the test is to the training, and what the differential alone knows."""
    labels, part = material.labels, material.parts[split]
    target = buckets(labels.values, labels.positions["turn"], part == TRAIN)
    classes = target.of(labels.values, labels.positions["turn"])
    train, test = (
        (differential(labels.positions[part == number]), classes[part == number]) for number in (TRAIN, TEST)
    )
    return {
        **material.told(split),
        "edges": list(target.edges),
        "populations": np.bincount(train[1], minlength=BUCKETS).tolist(),
        "differential": differential_alone(train, test),
    }
