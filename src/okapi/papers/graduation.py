"""From a lesson to a brain: what was learned, with a passport, as a file that plays."""

import json
from collections.abc import Mapping
from pathlib import Path

from okapi.brains.writing import brain_file
from okapi.core import version
from okapi.errors import NotFound
from okapi.learn.supervised import read_learned
from okapi.papers.arrays import TRAIN
from okapi.papers.course import Course

__all__ = ["graduate"]


def graduate(folder: Path, name: str, passport: Mapping[str, str]) -> bytes:
    """The brain of a finished lesson of a course: NotFound if it is not finished.

    Kind, encoding, layers, output, settings, data and curve are the lesson's; `passport` has the name, the recipe and
    whatever else is to be said.
    """
    course = Course.read(folder)
    report = course.report(course.named([name])[0])
    if report is None:
        raise NotFound(f"the lesson `{name}` in `{folder}` is not finished", hint="study it first")
    lesson, learned = course.lessons[name], read_learned(course.where(name))
    dense = all(layer["do"] == "dense" for layer in learned.layers)
    entries = {
        "name": name,
        "made_with": f"okapi {version}",
        **passport,
        "kind": "perceptron" if dense else "convolutional",
        "encoding": lesson.plan.encoding,
        "layers": json.dumps(learned.layers),
        "output": json.dumps(course.output(name)),
        "settings": json.dumps(lesson.as_json()),
        "seed": str(lesson.plan.seed),
        "data": json.dumps({"positions": len(course.part(name, TRAIN)), "fingerprints": report.about["data"]}),
        "curve": json.dumps([{key: _short(value) for key, value in entry.items()} for entry in report.curve]),
        "test": json.dumps({key: value for key, value in report.test.items() if key != "confusion"}),
    }
    return brain_file(entries, learned.tensors)


def _short(number: float) -> float:
    return float(f"{number:.6g}") if isinstance(number, float) else number
