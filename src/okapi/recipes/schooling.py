"""
A paper's lessons, had here or elsewhere: the course is written, and studied where that is sensible.

At full size that is a machine with a GPU: the folder is carried there and back, and the same command goes on.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.core.packed import POSITION, rows
from okapi.errors import UsageError
from okapi.formats.numbers import counted
from okapi.recipes.arrays import PARTS, read_array, unpack_arrays
from okapi.recipes.course import COURSE, POSITIONS, VALUES, Course, Lesson, Studies, study, write_course
from okapi.recipes.lab import Lab, write_text
from okapi.recipes.labelled import Labelled, neighbours

__all__ = ["Left", "Material", "have", "told"]

ABOUT: Final = "labels.json"
"""In the folder of a course: where its positions come from, and what was asked for."""

Split = NDArray[np.uint8]
TOLD: Final = ("epochs", "best_epoch", "seconds", "samples_per_second", "device", "busy")


class Left(Exception):
    """Lessons that nobody had yet, and that are not for this machine."""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What a course is made of: labelled positions, and ways to split them."""

    labels: Labelled
    parts: Mapping[str, Split]
    about: Mapping[str, Any]
    """Where the positions come from."""

    @classmethod
    def gathered(
        cls, folder: Path, asked: Mapping[str, Any], make: Callable[[], tuple[Labelled, Mapping[str, Split]]]
    ) -> Self:
        """What lies in a course's folder, or what is made now: UsageError if the folder was made for something else.

        A folder that somebody else filled with arrays says nothing about what was asked for, and is taken as it is.
        """
        path = folder / ABOUT
        if (folder / COURSE).exists() or (any(folder.glob(f"{POSITIONS}.npy*")) and not path.exists()):
            known = json.loads(path.read_text()) if path.exists() else {}
            if known.get("asked", asked) != asked:
                hint = "choose another folder with --out"
                raise UsageError(f"`{folder}` has positions for {known['asked']}", hint=hint)
            return cls._there(folder, known.get("about", {"labels": folder.name}))
        labels, parts = make()
        folder.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps({"asked": asked, "about": labels.about()}, indent=1))
        return cls(labels, parts, labels.about())

    @classmethod
    def _there(cls, folder: Path, about: Mapping[str, Any]) -> Self:
        unpack_arrays(folder)
        positions = read_array(folder, POSITIONS).view(POSITION)[:, 0]
        nothing = np.zeros(len(positions), np.bool_)
        labels = Labelled(
            name=str(about["labels"]),
            positions=positions,
            values=read_array(folder, VALUES),
            games=None,
            plies=np.full(len(positions), -1),
            random=nothing,
        )
        splits = [file.stem for file in sorted(folder.glob("parts-*.npy"))]
        parts = {split.removeprefix("parts-"): read_array(folder, split) for split in splits}
        return cls(labels, parts, {**labels.about(), **about})

    def course(self, folder: Path, lessons: Mapping[str, Lesson]) -> Course:
        """With these lessons; those that others put in the same folder stay."""
        others = Course.read(folder).lessons if (folder / COURSE).exists() else {}
        return write_course(folder, rows(self.labels.positions), self.labels.values, self.parts, {**others, **lessons})

    def told(self, split: str) -> dict[str, Any]:
        """For results: the data, the sizes of the parts of a split, and how much of the test was seen in training."""
        part = self.parts[split]
        near = neighbours(self.labels, part)
        return {
            "data": dict(self.about),
            "parts": {name: int((part == number).sum()) for name, number in PARTS.items()},
            "neighbours": {"test": near.test, "near": near.near, "share": round(near.share, 4)},
        }


def have(lab: Lab, course: Studies, names: Sequence[str], *, device: str = "auto", at_once: int = 1) -> None:
    """Have these lessons of a course, as far as nobody had them yet.

    Left, where that would take a CPU days: at full size without a GPU, if nobody insists on a device.
    """
    left = [name for name in names if course.report(name) is None]
    if not left:
        return
    if lab.size == "full" and device == "auto" and not torch.cuda.is_available():
        inside = course.folder.is_relative_to(lab.folder)
        where = lab.inside(course.folder) if inside else course.folder.name
        raise Left(
            f"{counted(len(left), 'lesson')} of `{where}` are for a machine with a GPU: there "
            f"`python -m okapi.recipes.course {course.folder.name}`, then the same command here"
        )
    torch.set_num_threads(lab.executor.workers)
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
    """A lesson's report, for results: without confusion matrices."""
    report = course.report(name)
    assert report is not None
    parts = {
        part: {key: value for key, value in getattr(report, part).items() if key != "confusion"}
        for part in ("train", "validation", "test")
    }
    about = {key: getattr(report, key) for key in TOLD}
    return {**parts, **about, "curve": [dict(entry) for entry in report.curve]}
