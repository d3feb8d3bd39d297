"""Look on while a run goes on: reads what is new in its folder, and nothing twice."""

import json
import math
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from okapi.data.runs import ABOUT, LOG, SAMPLES, About, is_at_work

__all__ = ["Follower", "Lines", "Point", "finite", "runs_in", "stamp"]

MOST_POINTS: Final = 1000
"""Kept of a log; a longer one is thinned out evenly."""

MOST_CURVES: Final = 32
MOST_SAMPLES: Final = 8
TAIL: Final = 1 << 16
"""Bytes of the end of a log from which can be told where a run stands."""

AT_ONCE: Final = 1 << 21
"""Bytes that are read in one look; a longer log takes several."""


@dataclass(frozen=True, slots=True)
class Point:
    """A line of the log."""

    step: float
    at: float
    numbers: dict[str, float]


class Curve:
    """One number of a log: all its points, or so many of them, evenly, and the last one."""

    def __init__(self) -> None:
        self._points: list[tuple[float, float]] = []
        self._last: tuple[float, float] | None = None
        self._stride = 1
        self._seen = 0

    def add(self, step: float, value: float) -> None:
        """A step that is not beyond the last one takes the place of it and of all that came after."""
        if self._last is not None and step <= self._last[0]:
            self._points = [kept for kept in self._points if kept[0] < step]
        self._last = (step, value)
        if self._seen % self._stride == 0:
            self._points.append(self._last)
        self._seen += 1
        if len(self._points) > MOST_POINTS:
            self._points = self._points[::2]
            self._stride *= 2

    @property
    def whole(self) -> tuple[list[float], list[float]]:
        """Steps and values."""
        newest = [] if self._last is None or self._points[-1:] == [self._last] else [self._last]
        points = [*self._points, *newest]
        return [step for step, _ in points], [value for _, value in points]


class Follower:
    """What is known of one run. With `whole` all of its log, else its end, which is enough to tell where it stands."""

    def __init__(self, folder: Path, *, whole: bool = True) -> None:
        self.name = folder.name
        self.about = About(kind="")
        self.last: Point | None = None
        self.samples: deque[dict[str, Any]] = deque(maxlen=MOST_SAMPLES)
        self._folder = folder
        self._log = Lines(folder / LOG, from_end=None if whole else TAIL)
        self._sampled = Lines(folder / SAMPLES, from_end=TAIL)
        self._curves: dict[str, Curve] = {}
        self._first: Point | None = None
        """Since the run was last taken up."""
        self._written: tuple[int, int] | None = None

    def look(self) -> bool:
        """Read what is new; is there anything? OkapiError if there is no run any more."""
        changed = self._look_at_about()
        for line in self._log.new():
            changed |= self._add(line)
        for sample in self._sampled.new():
            if isinstance(sample.get("fen"), str):
                self.samples.append(sample)
                changed = True
        return changed

    @property
    def left_s(self) -> float | None:
        """Seconds that are still needed, if it goes on as it did since it was last taken up."""
        about, first, last = self.about, self._first, self.last
        if about.state != "running" or about.total is None or first is None or last is None:
            return None
        if last.step <= first.step or last.at <= first.at:
            return None
        return max(0.0, (about.total - last.step) * (last.at - first.at) / (last.step - first.step))

    @property
    def curves(self) -> dict[str, tuple[list[float], list[float]]]:
        """For each number that is logged, its steps and its values."""
        return {name: curve.whole for name, curve in self._curves.items()}

    def _look_at_about(self) -> bool:
        before = self.about
        status = stamp(self._folder / ABOUT)
        if status != self._written or status is None:
            self.about, self._written = About.read(self._folder), status
        if self.about.state == "running" and not is_at_work(self._folder):
            self.about = replace(self.about, state="stopped")
            self._written = None  # it may be taken up again
        if self.about.sessions != before.sessions:
            self._first = None
        return self.about != before

    def _add(self, line: dict[str, Any]) -> bool:
        point = _point(line)
        if point is None:
            return False
        for name, number in point.numbers.items():
            if name in self._curves or len(self._curves) < MOST_CURVES:
                self._curves.setdefault(name, Curve()).add(point.step, number)
        if self.last is None or not _is_late(point, self.last):
            self.last = point
        if self._first is None and point.at >= (self.about.sessions[-1] if self.about.sessions else 0.0):
            self._first = point
        return True


def _is_late(point: Point, last: Point) -> bool:
    """Was it measured beside the work, and tells of a step that the work has left behind?"""
    return point.step <= last.step and not point.numbers.keys() & last.numbers.keys()


def runs_in(folder: Path, most: int) -> list[Path]:
    """The runs in a folder, the one that was last written to first."""
    try:
        found = [(_touched(path), path) for path in folder.iterdir()]
    except OSError:
        return []
    return [path for touched, path in sorted(found, reverse=True) if touched][:most]


class Lines:
    """The whole lines of a growing file of JSON, each once; nonsense is skipped."""

    def __init__(self, path: Path, *, from_end: int | None = None) -> None:
        """With `from_end` it begins so many bytes before the end."""
        self._path = path
        self._from_end = from_end
        self._at: int | None = None

    def new(self) -> Iterator[dict[str, Any]]:
        """Those that came since the last time. A file that has become shorter is read from its beginning."""
        try:
            with self._path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                if self._at is None or size < self._at:
                    self._at = 0 if self._from_end is None else max(0, size - self._from_end)
                file.seek(self._at)
                data = file.read(AT_ONCE)
        except OSError:
            return
        whole = data[: data.rfind(b"\n") + 1]
        self._at += len(whole) or (len(data) if len(data) == AT_ONCE else 0)  # nobody writes a line that long
        for line in whole.splitlines():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                yield found


def finite(value: Any) -> float | None:
    """A number of a file as JSON may tell it to a page; nothing if it is none.

    >>> finite(3), finite(True), finite("3"), finite(float("nan"))
    (3.0, None, None, None)
    """
    try:
        number = float(value) if type(value) in (int, float) else math.nan
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _point(line: dict[str, Any]) -> Point | None:
    told = {name: finite(value) for name, value in line.items()}
    numbers = {name: number for name, number in told.items() if number is not None}
    step, at = numbers.pop("step", None), numbers.pop("at", None)
    return None if step is None or at is None else Point(step, at, numbers)


def _touched(folder: Path) -> float:
    """When a run was last written to; 0 if this is none."""
    about, log = stamp(folder / ABOUT), stamp(folder / LOG)
    return 0.0 if about is None else max(about[0], log[0] if log else 0)


def stamp(path: Path) -> tuple[int, int] | None:
    """Another one when the file was written again; nothing if it is not there."""
    try:
        status = path.stat()
        return status.st_mtime_ns, status.st_ino
    except OSError:
        return None
