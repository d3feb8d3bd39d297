"""
A course: labelled positions, or games, and the lessons that are to be had with them, in a folder that can be carried
elsewhere.

    python -m okapi.recipes.course FOLDER                    # on a machine with torch and this checkout, and no more
    python -m okapi.recipes.course FOLDER --at-once 4 --seconds 500
    python -m okapi.recipes.course FOLDER --pack OUT.tar --weights net-a

Each lesson trains one network in a folder of its own. What is finished is kept, what was broken off goes on.
"""

import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from typing import Any, Final, Self, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.errors import InvalidText, NotFound, OkapiError, Unfinished, UsageError, did_you_mean
from okapi.files import replace_file
from okapi.recipes.arrays import TEST, TRAIN, VALIDATION, read_array, unpack_arrays, write_array
from okapi.recipes.targets import Target
from okapi.training.supervised import Lessons, Now, Plan, Report, learn
from okapi.training.supervised.start import lesson_of

__all__ = [
    "COURSE",
    "POSITIONS",
    "VALUES",
    "Course",
    "Lesson",
    "Studies",
    "Told",
    "open_course",
    "read_lessons",
    "study",
    "write_course",
    "write_lessons",
]

COURSE: Final = "course.json"
POSITIONS: Final = "positions"
VALUES: Final = "values"
PARTS: Final = "parts-{}"
"""The arrays: packed positions, centipawns for the mover, and what each position is for in a split of that name."""

TURN: Final = 24
"""The byte of a packed position that says who is to move."""

Told = Callable[[str, Now], object]
"""Is told of a lesson, and how it goes."""

AnyLesson = TypeVar("AnyLesson")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A network to be trained: how, to say what, and on which split of the positions."""

    plan: Plan
    target: Target
    parts: str

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError."""
        try:
            return cls(Plan.from_json(told["plan"]), Target.from_json(told["target"]), str(told["parts"]))
        except (KeyError, TypeError) as error:
            raise UsageError(f"a lesson is not whole: {error}", hint="it has a plan, a target and parts") from None

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {"plan": self.plan.as_json(), "target": self.target.as_json(), "parts": self.parts}


@dataclass(frozen=True, eq=False)
class Studies(ABC):
    """The lessons of a folder, whatever they are about."""

    folder: Path
    lessons: Mapping[str, Any]
    """Each has a plan."""

    @abstractmethod
    def taught(self, name: str, number: int) -> Lessons:
        """Positions and targets of one part of a lesson."""

    def have(self, name: str, device: str, watch: Callable[[Now], object], stop: Callable[[], bool]) -> None:
        """Have one lesson, as far as `stop` lets it go: Unfinished."""
        train, validation, test = (self.taught(name, part) for part in (TRAIN, VALIDATION, TEST))
        plan = self.lessons[name].plan
        learn(plan, train, validation, test, self.where(name), device=device, watch=watch, stop=stop)

    def waits_for(self, name: str) -> str | None:
        """The lesson that has to be had before."""
        return lesson_of(self.lessons[name].plan.start)

    def named(self, names: Sequence[str]) -> list[str]:
        """These lessons, or all of them."""
        for name in names:
            if name not in self.lessons:
                raise UsageError(f"the course has no lesson `{name}`", hint=did_you_mean(name, self.lessons))
        return [name for name in self.lessons if not names or name in names]

    def where(self, name: str) -> Path:
        """The folder of a lesson."""
        return self.folder / name

    def report(self, name: str) -> Report | None:
        """What came of a lesson, if it is over."""
        return Report.read(self.where(name))


