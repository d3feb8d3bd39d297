"""A run: the folder in which long work logs its progress, and its reader. docs/reference/runs.md has the format."""

import json
import math
import os
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Generic, Literal, Self, TypeVar

from okapi.brains.library import RUN_FILE, RUN_LOCK, is_running
from okapi.core import Color, Position, Value
from okapi.errors import InvalidText, NotFound, Unfinished, UsageError
from okapi.files import lock_file

LOG_FILE: Final = "log.jsonl"
SAMPLES_FILE: Final = "samples.jsonl"
LOCK_TIMEOUT_S: Final = 1.0  # a reader that checks the lock holds it for a moment
Item = TypeVar("Item")
State = Literal["running", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    kind: str  # train, evolve, label, match, …
    title: str = ""  # a name to show; the name of the folder if empty
    unit: str = "steps"  # what a step is
    total: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    sessions: tuple[float, ...] = ()  # times of the start and of each resumption: seconds since 1970
    state: State = "running"
    note: str = ""  # why it failed, or another remark about the end

    @classmethod
    def read(cls, folder: Path | str) -> Self:
        """NotFound if there is none, InvalidText if it is damaged."""
        folder = Path(folder)
        try:
            found = json.loads((folder / RUN_FILE).read_bytes())
            return cls(**{**found, "sessions": tuple(map(float, found["sessions"]))})
        except OSError as error:
            raise NotFound(f"`{folder}` is not a run: {error.strerror}") from None
        except (ValueError, TypeError, KeyError):
            raise InvalidText(f"`{folder / RUN_FILE}` is damaged", hint="delete the folder") from None

    def write(self, folder: Path) -> None:
        new = folder / f"{RUN_FILE}.new"
        new.write_text(json.dumps(asdict(self), indent=1, default=str), encoding="utf-8")
        new.replace(folder / RUN_FILE)


class Run:
    """Writes a run. As a context manager it records the end: done, stopped (Ctrl-C), or failed.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "bowl"
    >>> with Run.start(folder, "train", total=2) as run:
    ...     run.log(step=1, loss=0.5)
    ...     run.log(step=2, loss=0.25)
    >>> RunInfo.read(folder).state, (folder / LOG_FILE).read_text().count("loss")
    ('done', 2)
    """

    def __init__(self, folder: Path, about: RunInfo, lock: BinaryIO) -> None:
        self.folder, self._about, self._lock = folder, about, lock
        self._log = _open_lines(folder / LOG_FILE)

    @classmethod
    def start(
        cls,
        folder: Path | str,
        kind: str,
        *,
        total: float | None = None,
        unit: str = "steps",
        title: str = "",
        settings: Mapping[str, Any] | None = None,
    ) -> Self:
        """Start a run, or resume one: its log is kept. UsageError if another program writes it."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / RUN_LOCK).open("ab")
        if not lock_file(lock, LOCK_TIMEOUT_S):
            lock.close()
            raise UsageError(f"another program writes the run `{folder}`", hint="wait for it, or choose another folder")
        about = RunInfo(kind=kind, title=title, unit=unit, total=total, settings=dict(settings or {}))
        with suppress(NotFound, InvalidText):
            about = replace(about, sessions=RunInfo.read(folder).sessions)
        about = replace(about, sessions=(*about.sessions, time.time()))
        about.write(folder)
        return cls(folder, about, lock)

    def log(self, step: float, **numbers: float | None) -> None:
        """Log numbers at a step; one that is not known, or not finite, is left out. x_low and x_high bound x.

        A step that is not beyond the last one of a number replaces that one and all later ones: work that was killed
        resumes from a checkpoint that may be older than the end of the log.
        """
        known = {name: number for name, number in numbers.items() if number is not None and math.isfinite(number)}
        _append(self._log, {"step": step, "at": round(time.time(), 3), **known})

    def sample(
        self, position: Position, value: Value | None = None, *, step: float | None = None, note: str = ""
    ) -> None:
        white = None if value is None else round(value.seen_by(Color.WHITE), 4)
        with _open_lines(self.folder / SAMPLES_FILE) as file:
            _append(file, {"fen": position.fen(), "white": white, "step": step, "note": note, "at": time.time()})

    def set_total(self, total: float) -> None:
        if total != self._about.total:
            self._about = replace(self._about, total=total)
            self._about.write(self.folder)

    def finish(self, state: State = "done", note: str = "") -> None:
        replace(self._about, state=state, note=note).write(self.folder)
        self._log.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        failed = isinstance(error, Exception) and not isinstance(error, Unfinished)
        state: State = "done" if error is None else "failed" if failed else "stopped"
        self.finish(state, f"{error}" if failed else "")


def _open_lines(path: Path) -> BinaryIO:
    """Open a file for appending lines; an incomplete last line, left by a kill, is cut off."""
    file = path.open("ab+", buffering=0)  # each line is written by one call
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - (1 << 16)))
    tail = file.read()
    if tail and not tail.endswith(b"\n"):
        file.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
    return file


def _append(file: BinaryIO, line: Mapping[str, Any]) -> None:
    file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


def snapshot_steps(total: int, count: int) -> list[int]:
    """The steps after which a training is kept: at most count + 1, 0 and the last among them, dense at first."""
    return sorted({round(total * (number / count) ** 3) for number in range(count + 1)}) if count else []


# --- Reading a run while it is written --------------------------------------------------------------------------------

MOST_POINTS: Final = 1000  # kept of a log; a longer one is thinned out evenly
MOST_CURVES: Final = 32
MOST_SAMPLES: Final = 8
TAIL: Final = 1 << 16  # bytes at the end of a log that are enough for the current state of a run
BYTES_AT_ONCE: Final = 1 << 21  # bytes read in one call of look(); a longer log takes several


@dataclass(frozen=True, slots=True)
class LogPoint:
    step: float
    at: float
    numbers: dict[str, float]


class ThinnedSeries(Generic[Item]):
    """Items with their steps, in order: at most `most` of them, evenly thinned, and the last one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[float, Item]] = []
        self._last: list[tuple[float, Item]] = []  # None or one
        self._stride, self._seen = 1, 0

    def add(self, step: float, item: Item) -> None:
        """A step that is not beyond the last one replaces that one and all later ones."""
        if self._last and step <= self._last[0][0]:
            self._kept = [kept for kept in self._kept if kept[0] < step]
        self._last = [(step, item)]
        if self._seen % self._stride == 0:
            self._kept += self._last
        self._seen += 1
        if len(self._kept) > self._most:
            self._kept = self._kept[::2]
            self._stride *= 2

    @property
    def items(self) -> list[tuple[float, Item]]:
        return self._kept if self._kept[-1:] == self._last else self._kept + self._last


