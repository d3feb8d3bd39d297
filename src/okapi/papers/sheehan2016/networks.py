"""Tables 2 and 3: the nets under the paper's split and by game, near misses, confusion, and how they learn."""

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import POSITION
from okapi.learn.supervised import Report
from okapi.papers.arrays import TEST, TRAIN
from okapi.papers.course import TURN, Course
from okapi.papers.lab import Lab
from okapi.papers.labelled import Labelled, neighbours
from okapi.papers.sheehan2016.courses import about, name_of, preferred, prepare, reports, splits
from okapi.papers.sheehan2016.differential import differential, differential_alone
from okapi.papers.sheehan2016.nets import BETTER, LETTER, Variant, iterations, variants

__all__ = ["CONSECUTIVE", "COURSE", "consecutive", "networks"]

COURSE: Final = "course"
CONSECUTIVE: Final = "course-consecutive"

ELSEWHERE: Final = (
    "these lessons want a GPU: carry {folder} to a machine that has one, python -m okapi.papers.course {folder}, carry "
    "it back, and ask for the same again"
)


def networks(lab: Lab) -> dict[str, Any]:
    """On --labels."""
    return _networks(lab, lab.folder / COURSE, lab.labels)


def consecutive(lab: Lab) -> dict[str, Any]:
    """On positions that follow each other in their games, as the paper had them: a second file of labels."""
    chosen = lab.chosen("consecutive", {"labels": ""})
    folder = lab.folder / CONSECUTIVE
    if not chosen["labels"] and not folder.exists():
        return {"skipped": "no other labels were given: --change consecutive.labels=FILE, as `okapi label` makes them"}
    return _networks(lab, folder, Path(chosen["labels"]) if chosen["labels"] else None)


def _networks(lab: Lab, folder: Path, labels: Path | None) -> dict[str, Any]:
    course = prepare(lab, folder, labels)
    ways = splits(course)
    wanted = {
        name_of(variant, split): (variant, split)
        for split in ways
        for variant in variants(lab.size, own=split == preferred(ways))
    }
    found = reports(lab, course, list(wanted))
    if not found:
        return {"skipped": ELSEWHERE.format(folder=lab.inside(folder))}
    positions = np.ascontiguousarray(course.positions).view(POSITION).reshape(-1)
    pawns = differential(positions)
    told = {split: _split(course, split, positions, pawns) for split in ways}
    return {
        "about": about(course),
        "splits": told,
        "rows": [_row(*wanted[name], report, told[wanted[name][1]]["train"]) for name, report in found.items()],
        "missing": [name for name in wanted if name not in found],
        "confusion": {name: report.test["confusion"] for name, report in found.items() if _is_shown(*wanted[name])},
        "curves": {name: _curve(*wanted[name], report, told) for name, report in found.items()},
    }


def _row(variant: Variant, split: str, report: Report, trained: int) -> dict[str, Any]:
    plan, test = variant.plan, report.test
    return {
        "net": variant.net,
        "how": variant.how,
        "split": split,
        "lesson": name_of(variant, split),
        **{key: test[key] for key in ("count", "accuracy", "near", "loss")},
        "train_accuracy": report.train["accuracy"],
        "epochs": report.epochs,
        "iterations": iterations(variant, report.epochs, trained),
        "batch": plan.batch,
        "hidden": list(plan.arguments.get("hidden", [])),
        "seconds": report.seconds,
        "device": report.device,
    }


def _is_shown(variant: Variant, split: str) -> bool:
    return variant.how in (LETTER, BETTER)


def _curve(variant: Variant, split: str, report: Report, told: dict[str, Any]) -> list[list[float]]:
    """Iterations, and accuracy on the validation positions."""
    return [
        [iterations(variant, entry["epoch"], told[split]["train"]), round(entry["validation_accuracy"], 5)]
        for entry in report.curve
    ]


def _split(course: Course, split: str, positions: NDArray[np.void], pawns: NDArray[np.int64]) -> dict[str, Any]:
    """How many there are of what, how near the test is to the training, and what the differential alone knows."""
    lesson = next(name for name, lesson in course.lessons.items() if lesson.parts == split)
    train, test = course.part(lesson, TRAIN), course.part(lesson, TEST)
    target = course.lessons[lesson].target
    buckets = target.of(course.values, course.positions[:, TURN])
    part = np.full(len(positions), 255, np.uint8)
    part[train], part[test] = TRAIN, TEST
    near = neighbours(_labels(positions, course.values), part)
    return {
        "train": len(train),
        "test": len(test),
        "near": near.share,
        "edges": list(target.edges),
        "populations": np.bincount(buckets[train], minlength=10).tolist(),
        "differential": differential_alone((pawns[train], buckets[train]), (pawns[test], buckets[test])),
    }


def _labels(positions: NDArray[np.void], values: NDArray[np.int16]) -> Labelled:
    """For neighbours(), which looks at positions alone."""
    nothing = np.full(len(positions), -1, np.int64)
    return Labelled(
        name="course",
        positions=positions,
        values=np.asarray(values),
        games=None,
        plies=nothing,
        random=nothing > 0,
    )
