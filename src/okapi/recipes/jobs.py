"""Training jobs: labelled positions or games, and networks to be trained on them, in a folder that can be copied.

    python -m okapi.recipes.jobs FOLDER             # here, or on another machine; FOLDER may hold several such folders
    python -m okapi.recipes.jobs FOLDER --at-once 4 --seconds 500
    python -m okapi.recipes.jobs FOLDER --pack OUT.tar --weights net-a

Each job trains one network in a folder of its own. A finished job is kept; an interrupted one resumes.
"""

import argparse
import io
import json
import math
import os
import tarfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.brains.files import brain_file
from okapi.core import version
from okapi.errors import InvalidText, NotFound, OkapiError, Unfinished, UsageError, did_you_mean
from okapi.files import replace_file
from okapi.models.express import Expressed
from okapi.recipes.arrays import TEST, TRAIN, VALIDATION, read_array, unpack_arrays, write_array
from okapi.recipes.targets import Target
from okapi.training.programs import DONE, ProgressLines, failed
from okapi.training.report import METRICS_FILE, NETWORK_FILE, REPORT_FILE, TrainingReport, compact_network, read_network
from okapi.training.supervised import Dataset, SupervisedConfig, train_supervised, warm_start_job
from okapi.training.trainer import TrainingProgress

if TYPE_CHECKING:
    from okapi.recipes.game_jobs import GameJob

JOBS, OLD_JOBS = "jobs.json", "course.json"
"""The old name was written until version 0.9, and is still read."""

POSITIONS, VALUES, SPLIT = "positions", "values", "parts-{}"
"""The arrays: packed positions, centipawns for the side to move, and the use of each position in a split."""

TURN: Final = 24
"""The byte of a packed position that holds the side to move."""

Watch = Callable[[TrainingProgress], object]
Stop = Callable[[], bool]
OnProgress = Callable[[str, TrainingProgress], object]
"""Takes the name of a job and its progress."""


@dataclass(frozen=True, slots=True)
class TrainingJob:
    plan: SupervisedConfig
    target: Target
    parts: str

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        try:
            return cls(SupervisedConfig.from_json(told["plan"]), Target.from_json(told["target"]), str(told["parts"]))
        except (KeyError, TypeError) as error:
            raise UsageError(f"a training job is incomplete: {error}", hint="it has plan, target and parts") from None

    def as_json(self) -> dict[str, Any]:
        return {"plan": self.plan.as_json(), "target": self.target.as_json(), "parts": self.parts}


@dataclass(frozen=True, eq=False)
class Jobs:
    folder: Path
    jobs: Mapping[str, Any]

    def dataset(self, name: str, part: int) -> Dataset:
        """Positions and targets of TRAIN, VALIDATION or TEST of one job."""
        raise NotImplementedError

    def train(self, name: str, device: str, watch: Watch, stop: Stop, *, cut: bool = False) -> None:
        """Train one network. If `stop` returns True before the end: Unfinished, or with `cut` the best one so far."""
        train, validation, test = (self.dataset(name, part) for part in (TRAIN, VALIDATION, TEST))
        plan, folder = self.jobs[name].plan, self.job_folder(name)
        train_supervised(plan, train, validation, test, folder, device=device, watch=watch, stop=stop, cut=cut)

    def depends_on(self, name: str) -> str | None:
        """The job whose weights this one starts from."""
        return warm_start_job(self.jobs[name].plan.warm_start)

    def select(self, names: Sequence[str]) -> list[str]:
        for name in names:
            if name not in self.jobs:
                raise UsageError(f"there is no training job `{name}`", hint=did_you_mean(name, self.jobs))
        return [name for name in self.jobs if not names or name in names]

    def job_folder(self, name: str) -> Path:
        return self.folder / name

    def report(self, name: str) -> TrainingReport | None:
        return TrainingReport.read(self.folder / name)