class RunReader:
    """Reads a run while it grows. With `whole` the complete log, else its end, enough for the current state."""

    def __init__(self, folder: Path, name: str = "", *, whole: bool = True) -> None:
        self.name = name or folder.name
        self.about = RunInfo(kind="")
        self.last: LogPoint | None = None
        self.samples: deque[dict[str, Any]] = deque(maxlen=MOST_SAMPLES)
        self.folder = folder
        self._log = JsonLinesReader(folder / LOG_FILE, from_end=None if whole else TAIL)
        self._sampled = JsonLinesReader(folder / SAMPLES_FILE, from_end=TAIL)
        self._curves: dict[str, ThinnedSeries[float]] = {}
        self._first: LogPoint | None = None  # the first point since the run was last resumed
        self._written: tuple[int, int] | None = None

    def look(self) -> bool:
        """Read what is new; is there anything? OkapiError if the run is gone."""
        before, status = self.about, stamp(self.folder / RUN_FILE)
        if status != self._written or status is None:
            self.about, self._written = RunInfo.read(self.folder), status
        if self.about.state == "running" and not is_running(self.folder):
            self.about = replace(self.about, state="stopped")
            self._written = None  # it may be resumed
        if self.about.sessions != before.sessions:
            self._first = None
        changed = self.about != before
        for line in self._log.new():
            changed |= self._add(line)
        for sample in self._sampled.new():
            if isinstance(sample.get("fen"), str):
                self.samples.append(sample)
                changed = True
        return changed

    @property
    def left_s(self) -> float | None:
        """Estimate of the seconds left, from the speed since the run was last resumed."""
        about, first, last = self.about, self._first, self.last
        if about.state != "running" or about.total is None or first is None or last is None:
            return None
        passed, steps = last.at - first.at, last.step - first.step
        return max(0.0, (about.total - last.step) * passed / steps) if passed > 0 and steps > 0 else None

    @property
    def curves(self) -> dict[str, tuple[list[float], list[float]]]:
        points = {name: curve.items for name, curve in self._curves.items()}
        return {name: ([step for step, _ in some], [value for _, value in some]) for name, some in points.items()}

    def _add(self, line: dict[str, Any]) -> bool:
        found = {name: finite(value) for name, value in line.items()}
        numbers = {name: number for name, number in found.items() if number is not None}
        step, at = numbers.pop("step", None), numbers.pop("at", None)
        if step is None or at is None:
            return False
        for name, number in numbers.items():
            if name in self._curves or len(self._curves) < MOST_CURVES:
                self._curves.setdefault(name, ThinnedSeries(MOST_POINTS)).add(step, number)
        point, last = LogPoint(step, at, numbers), self.last
        # What was measured in the background, at a step that the work has passed, is not the last.
        if last is None or step > last.step or numbers.keys() & last.numbers.keys():
            self.last = point
        if self._first is None and at >= (self.about.sessions[-1] if self.about.sessions else 0.0):
            self._first = point
        return True


