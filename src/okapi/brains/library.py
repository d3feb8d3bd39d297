"""The user's brains: what runs left and what `okapi brains add` copied, found by name from every folder.

A run is a folder in the runs folder: `--runs DIR`, else `$OKAPI_RUNS`, else the platform's folder for data. Its brain
is `mine`, its checkpoints are `mine@12`. A run elsewhere is registered in the index of the runs folder.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path
from typing import Final, NamedTuple

from okapi.brains.card import ModelCard
from okapi.core import RawBrain
from okapi.errors import NotFound, OkapiError, UsageError, did_you_mean
from okapi.files import lock_file, replace_file

VARIABLE: Final = "OKAPI_RUNS"
RUN_FILE: Final = "run.json"
RUN_LOCK: Final = "lock"
"""Locked by the writer of a run; the system releases the lock when that process ends, even by a kill."""

INDEX: Final = "index.json"
LOCK: Final = ".index.lock"
LOCK_TIMEOUT_S: Final = 10.0
BRAIN: Final = "brain.safetensors"
SUFFIX: Final = ".safetensors"
SNAPSHOTS: Final = ("checkpoints", "champions")
"""Folders in a run with its brain at earlier steps; evolution has champions of generations."""

OLD: Final = Path("runs")
"""Where runs were by default in earlier versions; read for one more release."""

DATA_FOLDERS: Final = {
    "win32": ("LOCALAPPDATA", "AppData", "Local"),
    "darwin": ("", "Library", "Application Support"),
}
"""By system: the variable that names the user's folder of data, and that folder in the home."""

SHIPPED: Final = Path(__file__).parent / "shipped"

PLAYER_KINDS: Final = frozenset(
    {"alphabeta", "greedy", "limited", "python", "random", "uci", "xboard"}
    | {"negamax", "top-move", "top-prob", "topprob-negamax"}
)
"""No brain can have such a name: `okapi match random mine` would be ambiguous."""

MOST_RUNS: Final = 1000
MOST_BELOW: Final = 200
MOST_LEVELS: Final = 2
"""Runs, folders inside one that are looked into, and how deep."""


class EarlierBrain(NamedTuple):
    """A run's brain at an earlier step, epoch, generation or iteration."""

    step: int
    path: Path


def checkpoints(folder: Path) -> list[EarlierBrain]:
    """The brains that a run kept on its way, by step."""
    files = [file for inside in SNAPSHOTS for file in _sorted(folder / inside)]
    steps = [(re.fullmatch(r"(\d{1,9})\.safetensors", file.name, re.ASCII), file) for file in files]
    return sorted(EarlierBrain(int(found[1]), file) for found, file in steps if found)


