"""The training jobs of a paper, which run here, or in a copy of their folder on a machine with a GPU."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.core.packed import POSITION, rows
from okapi.encodings import ENCODINGS
from okapi.errors import UsageError
from okapi.formats.numbers import counted
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, write_file
from okapi.recipes import jobs as recipe_jobs
from okapi.recipes.arrays import PARTS, TEST, TRAIN, read_array, unpack_arrays
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.splits import Parts, SplitBy, SplitShares, both_splits, neighbours, usual_shares
from okapi.recipes.training import write_disagreements
from okapi.training.report import NETWORK_FILE, TrainingReport
from okapi.training.trainer import TrainingProgress

ABOUT: Final = "labels.json"
"""In the folder of jobs: where its positions come from, and the settings that chose them."""

JOB_SETTINGS: Final[dict[str, Any]] = {"jobs": "", "device": "auto", "at_once": 1}
"""Settings of experiments with training jobs: their folder, a device, and how many run at a time."""

TOLD: Final = ("epochs", "best_epoch", "seconds", "samples_per_second", "device", "busy")

DISAGREEMENTS: Final = 2_000  # test positions in which a brain and its teacher are compared, at most


class JobsLeft(ExperimentSkipped):
    """Training jobs that are not done yet, and not for this machine."""


@dataclass(frozen=True, slots=True, eq=False)
class JobLabels:
    """The data of training jobs: labelled positions, and ways to split them."""

    folder: Path
    labels: LabelledPositions
    parts: Mapping[str, Parts]
    about: Mapping[str, Any]
    """Where the positions come from."""

    @classmethod
    def gathered(
        cls, folder: Path, asked: Mapping[str, Any], make: Callable[[], tuple[LabelledPositions, Mapping[str, Parts]]]
    ) -> Self:
        """The data in a folder of jobs, or what `make` gives: UsageError if it was made for other settings, if any."""
        path = folder / ABOUT
        known = json.loads(path.read_text()) if path.exists() else {}
        if not (recipe_jobs.has_jobs(folder) or (any(folder.glob(f"{recipe_jobs.POSITIONS}.npy*")) and not known)):
            labels, parts = make()
            write_file(path, json.dumps({"asked": asked, "about": labels.about()}, indent=1))
            return cls(folder, labels, parts, labels.about())
        if known.get("asked", asked) != asked:
            hint = "choose another folder with --out"
            raise UsageError(f"`{folder}` has positions for {known['asked']}", hint=hint)
        about = known.get("about", {"labels": folder.name})
        unpack_arrays(folder)
        positions = read_array(folder, recipe_jobs.POSITIONS).view(POSITION)[:, 0]
        values = read_array(folder, recipe_jobs.VALUES)
        labels = LabelledPositions.of(str(about["labels"]), positions, values=values)
        splits = [file.stem for file in sorted(folder.glob("parts-*.npy"))]
        parts = {split.removeprefix("parts-"): read_array(folder, split) for split in splits}
        return cls(folder, labels, parts, {**labels.about(), **about})

    @classmethod
    def of(
        cls,
        context: ExperimentContext,
        chosen: Mapping[str, Any],
        name: str,
        shares: Callable[[LabelledPositions], SplitShares] = usual_shares,
        split: Callable[[LabelledPositions, int, SplitShares], Mapping[SplitBy, Parts]] = both_splits,
    ) -> Self:
        """The labels in the folder of an experiment's jobs; else as many as were chosen (0: all), split with a seed."""

        def make() -> tuple[LabelledPositions, Mapping[str, Parts]]:
            labels = load_labels(context.label_config(), most=chosen["positions"] or None)
            return labels, {str(how): part for how, part in split(labels, context.seed, shares(labels)).items()}

        settings = {**context.settings(""), "positions": chosen["positions"]}
        asked = {key: settings[key] for key in ("seed", "games", "labels", "positions")}
        return cls.gathered(jobs_folder(context, chosen, name), asked, make)

    def write_jobs(self, jobs: Mapping[str, recipe_jobs.TrainingJob]) -> recipe_jobs.LabelledJobs:
        """Write these jobs; others in the same folder stay."""
        others = recipe_jobs.LabelledJobs.read(self.folder).jobs if recipe_jobs.has_jobs(self.folder) else {}
        positions, values = rows(self.labels.positions), self.labels.values
        return recipe_jobs.write_labelled_jobs(self.folder, positions, values, self.parts, {**others, **jobs})

    def split_figures(self, split: str) -> dict[str, Any]:
        """For results: the data, the sizes of the parts of a split, and how much of the test was seen in training."""
        part = self.parts[split]
        return {
            "data": dict(self.about),
            "parts": {name: int((part == number).sum()) for name, number in PARTS.items()},
            "neighbours": neighbours(self.labels, part),
        }


def jobs_folder(context: ExperimentContext, chosen: Mapping[str, Any], name: str = "") -> Path:
    """The folder of an experiment's training jobs: the one that was chosen, or its own."""
    if chosen["jobs"]:
        return Path(chosen["jobs"])
    old = context.folder / ("courses" if name else "course") / name  # until version 0.9
    return old if old.exists() else context.folder / "jobs" / name


def positions_of(job_set: recipe_jobs.LabelledJobs, rows: NDArray[np.int64]) -> NDArray[np.void]:
    """Packed positions of training jobs, by their rows."""
    return np.ascontiguousarray(job_set.positions[rows]).view(POSITION)[:, 0]


