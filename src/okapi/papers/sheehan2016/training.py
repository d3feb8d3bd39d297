"""Tables 2 and 3: the nets under two splits, the piece differential alone, and the nets' certainty."""

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluations
from okapi.brains.files import replace_file
from okapi.core.packed import POSITION
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import (
    JOB_SETTINGS,
    JobLabels,
    JobsLeft,
    baselines,
    jobs_folder,
    train_jobs,
    write_job_disagreements,
)
from okapi.recipes import usual_settings
from okapi.recipes.arrays import TEST, TRAIN
from okapi.recipes.config import Size
from okapi.recipes.jobs import TURN, LabelledJobs, TrainingJob, export_job
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.sheehan2016 import BUCKETS, RESIDUAL, Variant, buckets, iterations, shares, sweep, variants
from okapi.recipes.splits import both_splits
from okapi.training.report import NETWORK_FILE, TrainingReport
from okapi.training.supervised import SupervisedConfig

BRAINS: Final = "brains"

JOBS: Final = "networks"
"""The folder of all training jobs."""


def gathered(context: ExperimentContext, folder: Path, most: int) -> JobLabels:
    """The positions of training jobs: those in their folder, or else those of the labels."""

    def make() -> tuple[LabelledPositions, Mapping[str, NDArray[np.uint8]]]:
        found = load_labels(context, most=most or None)
        return found, {str(how): part for how, part in both_splits(found, context.seed, shares(found)).items()}

    settings = context.settings("")
    asked = {name: settings[name] for name in ("seed", "games", "labels")}
    return JobLabels.gathered(folder, {**asked, "positions": most}, make)


def jobs(
    size: Size, values: NDArray[Any], turns: NDArray[Any], parts: Mapping[str, NDArray[Any]]
) -> dict[str, TrainingJob]:
    """Training jobs of every variant under every split, and of our own network under the stricter one.

    Buckets have equal population among the training positions of that split.
    """
    made = [(variant, split) for split in parts for variant in variants(size, own=split == preferred(parts))]
    made.sort(key=lambda job: (job[0].how == RESIDUAL, job[0].plan.seed))  # the most important ones first
    return {
        name_of(variant, split): TrainingJob(
            variant.plan, buckets(values, turns, parts[split] == TRAIN, turned=variant.turned), split
        )
        for variant, split in made
    }


def preferred(splits: Collection[str]) -> str:
    """By games, where the games of positions are known."""
    return "games" if "games" in splits else "positions"


def name_of(variant: Variant, split: str) -> str:
    """The name of a training job, such as a-letter-games."""
    return f"{variant.name}-{split}"


# --- Trained nets -----------------------------------------------------------------------------------------------------


def trained_jobs(context: ExperimentContext) -> LabelledJobs:
    """The training jobs of the experiment `networks`: NotFound if that was not made."""
    return LabelledJobs.read(context.folder / context.result("networks")["jobs_folder"])


def splits(context: ExperimentContext) -> list[str]:
    return list(context.result("networks")["splits"])


def has_weights(job_set: LabelledJobs, job: str) -> bool:
    """Whether the network of a training job is here; a report may come back alone from another machine."""
    return job in job_set.jobs and job_set.report(job) is not None and (job_set.job_folder(job) / NETWORK_FILE).exists()


def brain(context: ExperimentContext, job_set: LabelledJobs, job: str) -> Path:
    path = context.folder / BRAINS / f"{job}.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"name": f"sheehan2016 {job}", "recipe": "okapi paper sheehan2016"}
    replace_file(path, export_job(job_set.folder, job, card))
    write_job_disagreements(context, job_set, job, path)
    return path


def networks(context: ExperimentContext) -> dict[str, Any]:
    """Table 3: every variant under every split."""
    chosen = _settings(context)
    folder = jobs_folder(context, chosen, JOBS)
    material = gathered(context, folder, chosen["positions"])
    found = material.labels
    job_set = material.write_jobs(folder, jobs(context.size, found.values, found.positions["turn"], material.parts))
    wanted = {
        name_of(variant, split): (variant, split)
        for split in material.parts
        for variant in variants(context.size, own=split == preferred(material.parts))
    }
    missing = _have(context, job_set, list(wanted), chosen)
    reports = {job: report for job in wanted if (report := job_set.report(job)) is not None}
    if not reports:
        return {"skipped": missing}
    split_figures = {split: _split(material, job_set, split) for split in material.parts}
    rows = [_row(*wanted[job], report, split_figures) for job, report in reports.items()]
    return {
        "jobs_folder": str(folder.absolute()) if chosen["jobs"] else context.inside(folder),
        "splits": split_figures,
        "rows": rows,
        "confusion": {row["job"]: reports[row["job"]].test["confusion"] for row in rows if row["seed"] == 1},
        "curves": {row["job"]: _curve(row["split"], reports[row["job"]], split_figures) for row in rows},
        "notes": [f"Not all nets are here: {missing}."] if missing else [],
    }


