"""
The courses of the paper: labelled positions, how they are split, and a lesson for each net under each split.

The course on --labels has both splits. The paper's own way, positions at random, is easy only where positions follow
each other; where those of --labels do not, a second course has some that do.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.learn.supervised import Report
from okapi.learn.supervised.report import LEARNED
from okapi.papers.arrays import TRAIN
from okapi.papers.course import POSITIONS, TURN, VALUES, Course, Lesson, study, write_course
from okapi.papers.graduation import graduate
from okapi.papers.lab import Lab, write_text
from okapi.papers.labelled import both_ways, labelled
from okapi.papers.order import Size
from okapi.papers.sheehan2016.nets import Variant, variants
from okapi.papers.sheehan2016.published import BUCKETS, HELD_OUT
from okapi.papers.targets import Target

__all__ = [
    "FOUND",
    "MOST",
    "SHARES",
    "about",
    "brain",
    "buckets",
    "has_device",
    "has_weights",
    "lessons",
    "name_of",
    "preferred",
    "prepare",
    "reports",
    "splits",
]

MOST: Final[dict[Size, int | None]] = {"tiny": 3000, "quick": 100_000, "full": None}
"""Labelled positions."""

SHARES: Final = (0.9 * (1 - HELD_OUT), 0.1 * (1 - HELD_OUT), HELD_OUT)
"""A quarter is held out, as in the paper; a tenth of the rest says when to stop."""

FOUND: Final = (0.935, 0.025, 0.04)
"""Where positions were looked up in games: too few are found for a quarter."""

ABOUT: Final = "labels.json"
BRAIN: Final = "brain.safetensors"


def prepare(lab: Lab, folder: Path, labels: Path | None) -> Course:
    """The course in a folder; its positions are those that lie there, or else those of the labels."""
    positions, values, parts = _there(folder) if (folder / POSITIONS).exists() else _labelled(lab, folder, labels)
    turns = positions.view(np.uint8).reshape(len(positions), -1)[:, TURN]
    return write_course(folder, positions, values, parts, lessons(lab.size, values, turns, parts))


def splits(course: Course) -> list[str]:
    """By which its positions are split."""
    return sorted({lesson.parts for lesson in course.lessons.values()})


def about(course: Course) -> dict[str, Any]:
    """Where its positions come from."""
    path = course.folder / ABOUT
    return dict(json.loads(path.read_text())) if path.exists() else {"positions": len(course.values)}


def lessons(
    size: Size, values: NDArray[Any], turns: NDArray[Any], parts: Mapping[str, NDArray[Any]]
) -> dict[str, Lesson]:
    """Of every variant under every split, and our own network under the stricter one.

    Buckets have equal population among the training positions of that split.
    """
    return {
        name_of(variant, split): Lesson(
            variant.plan, buckets(values, turns, part == TRAIN, turned=variant.turned), split
        )
        for split, part in parts.items()
        for variant in variants(size, own=split == preferred(parts))
    }


def buckets(values: NDArray[Any], turns: NDArray[Any], chosen: NDArray[np.bool_], *, turned: bool = False) -> Target:
    """Ten classes of White's value, each with a tenth of the chosen positions (section 4.3)."""
    white = np.where(turns == 1, -values.astype(np.int64), values)[chosen]
    edges = np.quantile(white, np.arange(1, BUCKETS) / BUCKETS, method="nearest").tolist()
    for number in range(1, len(edges)):  # so many positions may be worth nothing that two edges are the same
        edges[number] = max(edges[number], edges[number - 1] + 1)
    return Target.classes(edges, "white", turned=turned)


def preferred(splits: Collection[str]) -> str:
    """By games, where games are known."""
    return "games" if "games" in splits else "positions"


def name_of(variant: Variant, split: str) -> str:
    """Of a lesson, such as a-letter-games."""
    return f"{variant.name}-{split}"


def reports(lab: Lab, course: Course, names: Sequence[str]) -> dict[str, Report]:
    """What came of lessons: those that nobody had yet are had here, unless the size is for a GPU and there is none."""
    missing = [name for name in names if course.report(name) is None]
    if missing and (lab.size != "full" or has_device()):
        study(course.folder, missing, watch=lambda name, now: lab.tell(f"{name}: {now.done:.0%}"))
    found = {name: course.report(name) for name in names}
    return {name: report for name, report in found.items() if report is not None}


def has_weights(course: Course, lesson: str) -> bool:
    """Is the network of a lesson here? A report may come back alone from where it was taught."""
    return course.report(lesson) is not None and (course.where(lesson) / LEARNED).exists()


def brain(course: Course, lesson: str) -> Path:
    """The file of the brain that came of a lesson."""
    path = course.where(lesson) / BRAIN
    if not path.exists():
        path.write_bytes(graduate(course.folder, lesson, {"name": f"sheehan2016 {lesson}"}))
    return path


def has_device() -> bool:
    """Is there a GPU to learn on?"""
    import torch

    return bool(torch.cuda.is_available())


Arrays = tuple[NDArray[Any], NDArray[Any], dict[str, NDArray[Any]]]
"""Positions, values, and the parts by the names of the splits."""


def _there(folder: Path) -> Arrays:
    splits = {path.stem.removeprefix("parts-"): np.load(path) for path in sorted(folder.glob("parts-*.npy"))}
    return np.load(folder / POSITIONS), np.load(folder / VALUES), splits


def _labelled(lab: Lab, folder: Path, labels: Path | None) -> Arrays:
    found = labelled(replace(lab, labels=labels), most=MOST[lab.size])
    shares = SHARES if found.library is None else FOUND
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / ABOUT, json.dumps(found.about()))
    return found.positions, found.values, {str(how): part for how, part in both_ways(found, lab.seed, shares).items()}
