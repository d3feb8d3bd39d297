"""
A paper's lessons, had here or elsewhere: the course is written, and studied where that is sensible.

At full size that is a machine with a GPU: the folder is carried there and back, and the same command goes on.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.papers.arrays import TEST, TRAIN, VALIDATION
from okapi.papers.course import Course, Lesson, study, write_course
from okapi.papers.lab import Lab
from okapi.papers.words import counted

__all__ = ["Left", "course_at", "have", "sizes", "told"]

COURSES: Final = "courses"


class Left(Exception):
    """Lessons that were not had yet, and are not to be had on this machine."""


def course_at(
    folder: Path,
    positions: NDArray[Any],
    values: NDArray[np.int16],
    parts: Mapping[str, NDArray[np.uint8]],
    lessons: Mapping[str, Lesson],
) -> Course:
    """A course with these lessons; those that another paper put in the same folder stay."""
    others = Course.read(folder).lessons if (folder / "course.json").exists() else {}
    splits = {lesson.parts for lesson in others.values()} - set(parts)
    kept = {name: np.load(folder / f"parts-{name}.npy") for name in splits}
    return write_course(folder, positions, values, {**kept, **parts}, {**others, **lessons})


def have(lab: Lab, course: Course, names: list[str], *, device: str = "auto", at_once: int = 1) -> None:
    """Have these lessons of a course, as far as they were not had yet.

    Left, where that would take a CPU days: at full size without a GPU, if nobody insists on a device.
    """
    import torch  # here, because it takes seconds, and a course that was had elsewhere needs none of it

    left = [name for name in names if course.report(name) is None]
    if not left:
        return
    if lab.size == "full" and device == "auto" and not torch.cuda.is_available():
        where = course.folder if lab.folder not in course.folder.parents else Path(lab.inside(course.folder))
        raise Left(
            f"{counted(len(left), 'lesson')} of `{where}` are for a machine with a GPU: there "
            f"`python -m okapi.papers.course {where.name}`, then the same command here"
        )
    torch.set_num_threads(lab.crew.hands)
    study(
        course.folder,
        left,
        device=device,
        at_once=at_once,
        watch=lambda name, now: lab.tell(
            f"{name}, lesson {1 + left.index(name)} of {len(left)}: epoch {now.epoch} of {now.epochs}, "
            f"{now.samples_per_second:,.0f} positions a second"
        ),
    )


def told(course: Course, name: str) -> dict[str, Any]:
    """A lesson's report, for results: without confusion matrices and training samples."""
    report = course.report(name)
    assert report is not None
    parts = {
        part: {key: value for key, value in getattr(report, part).items() if key != "confusion"}
        for part in ("train", "validation", "test")
    }
    about = {
        key: getattr(report, key) for key in ("epochs", "best_epoch", "seconds", "samples_per_second", "device", "busy")
    }
    return {**parts, **about, "curve": [dict(entry) for entry in report.curve]}


def sizes(split: NDArray[np.uint8]) -> dict[str, int]:
    """How many positions each part has."""
    return {
        name: int((split == part).sum())
        for name, part in (("train", TRAIN), ("validation", VALIDATION), ("test", TEST))
    }