@dataclass(frozen=True, slots=True)
class Library:
    """The runs of one folder, read anew each time. A name is looked up, and never becomes a path."""

    folder: Path
    old: Path | None = None
    """Another folder with runs, which is only read."""

    def folders(self) -> dict[str, Path]:
        """The folders of runs by name, the newest first."""
        found = {path.name: path for path in _folders(self.old)} if self.old else {}
        found |= {name: path for name, path in self.own().items() if path.is_dir()}
        return dict(sorted(found.items(), key=lambda item: _changed(item[1]), reverse=True)[:MOST_RUNS])

    def places(self) -> Iterator[tuple[str, Path]]:
        """The folders of runs and those inside them, with their names: `paper`, `paper/brains`."""
        for name, folder in self.folders().items():
            yield name, folder
            for path in islice(_below(folder, MOST_LEVELS), MOST_BELOW):
                yield f"{name}/{path.relative_to(folder).as_posix()}", path

    def brains(self) -> dict[str, Path]:
        """Files of brains by name, those of the newest run first, without checkpoints: `mine`, `paper/brains/a`."""
        return {name: file for place in self.places() for name, file in _brains_in(*place)}

    def find(self, name: str) -> Path | None:
        """The file of `mine`, `mine@12` or `paper/brains/a`; None without the run, NotFound without the checkpoint."""
        base, at, step = name.partition("@")
        place, *inside = base.split("/")
        folder = self.folders().get(place)
        if folder is None or "/" in step:
            return None
        above = place, folder
        for part in inside:  # looked up in each folder: a name never becomes a path
            below = {path.name: path for path in _folders(folder) if path.name not in SNAPSHOTS}
            if part not in below:
                break
            above = place, folder
            place, folder = f"{place}/{part}", below[part]
        if at and place == base:
            kept = dict(checkpoints(folder))
            if re.fullmatch(r"\d{1,9}", step, re.ASCII) and int(step) in kept:
                return kept[int(step)]
            hint = f"this run has {', '.join(map(str, kept))}" if kept else "this run kept no checkpoints"
            raise NotFound(f"there is no checkpoint `{name}`", hint=hint)
        if at:
            return None
        return dict(_brains_in(place, folder)).get(base) or dict(_brains_in(*above)).get(base)

    def name_of(self, path: Path) -> str | None:
        """The name of a brain's file, or None if it is no part of a run."""
        folder, step = path.parent, ""
        if folder.name in SNAPSHOTS and re.fullmatch(r"\d{1,9}", path.stem, re.ASCII):
            folder, step = folder.parent, f"@{int(path.stem)}"
        here = os.path.realpath(folder)
        for prefix, root in (("", self.folder), *self.index().items(), *([("", self.old)] if self.old else [])):
            if not here.startswith(os.path.join(os.path.realpath(root), "")) and not (prefix and _same(folder, root)):
                continue
            inside = Path(here).relative_to(os.path.realpath(root)).parts
            base = "/".join(filter(None, (prefix, *inside)))
            return base + step if step or path.name == BRAIN else f"{base}/{path.stem}"
        if step or (path.name == BRAIN and (folder / RUN_FILE).is_file()):
            return folder.resolve().name + step
        return None

    def own(self) -> dict[str, Path]:
        """The folders that may be changed, by name: the registered ones, and those in the runs folder."""
        return {**self.index(), **{path.name: path for path in _folders(self.folder)}}

    def index(self) -> dict[str, Path]:
        """The registered folders outside the runs folder, by name; whether they still exist or not."""
        with suppress(OSError, ValueError, AttributeError):
            found = json.loads((self.folder / INDEX).read_bytes())
            return {str(name): Path(str(path)) for name, path in found.items()}
        return {}

    def place(self, name: str) -> Path:
        """The path of something new by this name, or of what an earlier version left in ./runs."""
        if self.old and (self.old / name).exists() and not (self.folder / name).exists():
            return self.old / name
        return self.folder / name

    def run_folder(self, out: str | Path | None, default: str) -> Path:
        """The folder of a run, which may be there: `--out mine` is in the runs folder, a path is registered."""
        if out is None:
            return self._written(self.place(default))
        path = Path(out).expanduser()
        named = len(path.parts) == 1 and not path.is_absolute() and not str(out).startswith(".")
        known = self.folders().get(path.name) if named else None
        if known is not None:
            return known
        if not named or (path / RUN_FILE).is_file():  # begun by an earlier version, which took every name as a path
            self.register(path)
            return path
        check_name(path.name)
        return self._written(self.folder / path.name)

    def register(self, folder: Path) -> str:
        """Let a folder outside the runs folder be found by its name, with a number if the name is taken."""
        folder = Path(os.path.abspath(folder))
        for name, path in self.own().items():
            if _same(path, folder):
                return name
        base = re.sub(r"[^\w.+-]", "-", folder.name) or "run"
        with suppress(OkapiError), self.locked() as index:  # without a runs folder it is found by its path
            kept = {name: path for name, path in index.items() if not _same(path, folder)}
            taken = {*self.folders(), *(name for name, path in kept.items() if path.is_dir())}
            names = chain([base], (f"{base}-{number}" for number in count(2)))
            name = next(name for name in names if name not in taken and is_free(name))
            index.clear()
            index.update({**kept, name: folder})
            return name
        return base

    def add(self, source: Path, name: str | None = None) -> str:
        """Copy a brain's file, or brain and checkpoints of a run's folder: InvalidBrain, NotFound, UsageError."""
        if not source.exists():
            raise NotFound(f"there is no file or folder `{source}`")
        files = [source]
        if source.is_dir():
            files = [path for path in (source / BRAIN, source / RUN_FILE, source / "log.jsonl") if path.is_file()]
            files += [checkpoint.path for checkpoint in checkpoints(source)]
        brains = [path for path in files if path == source or path.suffix == SUFFIX]
        if not brains:
            raise NotFound(f"there is no brain in `{source}`", hint=f"a run's folder has {BRAIN} or checkpoints")
        if is_running(source):
            raise UsageError(f"the run `{source}` is in progress", hint="add it when it is done")
        for path in brains:
            RawBrain.open(str(path))
        base = source if source.is_dir() else source.parent
        name = name or self.name_of(brains[0]) or ModelCard.read(brains[0]).name
        with self.naming(name):
            new = self.folder / f".{name}.part"
            shutil.rmtree(new, ignore_errors=True)
            for path in files:
                to = new / (BRAIN if path == source else path.relative_to(base))
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, to)
            new.rename(self.folder / name)
        return name

    def remove(self, name: str) -> Path | None:
        """Delete a run in the runs folder, or forget one elsewhere, whose folder is returned: NotFound, UsageError."""
        folder = self._own(name)
        with self.locked() as index:
            if index.pop(name, None) is not None:
                return folder
        shutil.rmtree(folder)
        return None

    def rename(self, name: str, new: str) -> None:
        """NotFound, UsageError."""
        folder = self._own(name)
        with self.naming(new) as index:
            if name in index:
                index[new] = index.pop(name)
            else:
                folder.rename(self.folder / new)

    def _own(self, name: str) -> Path:
        """The folder of a run that may be changed."""
        if not is_free(name):
            raise UsageError(f"`{name}` is shipped with okapi", hint="only your own brains can be changed")
        own = self.own()
        if name not in own:
            newest = [found for found in self.folders() if found in own]
            raise NotFound(f"you have no brain `{name}` in `{self.folder}`", hint=did_you_mean(name, newest))
        if is_running(own[name]):
            raise UsageError(f"the run `{name}` is in progress", hint="stop it first")
        return own[name]

    @contextmanager
    def naming(self, name: str) -> Iterator[dict[str, Path]]:
        """The index, locked, while a name is given: UsageError if that cannot be."""
        check_name(name)
        with self.locked() as index:
            if name in self.folders():
                raise UsageError(f"there is a brain `{name}`", hint="choose another with --name, or remove that one")
            yield index

    @contextmanager
    def locked(self) -> Iterator[dict[str, Path]]:
        """The index to be changed; it is written at the end. NotFound if it cannot be written."""
        self._written(self.folder)
        with (self.folder / LOCK).open("ab") as lock:
            if not lock_file(lock, LOCK_TIMEOUT_S):
                raise UsageError(f"another program writes `{self.folder / INDEX}`", hint="try again")
            index = self.index()
            yield index
            written = json.dumps({name: str(path) for name, path in sorted(index.items())}, indent=1)
            replace_file(self.folder / INDEX, written.encode() + b"\n")

    def _written(self, path: Path) -> Path:
        """The path, with the runs folder made for it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / LOCK).touch()
        except OSError as error:
            hint = f"name another with --runs DIR or the environment variable {VARIABLE}"
            raise NotFound(f"the runs folder `{self.folder}` cannot be written: {error.strerror}", hint=hint) from None
        return path


def runs_folder() -> Path:
    """The folder of the user's runs, whether it exists or not."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().absolute()
    home = os.path.expanduser("~") if os.environ.get("HOME") != "" else ""
    variable, *inside = DATA_FOLDERS.get(sys.platform, ("XDG_DATA_HOME", ".local", "share"))
    data = os.environ.get(variable) or os.path.join(home, *inside)
    return Path(data, "okapi", "runs") if os.path.isabs(data) else OLD.absolute()  # a user without a home


