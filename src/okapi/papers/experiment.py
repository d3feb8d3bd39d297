"""Run the experiments of a paper, and keep their results: one file each, so that none is made twice."""

import json
import math
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

from okapi.brains.files import replace_file
from okapi.core import version
from okapi.data.runs import Run
from okapi.errors import InvalidText, NotFound, UsageError, did_you_mean
from okapi.files import file_hash
from okapi.optimize.executor import Executor
from okapi.papers.published import read_toml
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.run import RecipeRun

RESULTS: Final = "results"
"""The folder of results, in the folder of a paper."""

OLD_SETTINGS: Final = {"course": "jobs"}
OLD_KEYS: Final = {"lessons": "jobs", "lesson": "job", "course": "jobs_folder"}
"""Settings of experiments, and keys of results, by the names that they had until version 0.9; still read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentContext:
    """What an experiment is given."""

    size: Size
    folder: Path
    seed: int
    executor: Executor
    games: Path | None = None
    """Games of masters: PGN or a store."""
    labels: Path | None = None
    """Labelled positions: a file of samples."""
    tell: Callable[[str], object] = print
    """Takes a line of progress."""
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Changed settings by experiment, as text or as values."""
    stored: Path | None = None
    """The folder of stored runs to continue from."""
    keep: Callable[..., object] = lambda data, done, of, unit="runs": None
    """Writes the data of an experiment of which so many of so many runs, or others of a unit, are done."""

    def recipe_config(self, run_seed: int | None = None, **changes: Any) -> RecipeConfig:
        """For recipes: the same size, executor, games and labels, and the same seed if a run has none of its own."""
        seed = self.seed if run_seed is None else run_seed
        return RecipeConfig(self.size, seed, self.executor, self.games, changes, self.labels)

    def recipe_run(self, name: str, folder: Path) -> RecipeRun:
        """In a folder, without snapshots; its progress is told under this name."""
        config = self.recipe_config(snapshots=0, elo=False)
        return RecipeRun(name=name, config=config, folder=folder, watch=lambda now: self.tell(f"{name}: {now.text}"))

    def label_config(self) -> RecipeConfig:
        """For load_labels: what it makes of labels and games is kept in the folder."""
        return replace(self.recipe_config(), cache=self.folder / "labels", tell=self.tell)

    def result(self, name: str) -> dict[str, Any]:
        """The result of an earlier experiment: NotFound if there is none, or it was skipped."""
        path, needed = _path(self.folder, name), f"the experiment `{name}` has to be"
        if not path.exists():
            raise NotFound(f"{needed} made first", hint=f"--only {name}")
        result = ExperimentResult.read(path)
        if result.skipped:
            raise NotFound(f"the experiment `{name}`, on which others build, could not be made: {result.skipped}")
        if result.unfinished:
            raise NotFound(f"{needed} finished first: {result.unfinished}", hint=f"--only {name}")
        return result.data

    def inside(self, path: Path) -> str:
        """A path relative to the folder, for results."""
        return path.relative_to(self.folder).as_posix()

    def write_brain(self, name: str, content: bytes) -> Path:
        """Write a brain into the folder of those that were trained here; its path."""
        path = self.folder / "brains" / f"{name}.safetensors"
        if not path.exists() or path.read_bytes() != content:
            write_file(path, content)
        return path

    def chosen(self, name: str, usual: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of an experiment with the changes that were asked for: UsageError for unknown ones."""
        changes = {OLD_SETTINGS.get(key, key): value for key, value in self.changes.get(name, {}).items()}
        try:
            return RecipeConfig(changes=changes).settings(usual)
        except UsageError as error:
            raise UsageError(f"{name}: {error}", hint=error.hint) from None

    def read_settings(self, paper: str, name: str, **more: Any) -> dict[str, Any]:
        """The same, with the defaults of this size in the paper's paper.toml."""
        declared = read_toml(paper, "paper")["settings"][name]
        usual = {key: value[self.size] if isinstance(value, dict) else value for key, value in declared.items()}
        return self.chosen(name, {**usual, **more})

    def settings(self, name: str) -> dict[str, Any]:
        """Everything that decides the result of an experiment; the executor does not."""
        files = {"games": self.games, "labels": self.labels}
        hashed = {what: path and f"{path.name} {file_hash(path)}" for what, path in files.items()}
        changes = {key: str(value) for key, value in self.changes.get(name, {}).items()}
        return {"size": self.size, "seed": self.seed, **hashed, "changes": changes}


Experiment = Callable[[ExperimentContext], dict[str, Any]]
"""Makes an experiment; returns data for JSON, or raises ExperimentSkipped where it cannot be made here."""


class ExperimentSkipped(Exception):
    """Why an experiment cannot be made here."""


def listed(chosen: str) -> list[str]:
    """The names in a setting, between commas."""
    return [name for name in chosen.split(",") if name]


def is_wanted(name: str, chosen: str) -> bool:
    """Whether a name is in a setting, between commas; an empty one wants everything."""
    return not chosen or name in chosen.split(",")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """The data of an experiment, and its conditions."""

    data: dict[str, Any]
    settings: dict[str, Any]
    seconds: float
    """Of the last run; an interrupted experiment is resumed."""
    version: str
    machine: str

    @property
    def skipped(self) -> str:
        """Why it was not made; empty if it was."""
        return str(self.data.get("skipped", ""))

    @property
    def unfinished(self) -> str:
        """How much of it is made, such as `3 of 10 runs`; empty if all is."""
        part = {"unit": "runs", **self.data.get("unfinished", {})}
        return "{done:,} of {of:,} {unit}".format_map(part) if "done" in part else ""

    @property
    def left(self) -> float:
        """The share that is not made yet."""
        part = self.data.get("unfinished", {"done": 1, "of": 1})
        return 1.0 if self.skipped else 1 - part["done"] / part["of"]

    @classmethod
    def read(cls, path: Path) -> Self:
        """A stored result: InvalidText."""
        try:
            return cls(**json.loads(path.read_bytes(), object_hook=_with_new_keys))
        except (OSError, ValueError, TypeError) as error:
            raise InvalidText(f"`{path}` is no result: {error}", hint="delete it; it is then found again") from None

    def write(self, path: Path) -> None:
        """Atomically: a process killed meanwhile leaves the old file, or none."""
        write_file(path, json.dumps(_finite(asdict(self)), indent=1, allow_nan=False))


Results = Mapping[str, ExperimentResult]
"""By the names of the experiments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    name: str
    title: str
    experiments: Mapping[str, Experiment]
    """In the order in which they are made: later ones may build on earlier ones."""
    figures: Callable[[Results], dict[str, Any]]
    """The headline figures."""
    page: Callable[[Results], str]
    """The page as HTML."""
    cost: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """At full size, by experiment: hours on two cores, minutes on a GPU."""
    runs: Sequence[str] = ()
    """Experiments that take long: their runs are stored one by one."""
    training: Sequence[str] = ()
    """Of these, files of a run from which its training continues, such as the checkpoint."""

    def write(self, folder: Path) -> dict[str, Any]:
        """Write the page and the headline figures from what is stored; the figures."""
        results = stored_results(self, folder)
        figures = self.figures(results)
        write_file(folder / "figures.json", json.dumps(figures, indent=1))
        write_file(folder / "index.html", self.page(results))
        return figures


def cost_left(paper: Paper, folder: Path, only: Sequence[str] = ()) -> tuple[float, float]:
    """Of what is not made yet at full size: hours on two cores, minutes on a GPU."""
    left = {name: result.left for name, result in stored_results(paper, folder).items()}
    costs = [(left.get(name, 1.0), cost) for name, cost in paper.cost.items() if not only or name in only]
    return sum(share * hours for share, (hours, _) in costs), sum(share * minutes for share, (_, minutes) in costs)


OnExperiment = Callable[[int, int, str, str], object]
"""Takes of each experiment its number, how many there are, its name, and `begun`, `kept`, `done` or `skipped`."""


def run_experiments(
    paper: Paper, context: ExperimentContext, only: Sequence[str] = (), *, watch: OnExperiment
) -> dict[str, str]:
    """Make all experiments, or some, that have no result yet; returns `done`, `kept` or `skipped` of each."""
    for name in (*only, *context.changes):
        if name not in paper.experiments:
            hint = did_you_mean(name, paper.experiments)
            raise UsageError(f"{paper.name} has no experiment `{name}`", hint=hint)
    names = [name for name in paper.experiments if not only or name in only]
    total = len(names)
    _refuse_others(stored_results(paper, context.folder), context)
    became: dict[str, str] = {}
    changes = {name: dict(changed) for name, changed in context.changes.items()}
    about = {"paper": paper.name, **context.settings(""), "changes": changes}
    with Run.start(context.folder, "paper", total=total, unit="experiments", title=paper.title, settings=about) as run:
        for number, name in enumerate(names, start=1):
            path = _path(context.folder, name)
            became[name] = "kept"
            if not path.exists() or ExperimentResult.read(path).left:
                watch(number, total, name, "begun")
                became[name] = _make(paper.experiments[name], context, context.settings(name), path)
            watch(number, total, name, became[name])
            run.log(step=number, seconds=ExperimentResult.read(path).seconds)
    return became


def stored_results(paper: Paper, folder: Path) -> dict[str, ExperimentResult]:
    found = {name: _path(folder, name) for name in paper.experiments}
    return {name: ExperimentResult.read(path) for name, path in found.items() if path.exists()}


def write_file(path: Path, content: str | bytes) -> None:
    """Atomically, in a folder that may be new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content.encode() if isinstance(content, str) else content)


