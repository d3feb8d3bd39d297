"""Trainings that the board starts: `okapi train` as a process of its own, which outlives the page and the server."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, Final, Literal

from okapi.brains.library import RUN_FILE, VARIABLE, check_name
from okapi.errors import NotFound, TooBusy, UsageError
from okapi.files import file_errors, lock_file
from okapi.formats.streams import plain_suffix

DataKind = Literal["games", "labels"]
LABELS: Final = (".samples", ".binpack", ".plain")
SUFFIXES: Final = (".pgn", ".okapi", *LABELS)
MOST_FILES: Final = 200
MOST_UPLOADED: Final = 1 << 30
UPLOADS: Final = ".uploads"  # the folder for uploads, in the folder of runs
START: Final = "training.json"  # arguments and process, which holds a lock of this file until it ends, even by a kill
OUTPUT: Final = "output.log"
TAIL: Final = 2000  # bytes at its end that are read for the last line
LOOK_S: Final = 0.1  # between two looks whether an estimate is ready
CHILD: Final = """
import os, signal
if hasattr(os, "nice"):
    os.nice(10)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a server in the background ignores it, and so would this
from okapi.cli import run
run()
"""


class Trainings:
    """Starts, pauses and resumes trainings. The names are those of runs, and never become paths without a check."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.files = folder, DataFiles(folder)
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, arguments: Sequence[str], *, beside: bool = False) -> None:
        """Start `okapi train ARGUMENTS --out NAME`. UsageError for a name that is taken; TooBusy.

        Only one training runs at a time, unless one `beside` others is wanted.
        """
        check_name(name)
        self._make_room(beside)
        folder = self.folder / name
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            raise UsageError(f"there is a run `{name}`", hint="choose another name, or resume it") from None
        except OSError as error:
            raise NotFound(f"`{folder}` cannot be made: {error.strerror}") from None
        command = ["train", *arguments, "--out", str(folder.absolute())]
        (folder / START).write_text(json.dumps({"arguments": command}), encoding="utf-8")
        self._launch(name)

    def estimate(self, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """What `okapi train ARGUMENTS --estimate` answers, after some empty dictionaries. UsageError.

        It is a process of its own, which ends with the iterator.
        """
        command = ["train", *arguments, "--estimate", "--json"]
        with TemporaryFile() as output, self._popen(command, output, subprocess.DEVNULL) as child:
            try:
                while child.poll() is None:
                    yield {}
                    time.sleep(LOOK_S)
            finally:
                child.kill()
            output.seek(0)
            try:
                answer: dict[str, Any] = json.loads(output.read())
            except ValueError:
                raise UsageError("there is no estimate", hint="start it: it shows its plan") from None
        if "error" in answer:
            raise UsageError(str(answer["error"]), hint=str(answer.get("hint", "")))
        yield answer

    def resume(self, name: str, *, beside: bool = False) -> None:
        """Give the same command again: NotFound, UsageError, TooBusy."""
        if self.is_running(name):
            raise UsageError(f"`{name}` is being trained")
        self._make_room(beside)
        self._launch(name)

    def pause(self, name: str) -> None:
        """Ctrl-C: the training ends after it has stored all that is needed to resume. UsageError if it does not run."""
        if not self.is_running(name):
            raise UsageError(f"`{name}` is not being trained")
        child = self._children.get(name)
        pid = self._read(name).get("pid") if child is None else child.pid
        if isinstance(pid, int):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT if os.name == "posix" else signal.SIGTERM)

    def is_running(self, name: str) -> bool:
        """Does its process live? Also one that an earlier server started, where the system has file locks."""
        child = self._children.get(name)
        if os.name != "posix" or (child is not None and child.poll() is not None):
            return child is not None and child.poll() is None
        with suppress(OSError):
            if self._knows(name):
                with (self.folder / name / START).open("rb") as file:
                    return not lock_file(file, shared=True)
        return False

    def names(self) -> list[str]:
        with suppress(OSError):
            return [path.name for path in self.folder.iterdir() if (path / START).is_file()]
        return []

    def running(self) -> list[str]:
        return [name for name in self.names() if self.is_running(name)]

    def unborn(self) -> Iterator[tuple[str, bool, str]]:
        """Trainings that have no run yet: the name, whether the process lives, and its last line."""
        for name in self.names():
            if not (self.folder / name / RUN_FILE).is_file():
                yield name, self.is_running(name), self.last_line(name)

    def last_line(self, name: str) -> str:
        """What the training printed last; an error with its hint, where it failed."""
        try:
            with (self.folder / name / OUTPUT).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
                lines = file.read().decode(errors="replace").splitlines()
        except OSError:
            return ""
        told = [line.strip() for line in lines if line.strip()]
        errors = [place for place, line in enumerate(told) if line.startswith("error:")]
        return " ".join(told[errors[-1] :] if errors else told[-1:])[:500]

    def _knows(self, name: str) -> bool:
        return Path(name).name == name and (self.folder / name / START).is_file()

    def _make_room(self, beside: bool) -> None:
        if not beside and (running := self.running()):
            raise TooBusy(f"`{running[0]}` is being trained", hint="pause it first, or start another one beside it")

    def _launch(self, name: str) -> None:
        """Start the process. It inherits the lock of the file that names it."""
        arguments = self._read(name).get("arguments")
        if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
            raise NotFound(f"`{name}` was not started on the board", hint="give its command again in a terminal")
        folder = self.folder / name
        with (folder / START).open("r+b") as file, (folder / OUTPUT).open("ab") as output:
            if not lock_file(file):
                raise UsageError(f"`{name}` is being trained")
            child = self._popen(arguments, output, output, file)
            file.truncate()
            file.write(json.dumps({"arguments": arguments, "pid": child.pid}).encode())
        self._children[name] = child

    def _popen(
        self, arguments: list[str], output: IO[bytes], errors: IO[bytes] | int, lock: BinaryIO | None = None
    ) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-c", CHILD, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, VARIABLE: str(self.folder.absolute())},
            pass_fds=(lock.fileno(),) if lock is not None and os.name == "posix" else (),
            start_new_session=True,
        )

    def _read(self, name: str) -> dict[str, object]:
        if not self._knows(name):
            raise NotFound(f"there is no training `{name[:40]}` here", hint="choose one from the list")
        try:
            found = json.loads((self.folder / name / START).read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


@dataclass(slots=True)
class DataFiles:
    """Games and labels on this machine: uploads, and those in the current folder and in the folder of runs."""

    runs: Path
    here: Path = field(default_factory=Path.cwd)

    def all(self) -> dict[str, Path]:
        """By name, the first of those that have the same; names that pages send are looked up here."""
        found: dict[str, Path] = {}
        for folder in (self.runs / UPLOADS, self.here, self.runs):
            with suppress(OSError):
                for path in sorted(folder.iterdir()):
                    if plain_suffix(path) in SUFFIXES and not path.name.startswith(".") and path.is_file():
                        found.setdefault(path.name, path)
        return dict(list(found.items())[:MOST_FILES])

    def find(self, name: str) -> Path:
        if (path := self.all().get(name)) is None:
            raise NotFound(f"there is no file `{name[:80]}` here", hint="choose one from the list, or upload it")
        return path.absolute()

    @staticmethod
    def kind(path: Path) -> DataKind:
        return "labels" if plain_suffix(path) in LABELS else "games"

    def upload(self, name: str, at: int, data: bytes, *, last: bool) -> None:
        """A piece of a file, in order; the file is there when the last one came. UsageError."""
        if Path(name).name != name or name.startswith(".") or plain_suffix(Path(name)) not in SUFFIXES:
            hint = f"names end with {', '.join(SUFFIXES)}, or these with .gz or .zst"
            raise UsageError(f"`{name[:80]}` is neither games nor labels", hint=hint)
        if at + len(data) > MOST_UPLOADED:
            raise UsageError(f"`{name}` is larger than 1 GB", hint="put it into the folder where okapi was started")
        folder = self.runs / UPLOADS
        part = folder / f".{name}.part"
        with file_errors(name, "written"):
            folder.mkdir(parents=True, exist_ok=True)
            with part.open("wb" if at == 0 else "ab") as file:
                if file.tell() != at:
                    raise UsageError(f"a piece of `{name}` is missing", hint="upload it again")
                file.write(data)
            if last:
                part.replace(folder / name)