def train_jobs(
    context: ExperimentContext, job_set: recipe_jobs.Jobs, names: Sequence[str], chosen: Mapping[str, Any]
) -> dict[str, TrainingReport]:
    """Run these training jobs as far as they are not done: JobsLeft, at full size without a GPU or a named device."""
    left = [name for name in names if job_set.report(name) is None]
    device = chosen["device"]
    if left and context.size == "full" and device == "auto" and not torch.cuda.is_available():
        inside = job_set.folder.is_relative_to(context.folder)
        where = context.inside(job_set.folder) if inside else job_set.folder.name
        raise JobsLeft(
            f"{counted(len(left), 'training job')} of `{where}` are for a machine with a GPU: there "
            f"`python -m okapi.recipes.jobs {job_set.folder.name}`, then the same command here"
        )

    def watch(name: str, now: TrainingProgress) -> None:
        place, speed = f"job {1 + left.index(name)} of {len(left)}", f"{now.samples_per_second:,.0f} positions a second"
        context.tell(f"{name}, {place}: epoch {now.epoch} of {now.epochs}, {speed}")

    if left:
        torch.set_num_threads(context.executor.workers)
        recipe_jobs.run_jobs(job_set.folder, left, device=device, at_once=chosen.get("at_once", 1), watch=watch)
    return finished_reports(job_set, names)


def train_some_jobs(
    context: ExperimentContext, job_set: recipe_jobs.Jobs, names: Sequence[str], chosen: Mapping[str, Any]
) -> tuple[dict[str, TrainingReport], list[str]]:
    """The same; if at least one is done, a note on why the others are not instead of JobsLeft."""
    try:
        return train_jobs(context, job_set, names, chosen), []
    except JobsLeft as left:
        if reports := finished_reports(job_set, names):
            return reports, [f"Not all networks are here: {left}."]
        raise


def finished_reports(job_set: recipe_jobs.Jobs, names: Sequence[str]) -> dict[str, TrainingReport]:
    return {name: report for name in names if (report := job_set.report(name)) is not None}


def has_weights(job_set: recipe_jobs.Jobs, name: str) -> bool:
    """Whether the network of a training job is here; a report may come back alone from another machine."""
    here = name in job_set.jobs and job_set.report(name) is not None
    return here and (job_set.job_folder(name) / NETWORK_FILE).exists()


def job_figures(report: TrainingReport) -> dict[str, Any]:
    """The report of a training job, for results: without confusion matrices."""
    told = {key: getattr(report, key) for key in ("train", "validation", "test", *TOLD)}
    for part in ("train", "validation", "test"):
        told[part] = {key: value for key, value in told[part].items() if key != "confusion"}
    return {**told, "cut": bool(report.about.get("cut")), "curve": [dict(entry) for entry in report.curve]}


def differential(positions: NDArray[np.void]) -> NDArray[np.int64]:
    """White's pieces less Black's, in pawns, by Table 1 of sheehan2016."""
    parts = np.array_split(positions, 1 + len(positions) // (1 << 16))
    return np.concatenate([ENCODINGS["vector-65"].encode_many(part)[:, -1] for part in parts]).astype(np.int64)


def baselines(job_set: recipe_jobs.LabelledJobs, job: str) -> dict[str, float]:
    """What needs no network, on a job's test set: accuracy for classes, else the mean squared error.

    `majority`: always the commonest class of the training set, or its mean. `material`: pieces as centipawns.
    `differential`: the commonest class, or the mean, of those training positions with the same differential, if any.
    """
    target = job_set.jobs[job].target
    known, asked = (job_set.part(job, part) for part in (TRAIN, TEST))
    positions, turns = job_set.positions.view(POSITION)[:, 0], job_set.positions[:, recipe_jobs.TURN]
    pawns = [differential(positions[part]) for part in (known, asked)]
    movers = [each * np.where(turns[part], -1, 1) for each, part in zip(pawns, (known, asked), strict=True)]
    seen = pawns if target.view == "white" and not target.turned else movers
    train, test = (target.of(job_set.values[part], turns[part]) for part in (known, asked))

    def usual(targets: NDArray[Any]) -> Any:
        return np.bincount(targets).argmax() if train.dtype == np.int64 else targets.mean()

    table = {pawns: usual(train[seen[0] == pawns]) for pawns in np.unique(seen[0]).tolist()}
    answers = {
        "majority": usual(train),
        "material": target.of(100 * movers[1], turns[asked]),
        "differential": np.array([table.get(pawns, usual(train)) for pawns in seen[1].tolist()]),
    }
    scores = {
        name: (given == test).mean() if target.form == "classes" else ((given - test) ** 2).mean()
        for name, given in answers.items()
    }
    return {name: round(float(score), 4) for name, score in scores.items()}


def write_job_brain(context: ExperimentContext, job_set: recipe_jobs.LabelledJobs, job: str, paper: str) -> Path:
    """The brain of a training job, and beside it the positions in which it disagrees most with its teacher."""
    card = {"name": f"{paper} {job}", "recipe": f"okapi paper {paper}"}
    brain = context.write_brain(job, recipe_jobs.export_job(job_set.folder, job, card))
    unseen = job_set.part(job, TEST)[:DISAGREEMENTS]
    teacher = "Okapi" if context.labels is None else context.labels.name
    write_disagreements(brain, teacher, job_set.positions[unseen], job_set.values[unseen], brain.with_suffix(""))
    return brain