def swept(context: ExperimentContext) -> dict[str, Any]:
    """Table 2 with other layers and batch sizes, split at random as in the paper; by validation positions alone."""
    chosen = _settings(context)
    folder = jobs_folder(context, chosen, JOBS)
    material = gathered(context, folder, chosen["positions"])
    found, part = material.labels, material.parts["positions"]
    target = buckets(found.values, found.positions["turn"], part == TRAIN)
    plans = sweep(context.size)
    job_set = material.write_jobs(folder, {job: TrainingJob(plan, target, "positions") for job, plan in plans.items()})
    missing = _have(context, job_set, list(plans), chosen)
    reports = {job: report for job in plans if (report := job_set.report(job)) is not None}
    if not reports:
        return {"skipped": missing}
    sizes = {"positions": {"parts": {"train": int((part == TRAIN).sum())}}}
    return {
        "rows": [
            {
                "net": f"Net {job.split('-')[1].upper()}",
                "hidden": list(plans[job].arguments["hidden"]),
                "batch": plans[job].batch,
                "curve": _curve("positions", report, sizes),
            }
            for job, report in reports.items()
        ],
        "notes": [f"Not all nets are here: {missing}."] if missing else [],
    }


def _settings(context: ExperimentContext) -> dict[str, Any]:
    """Of `networks`, which the sweep shares."""
    positions = usual_settings("sheehan-a", context.size)["positions"]
    return context.chosen("networks", {"positions": positions, **JOB_SETTINGS})


def _have(context: ExperimentContext, job_set: LabelledJobs, names: Sequence[str], chosen: Mapping[str, Any]) -> str:
    """Run the training jobs; where some are left for another machine, say so."""
    try:
        train_jobs(context, job_set, names, device=chosen["device"], at_once=chosen["at_once"])
    except JobsLeft as left:
        return str(left)
    return ""


def _row(variant: Variant, split: str, report: TrainingReport, split_figures: Mapping[str, Any]) -> dict[str, Any]:
    plan, test = _plan(report), report.test
    return {
        "net": variant.net,
        "how": variant.how,
        "split": split,
        "seed": plan.seed,
        "cut": bool(report.about.get("cut")),
        "job": name_of(variant, split),
        **{key: test[key] for key in ("count", "accuracy", "near", "loss")},
        "validation_accuracy": report.validation["accuracy"],
        "train_accuracy": report.train["accuracy"],
        "iterations": iterations(plan, report.epochs, split_figures[split]["parts"]["train"]),
        "batch": plan.batch,
        "hidden": list(plan.arguments.get("hidden", [])),
        "seconds": report.seconds,
        "device": report.device,
        "busy": report.busy,
    }


def _plan(report: TrainingReport) -> SupervisedConfig:
    return SupervisedConfig.from_json(report.about["config"])


def _curve(split: str, report: TrainingReport, split_figures: Mapping[str, Any]) -> list[list[float]]:
    """Iterations, and accuracy on the validation positions."""
    plan, trained = _plan(report), split_figures[split]["parts"]["train"]
    return [
        [iterations(plan, entry["epoch"], trained), round(entry["validation_accuracy"], 5)] for entry in report.curve
    ]


def _split(material: JobLabels, job_set: LabelledJobs, split: str) -> dict[str, Any]:
    """Sizes of the parts, neighbours between them, and what needs no network."""
    labels, part = material.labels, material.parts[split]
    target = buckets(labels.values, labels.positions["turn"], part == TRAIN)
    classes = target.of(labels.values, labels.positions["turn"])
    return {
        **material.split_figures(split),
        "edges": list(target.edges),
        "populations": np.bincount(classes[part == TRAIN], minlength=BUCKETS).tolist(),
        "baselines": baselines(job_set, name_of(variants("full", own=False)[0], split)),
    }


TESTED: Final = 20_000
"""Test positions, at most."""


def certainty(context: ExperimentContext) -> dict[str, Any]:
    """For every trained net: the probability of its answer, and the entropy of all ten."""
    job_set, split = trained_jobs(context), preferred(splits(context))
    rows = []
    for variant in variants(context.size, own=False):
        job = name_of(variant, split)
        if variant.plan.seed > 1 or not has_weights(job_set, job):
            continue
        positions, _, buckets = tested(job_set, job)
        found = probabilities(brain(context, job_set, job), positions)
        rows.append({"net": variant.net, "how": variant.how, **_sure(found, buckets)})
    return {"rows": rows, "split": split, "most": math.log2(10)}


def tested(job_set: LabelledJobs, job: str) -> tuple[NDArray[np.void], NDArray[np.int64], NDArray[np.int64]]:
    """Some test positions, the teacher's values for White, and their buckets."""
    rows = job_set.part(job, TEST)[:TESTED]
    packed = np.ascontiguousarray(job_set.positions[rows])
    values = job_set.values[rows].astype(np.int64)
    turns = packed[:, TURN]
    buckets = job_set.jobs[job].target.of(values, turns)
    return packed.view(POSITION).reshape(-1), np.where(turns == 1, -values, values), buckets


def probabilities(path: Path, positions: NDArray[np.void]) -> NDArray[np.float32]:
    found = evaluations(str(path), positions).classes
    assert found is not None
    return found


def _sure(found: NDArray[np.float32], buckets: NDArray[np.int64]) -> dict[str, Any]:
    ordered = np.sort(found, axis=1)
    top, second = ordered[:, -1], ordered[:, -2]
    right = found.argmax(axis=1) == buckets
    entropy = -(found * np.log2(np.maximum(found, 1e-12))).sum(axis=1)
    return {
        "count": len(found),
        "top": float(top.mean()),
        "second": float(second.mean()),
        "right": float(top[right].mean()) if right.any() else None,
        "wrong": float(top[~right].mean()) if (~right).any() else None,
        "entropy": float(entropy.mean()),
    }