def use_runs_folder(folder: str | Path) -> None:
    """Let this process and those that it starts use another runs folder."""
    os.environ[VARIABLE] = str(Path(folder).expanduser().absolute())


def default_library() -> Library:
    """The user's runs; the old ./runs belongs to it unless a folder was named."""
    folder = runs_folder()
    return Library(folder, None if os.environ.get(VARIABLE) or folder == OLD.absolute() else OLD)


def run_folder(out: str | Path | None, default: str) -> Path:
    """The folder of a run with `--out OUT`, or with none; see Library.run_folder."""
    return default_library().run_folder(out, default)


def is_free(name: str) -> bool:
    """Is it no name of a shipped brain or kind of player?"""
    return name not in PLAYER_KINDS and not (SHIPPED / f"{name}{SUFFIX}").is_file()


def check_name(name: str) -> None:
    """UsageError if a run or brain of the user cannot have this name."""
    if not re.fullmatch(r"\w[\w.+-]{0,99}", name) or name.endswith(SUFFIX):
        raise UsageError(f"`{name}` is no name for a brain", hint="use letters, digits and . _ + -; a path has a slash")
    if not is_free(name):
        raise UsageError(f"`{name}` is the name of a shipped brain or a player", hint="choose another name")


def is_running(folder: Path) -> bool:
    """Does a process hold the lock of this run? True where the system has no file locks."""
    with suppress(OSError), (folder / RUN_LOCK).open("rb") as lock:
        return not lock_file(lock, shared=True)
    return False


def _folders(folder: Path) -> list[Path]:
    return [path for path in _sorted(folder) if path.is_dir()]


def _below(folder: Path, deep: int) -> Iterator[Path]:
    for path in _folders(folder):
        if path.name not in SNAPSHOTS:
            yield path
            if deep > 1:
                yield from _below(path, deep - 1)


def _brains_in(place: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """The brains right in a folder; a run that is not at its end has that of its last checkpoint."""
    files = [file for file in _sorted(folder) if file.suffix == SUFFIX]
    if all(file.name != BRAIN for file in files):
        yield from ((place, last.path) for last in checkpoints(folder)[-1:])
    for file in files:
        yield place if file.name == BRAIN else f"{place}/{file.stem}", file


def _sorted(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [folder / name for name in sorted(os.listdir(folder)) if not name.startswith(".")]
    return []


def _same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _changed(folder: Path) -> float:
    with suppress(OSError):
        return folder.stat().st_mtime
    return 0.0