@dataclass(frozen=True, eq=False)
class LabelledJobs(Jobs):
    jobs: Mapping[str, TrainingJob]
    positions: NDArray[np.uint8]
    values: NDArray[np.int16]

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound, InvalidText. Compressed arrays are unpacked once, beside themselves."""
        unpack_arrays(folder)
        jobs = read_jobs(folder, TrainingJob.from_json)
        positions, values = read_array(folder, POSITIONS), read_array(folder, VALUES)
        if positions.ndim != 2 or positions.shape[1] != 32 or values.shape != positions.shape[:1]:
            raise InvalidText(f"`{folder}` has {positions.shape} positions, {values.shape} values")
        return cls(folder, jobs, positions, values)

    def part(self, name: str, number: int) -> NDArray[np.int64]:
        split = self.jobs[name].parts
        parts = read_array(self.folder, SPLIT.format(split))
        if parts.shape != self.values.shape:
            raise InvalidText(f"the split `{split}` is for {len(parts)} positions, not {len(self.values)}")
        return np.flatnonzero(parts == number)

    def dataset(self, name: str, part: int) -> Dataset:
        rows = self.part(name, part)
        positions = self.positions[rows]
        return Dataset(positions, self.jobs[name].target.of(self.values[rows], positions[:, TURN]))

    def output(self, name: str) -> dict[str, Any]:
        """How the output of a job's network is read: from its training samples."""
        rows = self.part(name, TRAIN)
        return self.jobs[name].target.output(self.values[rows], self.positions[rows, TURN])


def open_jobs(folder: Path) -> Jobs:
    """The jobs of a folder: on games, on inner nodes of searches, or on labelled positions."""
    from okapi.recipes.game_jobs import GameJobs
    from okapi.recipes.inner_nodes import MoveNetworkJobs

    if GameJobs.found_in(folder):
        return GameJobs.read(folder)
    return MoveNetworkJobs.read(folder) if MoveNetworkJobs.found_in(folder) else LabelledJobs.read(folder)


def job_folders(folder: Path) -> list[Path]:
    """The folder itself, if it has jobs, and those below it that have some."""
    return sorted({path.parent for name in (JOBS, OLD_JOBS) for path in folder.glob(f"**/{name}")})


def has_jobs(folder: Path) -> bool:
    return (folder / JOBS).exists() or (folder / OLD_JOBS).exists()