@dataclass(frozen=True, eq=False)
class Course(Studies):
    """A course of labelled positions, as its folder tells it."""

    lessons: Mapping[str, Lesson]
    positions: NDArray[np.uint8]
    values: NDArray[np.int16]

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound, InvalidText. Arrays that came compressed are unpacked beside themselves, once."""
        unpack_arrays(folder)
        lessons = read_lessons(folder, Lesson.from_json)
        positions, values = read_array(folder, POSITIONS), read_array(folder, VALUES)
        if positions.ndim != 2 or positions.shape[1] != 32 or values.shape != positions.shape[:1]:
            raise InvalidText(f"the course in `{folder}` has {positions.shape} positions, {values.shape} values")
        return cls(folder, lessons, positions, values)

    def part(self, name: str, number: int) -> NDArray[np.int64]:
        """The rows of one part of a lesson."""
        split = self.lessons[name].parts
        parts = read_array(self.folder, PARTS.format(split))
        if parts.shape != self.values.shape:
            raise InvalidText(f"the split `{split}` is for {len(parts)} positions, not {len(self.values)}")
        return np.flatnonzero(parts == number)

    def taught(self, name: str, number: int) -> Lessons:
        """Positions and targets of one part of a lesson."""
        rows = self.part(name, number)
        positions = self.positions[rows]
        return Lessons(positions, self.lessons[name].target.of(self.values[rows], positions[:, TURN]))

    def output(self, name: str) -> dict[str, Any]:
        """How the answers of a lesson's network are to be read: from the training samples."""
        rows = self.part(name, TRAIN)
        return self.lessons[name].target.output(self.values[rows], self.positions[rows, TURN])


def open_course(folder: Path) -> Studies:
    """The course of a folder: of games or inner nodes of searches if it has any, else of labelled positions."""
    from okapi.recipes.games_course import GamesCourse
    from okapi.recipes.moves_course import MovesCourse

    if GamesCourse.is_one(folder):
        return GamesCourse.read(folder)
    return MovesCourse.read(folder) if MovesCourse.is_one(folder) else Course.read(folder)