def runs_in(folders: Mapping[str, Path], most: int) -> dict[str, Path]:
    """Those of these folders that are runs, the most recently written first."""
    stamps = {name: [stamp(path / file) for file in (RUN_FILE, LOG_FILE)] for name, path in folders.items()}
    written = {name: max(filter(None, both))[0] for name, both in stamps.items() if both[0] is not None}
    latest = sorted(written, key=lambda name: (written[name], name), reverse=True)
    return {name: folders[name] for name in latest[:most]}


class JsonLinesReader:
    """Yields the complete lines of a growing JSON-lines file, each once; invalid ones are skipped."""

    def __init__(self, path: Path, *, from_end: int | None = None) -> None:
        """With `from_end`, start so many bytes before the end."""
        self._path, self._from_end = path, from_end
        self._at: int | None = None

    def new(self) -> Iterator[dict[str, Any]]:
        """Lines since the last call. A file that became shorter is read from its beginning."""
        try:
            with self._path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                if self._at is None or size < self._at:
                    self._at = 0 if self._from_end is None else max(0, size - self._from_end)
                file.seek(self._at)
                data = file.read(BYTES_AT_ONCE)
        except OSError:
            return
        whole = data[: data.rfind(b"\n") + 1]
        self._at += len(whole) or (len(data) if len(data) == BYTES_AT_ONCE else 0)  # no valid line is that long
        for line in whole.splitlines():
            with suppress(ValueError, RecursionError):
                if isinstance(found := json.loads(line), dict):
                    yield found


def finite(value: Any) -> float | None:
    """A number that JSON can represent; None for anything else.

    >>> finite(3), finite(True), finite("3"), finite(float("nan"))
    (3.0, None, None, None)
    """
    with suppress(OverflowError):
        return float(value) if type(value) in (int, float) and math.isfinite(value) else None
    return None


def stamp(path: Path) -> tuple[int, int] | None:
    """Changes when the file is written again; None if there is no file."""
    try:
        status = path.stat()
        return status.st_mtime_ns, status.st_ino
    except OSError:
        return None
