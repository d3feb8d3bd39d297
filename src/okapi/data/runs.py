"""A run: the folder in which long work says how it goes while it goes on. docs/runs.md says what is in it."""

import json
import math
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal, Self

from okapi.core import Color, Position, Value
from okapi.errors import InvalidText, NotFound, Unfinished, UsageError

__all__ = ["ABOUT", "LOG", "SAMPLES", "About", "Run", "is_at_work"]

ABOUT: Final = "run.json"
LOG: Final = "log.jsonl"
SAMPLES: Final = "samples.jsonl"
LOCK: Final = "lock"
"""Held by whoever writes; the system lets go of it when that process ends, however it ends."""

PATIENCE_S: Final = 1.0
"""Somebody who only looks holds the lock for a moment."""

State = Literal["running", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What run.json says."""

    kind: str
    """What is done: train, evolve, label, match, …"""
    title: str = ""
    """What people call it; the name of its folder if nothing is said."""
    unit: str = "steps"
    """What a step is."""
    total: float | None = None
    """Steps that there will be, if that is known."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    sessions: tuple[float, ...] = ()
    """When it was begun, and when it was taken up again: seconds since 1970."""
    state: State = "running"
    note: str = ""
    """Why it failed, or anything else that is to be said about the end."""

    @classmethod
    def read(cls, folder: Path | str) -> Self:
        """What a run says about itself: NotFound, InvalidText."""
        folder = Path(folder)
        try:
            found = json.loads((folder / ABOUT).read_bytes())
            about = cls(**{**found, "sessions": tuple(map(float, found["sessions"]))})
        except OSError as error:
            raise NotFound(f"`{folder}` holds no run: {error.strerror}") from None
        except (ValueError, TypeError, KeyError):
            raise InvalidText(f"`{folder / ABOUT}` is damaged", hint="throw the folder away") from None
        return about

    def write(self, folder: Path) -> None:
        """All at once: whoever reads meanwhile sees the old one."""
        new = folder / f"{ABOUT}.new"
        new.write_text(json.dumps(asdict(self), indent=1, default=str), encoding="utf-8")
        new.replace(folder / ABOUT)


class Run:
    """Writes a run. As a context it says how the work ended: done, stopped by Ctrl-C, or failed.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "bowl"
    >>> with Run.start(folder, "train", total=2) as run:
    ...     run.log(step=1, loss=0.5)
    ...     run.log(step=2, loss=0.25)
    >>> About.read(folder).state, (folder / LOG).read_text().count("loss")
    ('done', 2)
    """

    def __init__(self, folder: Path, about: About, lock: BinaryIO) -> None:
        """Begin with Run.start."""
        self.folder = folder
        self._about = about
        self._lock = lock
        self._log = _open_lines(folder / LOG)

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
        """Begin a run, or take it up again: what was written before stays. UsageError if somebody else writes it."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("ab")
        if not _take(lock, PATIENCE_S):
            lock.close()
            raise UsageError(f"another program writes the run `{folder}`", hint="wait for it, or choose another folder")
        try:
            before = About.read(folder).sessions
        except (NotFound, InvalidText):
            before = ()
        about = About(
            kind=kind,
            title=title,
            unit=unit,
            total=total,
            settings=dict(settings or {}),
            sessions=(*before, time.time()),
        )
        about.write(folder)
        return cls(folder, about, lock)

    def log(self, step: float, **numbers: float) -> None:
        """Say how things stand after so many steps. Numbers named x_low and x_high are the interval of x.

        At a step that is not beyond its last one, a number takes the place of that one and of all that came after: work
        that was killed goes on from an earlier point than the log does.
        """
        finite = {name: number for name, number in numbers.items() if math.isfinite(number)}
        _append(self._log, {"step": step, "at": round(time.time(), 3), **finite})

    def sample(
        self, position: Position, value: Value | None = None, *, step: float | None = None, note: str = ""
    ) -> None:
        """Show a position, what is thought of it, and a few words."""
        white = None if value is None else round(value.seen_by(Color.WHITE), 4)
        with _open_lines(self.folder / SAMPLES) as file:
            _append(file, {"fen": position.fen(), "white": white, "step": step, "note": note, "at": time.time()})

    def plan(self, total: float) -> None:
        """So many steps there will be, as is known now."""
        if total != self._about.total:
            self._about = replace(self._about, total=total)
            self._about.write(self.folder)

    def finish(self, state: State = "done", note: str = "") -> None:
        """Nothing more will be written."""
        replace(self._about, state=state, note=note).write(self.folder)
        self._log.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None:
            self.finish()
        elif isinstance(error, Exception) and not isinstance(error, Unfinished):
            self.finish("failed", f"{error}")
        else:
            self.finish("stopped")


def is_at_work(folder: Path) -> bool:
    """Does somebody still write this run? Where the system cannot tell, whoever said so is believed."""
    try:
        with (folder / LOCK).open("rb") as lock:
            return not _take(lock, 0.0, shared=True)
    except OSError:
        return False


def _open_lines(path: Path) -> BinaryIO:
    """A file to append lines to; half a line at its end, of somebody who was killed, is cut off."""
    file = path.open("ab+", buffering=0)  # a line is on its way in one call
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - (1 << 16)))
    tail = file.read()
    if tail and not tail.endswith(b"\n"):
        file.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
    return file


def _append(file: BinaryIO, line: Mapping[str, Any]) -> None:
    file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


def _take(file: BinaryIO, patience_s: float, *, shared: bool = False) -> bool:
    """Lock a file, if nobody else has; without locks in this system, what a writer wants and a reader fears."""
    try:
        import fcntl
    except ImportError:
        return not shared
    last = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() >= last:
                return False
            time.sleep(0.01)