def _make(make: Experiment, context: ExperimentContext, settings: dict[str, Any], path: Path) -> str:
    begun = time.perf_counter()

    def write(data: dict[str, Any]) -> str:
        seconds = round(time.perf_counter() - begun, 2)
        result = ExperimentResult(data=data, settings=settings, seconds=seconds, version=version, machine=machine())
        result.write(path)
        return "skipped" if result.skipped else "done"

    def keep(data: Mapping[str, Any], done: int, of: int, unit: str = "runs") -> None:
        write({**data, "unfinished": {"done": done, "of": of, "unit": unit}})

    try:
        return write(make(replace(context, keep=keep)))
    except ExperimentSkipped as why:
        return write({"skipped": str(why)})


def _with_new_keys(found: dict[str, Any]) -> dict[str, Any]:
    return {OLD_KEYS.get(key, key): value for key, value in found.items()}


def _finite(data: Any) -> Any:
    """The same with null instead of infinite numbers, which JSON does not have."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return list(map(_finite, data))
    return None if isinstance(data, float) and not math.isfinite(data) else data


def _refuse_others(results: Results, context: ExperimentContext) -> None:
    for name, result in results.items():
        for key, wanted in context.settings(name).items():
            if (found := result.settings.get(key)) != wanted:
                said = f"`{_path(context.folder, name)}` was made with {key} {_said(found)}, not {_said(wanted)}"
                raise UsageError(said, hint="choose another folder with --out, or ask for the same again")


def _said(setting: Any) -> str:
    if isinstance(setting, dict):
        setting = ", ".join(f"{key}={value}" for key, value in setting.items()) or None
    return "none" if setting is None else str(setting)


def _path(folder: Path, name: str) -> Path:
    return folder / RESULTS / f"{name}.json"


def machine() -> str:
    return f"{os.cpu_count()} × {_processor()}, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
