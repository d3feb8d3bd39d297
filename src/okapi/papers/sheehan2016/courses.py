"""
The courses of the paper: labelled positions, how they are split, and a lesson for each net under each split.

The course on --labels has both splits. The paper's own way, positions at random, is easy only where positions follow
each other; where those of --labels do not, a second course has some that do.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.writing import replace_file
from okapi.recipes.arrays import TRAIN
from okapi.recipes.course import Course, Lesson
from okapi.recipes.disagreements import leave_disagreements_of
from okapi.recipes.graduation import graduate
from okapi.recipes.lab import Lab
from okapi.recipes.labelled import Labelled, both_ways, labelled
from okapi.recipes.order import Size
from okapi.recipes.schooling import Material
from okapi.recipes.sheehan2016 import Variant, buckets, shares, variants
from okapi.training.supervised.report import LEARNED

__all__ = [
    "brain",
    "gathered",
    "has_weights",
    "lessons",
    "name_of",
    "preferred",
    "splits",
    "taught",
]

BRAINS: Final = "brains"


def gathered(lab: Lab, folder: Path, labels: Path | None, most: int) -> Material:
    """The positions of a course: those that lie in its folder, or else those of the labels."""
    there = replace(lab, labels=labels)

    def make() -> tuple[Labelled, Mapping[str, NDArray[np.uint8]]]:
        found = labelled(there, most=most or None)
        return found, {str(how): part for how, part in both_ways(found, lab.seed, shares(found)).items()}

    settings = there.settings("")
    asked = {name: settings[name] for name in ("seed", "games", "labels")}
    return Material.gathered(folder, {**asked, "positions": most}, make)


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


def preferred(splits: Collection[str]) -> str:
    """By games, where games are known."""
    return "games" if "games" in splits else "positions"


def name_of(variant: Variant, split: str) -> str:
    """Of a lesson, such as a-letter-games."""
    return f"{variant.name}-{split}"


# --- What was taught --------------------------------------------------------------------------------------------------


def taught(lab: Lab) -> Course:
    """The course of the experiment `networks`: NotFound if that was not made."""
    return Course.read(lab.folder / lab.result("networks")["course"])


def splits(lab: Lab) -> list[str]:
    """Of that course."""
    return list(lab.result("networks")["splits"])


def has_weights(course: Course, lesson: str) -> bool:
    """Is the network of a lesson here? A report may come back alone from where it was taught."""
    return lesson in course.lessons and course.report(lesson) is not None and (course.where(lesson) / LEARNED).exists()


def brain(lab: Lab, course: Course, lesson: str) -> Path:
    """The file of the brain that came of a lesson."""
    path = lab.folder / BRAINS / f"{lesson}.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"name": f"sheehan2016 {lesson}", "recipe": "okapi paper sheehan2016"}
    replace_file(path, graduate(course.folder, lesson, card))
    leave_disagreements_of(lab, course, lesson, path)
    return path