def read_jobs(folder: Path, read: Callable[[Mapping[str, Any]], Any]) -> dict[str, Any]:
    """The jobs that jobs.json lists: InvalidText."""
    new = (folder / JOBS).exists()
    try:
        listed = json.loads((folder / (JOBS if new else OLD_JOBS)).read_bytes())["jobs" if new else "lessons"]
        return {name: read(job) for name, job in listed.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidText(f"`{folder}` has no training jobs: {error}") from None


def write_jobs(folder: Path, jobs: Mapping[str, dict[str, Any]], *, add: bool = False) -> None:
    """Write jobs.json; with `add`, the jobs that it lists stay."""
    others = read_jobs(folder, dict) if add and has_jobs(folder) else {}
    replace_file(folder / JOBS, json.dumps({"jobs": {**others, **jobs}}, indent=1).encode())


def write_labelled_jobs(
    folder: Path,
    positions: NDArray[Any],
    values: NDArray[Any],
    parts: Mapping[str, NDArray[Any]],
    jobs: Mapping[str, TrainingJob],
) -> LabelledJobs:
    """Write jobs into a folder that is new or has the same positions: UsageError if it has others. `positions` are
    packed, `values` centipawns for the side to move; each of `parts` has a byte a position."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = np.ascontiguousarray(positions).view(np.uint8).reshape(-1, 32)
    arrays: dict[str, NDArray[Any]] = {POSITIONS: rows, VALUES: values.astype(np.int16)}
    arrays |= {SPLIT.format(name): part.astype(np.uint8) for name, part in parts.items()}
    for name, array in arrays.items():
        try:  # an array that other jobs of the folder rely on is never replaced by another one
            if not np.array_equal(read_array(folder, name), array):
                raise UsageError(f"`{name}` in `{folder}` is different", hint="choose another folder")
        except NotFound:
            write_array(folder, name, array)
    for name, job in jobs.items():
        if job.parts not in parts:
            raise UsageError(f"job `{name}` is split by `{job.parts}`", hint=did_you_mean(job.parts, parts))
    write_jobs(folder, {name: job.as_json() for name, job in jobs.items()})
    return LabelledJobs.read(folder)


def run_jobs(
    folder: Path,
    names: Sequence[str] = (),
    *,
    device: str = "auto",
    at_once: int = 1,
    seconds: float | None = None,
    cut: bool = False,
    watch: OnProgress = lambda name, now: None,
) -> None:
    """Run all jobs of a folder, or some.

    With `at_once`, as many processes share the device; a job that starts from another one comes after it. After
    `seconds` everything is saved and Unfinished raised; with `cut`, a job that has finished an epoch ends with its best
    weights so far, and its report says so. The other jobs go on when one fails; its error is raised at the end.
    """
    jobs = open_jobs(folder)
    until = math.inf if seconds is None else time.time() + seconds
    wanted = jobs.select(names)
    left = [name for name in wanted if jobs.report(name) is None]
    failed: dict[str, OkapiError] = {}
    for some in _in_order(jobs, left):
        if at_once > 1 and len(some) > 1:
            failed |= _in_parallel(folder, some, at_once, watch, device, until, cut)
            continue
        for name in some:
            try:
                _train(jobs, name, watch, device, until, cut)
            except OkapiError as error:
                failed[name] = error
    if failed:
        name, first = next(iter(failed.items()))
        kind = Unfinished if all(isinstance(each, Unfinished) for each in failed.values()) else type(first)
        raise kind(f"{len(failed)} of {len(wanted)} jobs are not finished; {name}: {first}", hint=first.hint)


def _in_order(jobs: Jobs, names: Sequence[str]) -> Iterator[list[str]]:
    """Jobs that do not depend on each other, then those that start from one of them, and so on."""
    left = list(names)
    while left:
        waiting = [name for name in left if jobs.depends_on(name) in left]
        yield [name for name in left if name not in waiting] or left
        left = waiting if len(waiting) < len(left) else []


def _train(jobs: Jobs, name: str, watch: OnProgress, device: str, until: float, cut: bool) -> None:
    """Train one, until a time in seconds since 1970."""
    if time.time() >= until:
        raise Unfinished("no time was left to start it", hint="the same command resumes")
    jobs.train(name, device, lambda now: watch(name, now), lambda: time.time() >= until, cut=cut)


def _in_parallel(
    folder: Path, names: Sequence[str], at_once: int, watch: OnProgress, *how: Any
) -> dict[str, OkapiError]:
    context = get_context("spawn")
    threads = max(1, (os.cpu_count() or 1) // at_once)
    failed: dict[str, OkapiError] = {}
    with context.Manager() as manager, ProcessPoolExecutor(at_once, context) as pool:
        progress = manager.Queue()
        running = {pool.submit(_train_in_worker, progress, threads, folder, name, *how): name for name in names}
        left = set(running)
        while left:
            done, left = wait(left, timeout=0.5, return_when=FIRST_COMPLETED)
            while not progress.empty():
                watch(*progress.get())
            for future in done:
                try:
                    future.result()
                except OkapiError as error:
                    failed[running[future]] = error
    return failed


def _train_in_worker(progress: "Queue[Any]", threads: int, folder: Path, name: str, *how: Any) -> None:
    torch.set_num_threads(threads)
    _train(open_jobs(folder), name, lambda *now: progress.put(now), *how)


def export_job(folder: Path, name: str, card: Mapping[str, str]) -> bytes:
    """The brain of a finished job of labelled positions: NotFound if it is not finished. `card` adds to its entries."""
    jobs = LabelledJobs.read(folder)
    report = jobs.report(jobs.select([name])[0])
    if report is None:
        raise NotFound(f"the job `{name}` in `{folder}` is not finished", hint=f"python -m okapi.recipes.jobs {folder}")
    learned = read_network(jobs.job_folder(name))
    return export_brain(jobs.jobs[name], learned, jobs.output(name), {"name": name, **card}, report)


def export_brain(
    job: "TrainingJob | GameJob",
    learned: Expressed,
    output: Mapping[str, Any],
    card: Mapping[str, str],
    report: TrainingReport | None = None,
    settings: Mapping[str, Any] | None = None,
    bits: Literal[8, 16, 32] = 32,
) -> bytes:
    """A brain file; `settings` are added to those of the job. The same training gives the same bytes. Without a report,
    of a network that is being trained, the card says nothing of settings and data."""
    dense = all(layer["do"] == "dense" for layer in learned.layers)
    entries = {"made_with": f"okapi {version}", **card, "kind": "perceptron" if dense else "convolutional"}
    entries["encoding"] = job.plan.encoding
    entries |= {"layers": json.dumps(learned.layers), "output": json.dumps(output)}
    if report is not None:
        curve = [_short(entry, "seconds") for entry in report.curve]
        entries["settings"] = json.dumps({**job.as_json(), **(settings or {})}, default=str)
        entries |= {"seed": str(job.plan.seed), "data": json.dumps(report.about["data"])}
        entries |= {"curve": json.dumps(curve), "test": json.dumps(_short(report.test, "confusion"))}
    return brain_file(entries, learned.tensors, bits=bits)


def _short(numbers: Mapping[str, Any], without: str) -> dict[str, Any]:
    known = {key: value for key, value in numbers.items() if key != without}
    return {key: float(f"{value:.6g}") if isinstance(value, float) else value for key, value in known.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m okapi.recipes.jobs",
        description="Run the training jobs of a folder. Finished jobs are kept; the same command resumes the others.",
    )
    parser.add_argument("folder", type=Path, help="a folder of training jobs, or of such folders")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these jobs; all if not given")
    parser.add_argument("--at-once", type=int, default=1, metavar="N", help="processes that share the device")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after it; the same command resumes")
    parser.add_argument("--cut", action="store_true", help="jobs that --seconds stops end with their best weights")
    parser.add_argument("--list", action="store_true", help="list the jobs")
    parser.add_argument("--pack", type=Path, metavar="OUT.tar", help="pack reports and curves instead")
    parser.add_argument("--weights", nargs="+", default=[], metavar="NAME", help="with --pack: these networks, too")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    args = parser.parse_args(arguments)
    try:
        if args.pack:
            lines: list[Any] = [str(path) for path in pack(args.folder, args.pack, args.weights)]
            told: dict[str, Any] = {"packed": lines}
        else:
            folders = job_folders(args.folder) or [args.folder]
            if not args.list:
                how = {"device": args.device, "at_once": args.at_once, "cut": args.cut, "watch": ProgressLines()}
                until = None if args.seconds is None else time.monotonic() + args.seconds
                for folder in folders:
                    left = None if until is None else max(0.0, until - time.monotonic())
                    run_jobs(folder, args.only, **how, seconds=left)
            lines = [_line(name, jobs.report(name)) for jobs in map(open_jobs, folders) for name in jobs.jobs]
            told = {"folder": str(args.folder), "jobs": lines}
    except (OkapiError, KeyboardInterrupt) as error:
        return failed(error)
    shown = [line if isinstance(line, str) else " ".join(_words(line)) for line in lines]
    print("\n".join([json.dumps(told)] if args.json else shown), flush=True)
    return DONE


PIECE: Final = 15 * 10**6
"""Bytes of a packed file, at most."""


def pack(folder: Path, out: Path, weights: Sequence[str] = ()) -> list[Path]:
    """Reports and curves of the jobs in a tar file, and some networks in half precision. What is larger than PIECE is
    cut into OUT.tar.1, OUT.tar.2, …; `cat OUT.tar.* | tar -x -C FOLDER` puts it back."""

    def add(file: str, content: bytes) -> None:
        entry = tarfile.TarInfo(file)
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))

    jobs = open_jobs(folder)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in jobs.jobs:
            for file in (REPORT_FILE, METRICS_FILE):
                if (path := jobs.job_folder(name) / file).exists():
                    add(f"{name}/{file}", path.read_bytes())
        for name in jobs.select(weights) if weights else ():
            add(f"{name}/{NETWORK_FILE}", compact_network((jobs.job_folder(name) / NETWORK_FILE).read_bytes()))
    content = buffer.getvalue()
    pieces = [content[begin : begin + PIECE] for begin in range(0, len(content), PIECE)]
    paths = [out] if len(pieces) == 1 else [Path(f"{out}.{number}") for number in range(1, len(pieces) + 1)]
    for path, piece in zip(paths, pieces, strict=True):
        path.write_bytes(piece)
    return paths


def _line(name: str, report: TrainingReport | None) -> dict[str, Any]:
    if report is None:
        return {"name": name, "finished": False}
    test = {key: value for key, value in report.test.items() if not isinstance(value, list)}
    speed = {"samples_per_second": report.samples_per_second, "busy": report.busy}
    return {"name": name, "finished": True, "epochs": report.epochs, "seconds": report.seconds, **speed, "test": test}


def _words(line: dict[str, Any]) -> Iterator[str]:
    for key, value in line.items():
        if isinstance(value, dict):
            yield from (f"{key} {name} {number:g}" for name, number in value.items())
        else:
            yield value if isinstance(value, str) else f"{key} {value}"


if __name__ == "__main__":
    from okapi.recipes import jobs  # processes import this module by its name

    raise SystemExit(jobs.main())
