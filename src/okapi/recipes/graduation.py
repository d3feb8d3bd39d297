"""From a lesson to a brain: what was learned, with a card, as a file that plays."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okapi.brains.writing import brain_file
from okapi.core import version
from okapi.errors import NotFound
from okapi.models.express import Expressed
from okapi.recipes.course import Course, Lesson
from okapi.recipes.games_course import Spectacle
from okapi.training.supervised import Report, read_learned

__all__ = ["brain_of", "graduate"]


def graduate(folder: Path, name: str, card: Mapping[str, str]) -> bytes:
    """The brain of a finished lesson of a course: NotFound if it is not finished.

    Kind, encoding, layers, output, settings, data and curve are the lesson's; `card` has the name, the recipe and
    whatever else is to be said.
    """
    course = Course.read(folder)
    report = course.report(course.named([name])[0])
    if report is None:
        raise NotFound(f"the lesson `{name}` in `{folder}` is not finished", hint="study it first")
    told = {"name": name, **card}
    return brain_of(course.lessons[name], read_learned(course.where(name)), report, course.output(name), told)


def brain_of(
    lesson: Lesson | Spectacle,
    learned: Expressed,
    report: Report,
    output: Mapping[str, Any],
    card: Mapping[str, str],
    settings: Mapping[str, Any] | None = None,
) -> bytes:
    """A brain's file; `settings` are what else decided what it became. The same work gives the same bytes."""
    dense = all(layer["do"] == "dense" for layer in learned.layers)
    curve = [{key: _short(value) for key, value in entry.items() if key != "seconds"} for entry in report.curve]
    entries = {
        "made_with": f"okapi {version}",
        **card,
        "kind": "perceptron" if dense else "convolutional",
        "encoding": lesson.plan.encoding,
        "layers": json.dumps(learned.layers),
        "output": json.dumps(output),
        "settings": json.dumps({**lesson.as_json(), **(settings or {})}, default=str),
        "seed": str(lesson.plan.seed),
        "data": json.dumps(report.about["data"]),
        "curve": json.dumps(curve),
        "test": json.dumps({key: _short(value) for key, value in report.test.items() if key != "confusion"}),
    }
    return brain_file(entries, learned.tensors)


def _short(number: float) -> float:
    return float(f"{number:.6g}") if isinstance(number, float) else number