def read_lessons(folder: Path, read: Callable[[Mapping[str, Any]], AnyLesson]) -> dict[str, AnyLesson]:
    """The lessons that course.json lists: InvalidText."""
    try:
        told = json.loads((folder / COURSE).read_bytes())
        return {name: read(lesson) for name, lesson in told["lessons"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidText(f"`{folder}` holds no course: {error}", hint="write_course makes one") from None


def write_lessons(folder: Path, lessons: Mapping[str, Any]) -> None:
    """List them in course.json."""
    told = {"lessons": {name: lesson.as_json() for name, lesson in lessons.items()}}
    replace_file(folder / COURSE, json.dumps(told, indent=1).encode())


def write_course(
    folder: Path,
    positions: NDArray[Any],
    values: NDArray[Any],
    parts: Mapping[str, NDArray[Any]],
    lessons: Mapping[str, Lesson],
    *,
    compressed: bool = False,
) -> Course:
    """Write a course, or the same one again, or more lessons into it: UsageError if it has other positions.

    `positions` are packed, `values` centipawns for the mover, each of `parts` a byte for each position.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = np.ascontiguousarray(positions).view(np.uint8).reshape(-1, 32)
    arrays: dict[str, NDArray[Any]] = {POSITIONS: rows, VALUES: values.astype(np.int16)}
    arrays |= {PARTS.format(name): part.astype(np.uint8) for name, part in parts.items()}
    for name, array in arrays.items():
        _write_once(folder, name, array, compressed)
    for name, lesson in lessons.items():
        if lesson.parts not in parts:
            raise UsageError(f"lesson `{name}` is split by `{lesson.parts}`", hint=did_you_mean(lesson.parts, parts))
    write_lessons(folder, lessons)
    return Course.read(folder)


def study(
    folder: Path,
    names: Sequence[str] = (),
    *,
    device: str = "auto",
    at_once: int = 1,
    seconds: float | None = None,
    watch: Told = lambda name, now: None,
) -> dict[str, Report]:
    """Have all lessons of a course, or some; their reports.

    With `at_once`, as many processes share the device; lessons that start from another one come after it. After
    `seconds` everything is kept and Unfinished raised. A lesson that fails does not keep the others from going on; its
    error is raised in the end.
    """
    course = open_course(folder)
    until = None if seconds is None else time.time() + seconds
    wanted = course.named(names)
    left = [name for name in wanted if course.report(name) is None]
    failed: dict[str, OkapiError] = {}
    for some in _in_turn(course, left):
        if at_once == 1 or len(some) < 2:
            failed |= _one_by_one(course, some, device, until, watch)
        else:
            failed |= _side_by_side(folder, some, device, until, at_once, watch)
    if failed:
        name, error = next(iter(failed.items()))
        kind = Unfinished if all(isinstance(each, Unfinished) for each in failed.values()) else type(error)
        raise kind(f"{len(failed)} of {len(wanted)} lessons are not finished; {name}: {error}", hint=error.hint)
    reports = {name: course.report(name) for name in wanted}
    return {name: report for name, report in reports.items() if report is not None}


def _in_turn(course: Studies, names: Sequence[str]) -> Iterator[list[str]]:
    """Lessons that do not wait for each other, then those that start from one of them, and so on."""
    left = list(names)
    while left:
        waiting = [name for name in left if course.waits_for(name) in left]
        yield [name for name in left if name not in waiting] or left
        left = waiting if len(waiting) < len(left) else []


def _one_by_one(
    course: Studies, names: Iterable[str], device: str, until: float | None, watch: Told
) -> dict[str, OkapiError]:
    failed: dict[str, OkapiError] = {}
    for name in names:
        try:
            _have(course, name, device, until, watch)
        except OkapiError as error:
            failed[name] = error
    return failed


def _have(course: Studies, name: str, device: str, until: float | None, watch: Told) -> None:
    if until is not None and time.time() >= until:
        raise Unfinished("the time was over before it began", hint="ask for the same again to go on")
    course.have(name, device, lambda now: watch(name, now), lambda: until is not None and time.time() >= until)


def _side_by_side(
    folder: Path, names: Sequence[str], device: str, until: float | None, at_once: int, watch: Told
) -> dict[str, OkapiError]:
    context = get_context("spawn")
    told: Queue[tuple[str, Now]] = context.Queue()
    threads = max(1, (os.cpu_count() or 1) // at_once)
    failed: dict[str, OkapiError] = {}
    with ProcessPoolExecutor(at_once, context, _sit_down, (told, threads)) as pool:
        lessons: dict[Future[None], str] = {
            pool.submit(_have_elsewhere, folder, name, device, until): name for name in names
        }
        left = set(lessons)
        while left:
            done, left = wait(left, timeout=0.5, return_when=FIRST_COMPLETED)
            for name, now in _waiting(told):
                watch(name, now)
            for future in done:
                error = future.exception()
                if isinstance(error, OkapiError):
                    failed[lessons[future]] = error
                elif error is not None:
                    raise error
    return failed


_told: "Queue[tuple[str, Now]] | None" = None
"""In a process of the pool: where its parent listens."""


def _sit_down(told: "Queue[tuple[str, Now]]", threads: int) -> None:
    global _told
    _told = told
    torch.set_num_threads(threads)


def _have_elsewhere(folder: Path, name: str, device: str, until: float | None) -> None:
    _have(open_course(folder), name, device, until, lambda name, now: _told.put((name, now)) if _told else None)


def _waiting(told: "Queue[tuple[str, Now]]") -> Iterable[tuple[str, Now]]:
    while True:
        try:
            yield told.get_nowait()
        except Empty:
            return


def _write_once(folder: Path, name: str, array: NDArray[Any], compressed: bool) -> None:
    """An array that other lessons of the course rely on is never replaced by another one."""
    try:
        found = read_array(folder, name)
    except NotFound:
        write_array(folder, name, array, compressed=compressed)
        return
    if not np.array_equal(found, array):
        raise UsageError(f"`{name}` in `{folder}` is something else", hint="choose another folder")


if __name__ == "__main__":
    from okapi.recipes.course_command import main

    raise SystemExit(main())
