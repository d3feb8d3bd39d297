"""Sections 4.1 to 4.3: Tables 1 to 3 split by game and at random, and what the error of dataset 4 means."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import load
from okapi.brains.files import replace_file
from okapi.core.evaluation import outputs
from okapi.core.packed import POSITION
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import JOB_SETTINGS, JobLabels, job_figures, jobs_folder, train_jobs, write_job_disagreements
from okapi.papers.sabatelli2018.headlines import NETWORKS, ON_DATASET_4, PLAYING, job_name, modern_name
from okapi.recipes.arrays import TEST
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.jobs import LabelledJobs, TrainingJob, export_job
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.sabatelli2018 import (
    CLIP,
    DATASETS,
    EPOCHS,
    INPUTS,
    POSITIONS,
    REGRESSION,
    SHRINK,
    TODAY,
    network_job,
    players,
    shares,
)
from okapi.recipes.splits import both_splits
from okapi.recipes.targets import expected_score
from okapi.training.report import NETWORK_FILE


def jobs(
    *,
    parts: str,
    epochs: Mapping[str, int],
    seed: int = 1,
    shrink: int = 1,
    prefix: str = "",
    inputs: Iterable[str] = INPUTS,
    datasets: Iterable[int] = DATASETS,
) -> dict[str, TrainingJob]:
    """All networks of Tables 1 to 3, or those of some inputs and datasets; `epochs` of each kind of network."""
    return {
        f"{prefix}{job_name(network, input_, dataset)}": network_job(
            network, input_, dataset, parts=parts, epochs=epochs[network], seed=seed, shrink=shrink
        )
        for network in NETWORKS
        for input_ in inputs
        for dataset in datasets
    }


def modern_jobs(*, parts: str, epochs: int, seed: int = 1, shrink: int = 1) -> dict[str, TrainingJob]:
    """The networks of Tables 1 and 2, with dropout, trained with today's methods; none where there are no epochs."""
    made = {}
    for network in NETWORKS if epochs else ():
        for input_ in INPUTS:
            for dataset in sorted(set(DATASETS) - {REGRESSION}):
                paper = network_job(network, input_, dataset, parts=parts, epochs=epochs, seed=seed, shrink=shrink)
                plan = replace(paper.plan, patience=None, **TODAY)
                made[modern_name(network, input_, dataset)] = replace(paper, plan=plan)
    return made


SAME: Final = {"positions": POSITIONS, "epochs": EPOCHS, "shrink": SHRINK}
"""Settings that recipes have, too."""

SPLIT_INPUTS: Final[dict[Size, tuple[str, ...]]] = {"tiny": INPUTS[:1], "quick": INPUTS[:1], "full": INPUTS}
SPLIT_DATASETS: Final[dict[Size, tuple[int, ...]]] = {"tiny": (1, 4), "quick": DATASETS, "full": DATASETS}


def tables(context: ExperimentContext) -> dict[str, Any]:
    """Tables 1 to 3: every network and input on every dataset, no position of a test game in training."""
    usual = {name: values[context.size] for name, values in SAME.items()}
    chosen = context.read_settings("sabatelli2018", "tables", **usual, **JOB_SETTINGS)
    folder = jobs_folder(context, chosen, "tables")

    def make() -> tuple[LabelledPositions, Mapping[str, Any]]:
        labels = load_labels(context, most=chosen["positions"] or None)
        return labels, {str(how): part for how, part in both_splits(labels, context.seed, shares(labels)).items()}

    material = JobLabels.gathered(folder, _asked(context, chosen), make)
    how = "games" if "games" in material.parts else "positions"
    same: dict[str, Any] = {"parts": how, "seed": context.seed, "shrink": chosen["shrink"]}
    paper = jobs(**same, epochs={"mlp": chosen["epochs"], "cnn": chosen["cnn_epochs"]})
    now = modern_jobs(**same, epochs=chosen["today_epochs"])
    ours = players(**same, epochs=chosen["player_epochs"])
    job_set = material.write_jobs(folder, {**paper, **now, **ours})
    train_jobs(context, job_set, [*paper, *now, *ours], device=chosen["device"], at_once=chosen["at_once"])
    return {
        "jobs": {name: job_figures(job_set, name) for name in paper},
        "today": {name: job_figures(job_set, name) for name in now},
        "players": {name: job_figures(job_set, name) for name in ours},
        "brains": {
            called: context.inside(_brain(context, job_set, name))
            for name, called in PLAYING.items()
            if (
                job_set.job_folder(name) / NETWORK_FILE
            ).exists()  # not all weights come back from where they were learned
        },
        "jobs_folder": str(folder.absolute()) if chosen["jobs"] else context.inside(folder),
        "split": how,
        "notes": _shrunk(chosen["shrink"]),
        **material.split_figures(how),
    }


def splits(context: ExperimentContext) -> dict[str, Any]:
    """The same networks on positions that follow each other, split at random as in the paper, and by game."""
    usual = {name: values[context.size] for name, values in SAME.items()}
    chosen = context.chosen("splits", {"labels": "", **usual, **JOB_SETTINGS})
    folder = jobs_folder(context, chosen, "splits")

    def make() -> tuple[LabelledPositions, Mapping[str, Any]]:
        labels = _consecutive(context, chosen["labels"], chosen["positions"])
        return labels, {str(how): part for how, part in both_splits(labels, context.seed).items()}

    material = JobLabels.gathered(folder, _asked(context, chosen), make)
    trained = {
        how: jobs(
            parts=how,
            epochs=dict.fromkeys(NETWORKS, chosen["epochs"]),
            seed=context.seed,
            shrink=chosen["shrink"],
            prefix=f"{how}-",
            inputs=SPLIT_INPUTS[context.size],
            datasets=SPLIT_DATASETS[context.size],
        )
        for how in ("positions", "games")
    }
    every = {name: job for some in trained.values() for name, job in some.items()}
    job_set = material.write_jobs(folder, every)
    train_jobs(context, job_set, list(every), device=chosen["device"], at_once=chosen["at_once"])
    return {
        how: {
            "jobs": {name.removeprefix(f"{how}-"): job_figures(job_set, name) for name in some},
            **material.split_figures(how),
        }
        for how, some in trained.items()
    }


def _asked(context: ExperimentContext, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that decide which positions there are, and how they are split."""
    settings = context.settings("")
    files = {name: settings[name] for name in ("seed", "games", "labels")}
    return {**files, "positions": chosen["positions"], "other": chosen.get("labels", "")}


def _shrunk(by: int) -> list[str]:
    return [] if by == 1 else [f"The networks have one unit where the paper's have {by}."]


def _consecutive(context: ExperimentContext, named: str, most: int) -> LabelledPositions:
    """Labels with the game and ply of each position; where there are none, those of games played here."""
    if not named:
        own = load_labels(context, most=most or None)
        if own.library is None and own.games is not None and (own.plies >= 0).any():
            return own
    file = Path(named) if named else None
    return load_labels(
        RecipeConfig(context.size, context.seed, context.executor, labels=file),
        most=most or None,
        folder=context.folder / "labels",
    )


def _brain(context: ExperimentContext, job_set: LabelledJobs, name: str) -> Path:
    path = context.folder / "brains" / f"{name}.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"name": f"sabatelli2018 {name}", "recipe": "okapi paper sabatelli2018"}
    replace_file(path, export_job(job_set.folder, name, card))
    write_job_disagreements(context, job_set, name, path)
    return path


MATE: Final = 31_000
"""Centipawns from which on a value is a mate."""

CLIPS: Final = (5, 10, 15, 20, 30, 50, 100)
"""Pawns."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Normalisation:
    """A map from centipawns to numbers from 0 to 1."""

    name: str
    apply: Callable[[Floats], Floats]
    range_cp: float
    """Width of the range in centipawns; of a map that is not linear, around 0."""
    mates: bool = True
    """Whether mates are among the values."""


def normalisations(largest: float) -> Iterator[Normalisation]:
    """Those that are compared; `largest` is the largest value that is not a mate."""
    for pawns in CLIPS:
        yield Normalisation(f"cut off at ±{pawns} pawns", partial(_evenly, most=100.0 * pawns), 200.0 * pawns)
    yield Normalisation("least to largest, without mates", partial(_evenly, most=largest), 2 * largest, mates=False)
    yield Normalisation("least to largest, mates 320 pawns", partial(_evenly, most=32_000.0), 64_000.0)
    yield Normalisation("expected score", expected_score, 1600 / math.log(10))


def normalisation(context: ExperimentContext) -> dict[str, Any]:
    """The error of Table 3 under each normalisation: the paper does not state its own."""
    count = context.read_settings("sabatelli2018", "normalisation")["positions"]
    trained = context.result("tables")
    job_set = LabelledJobs.read(context.folder / trained["jobs_folder"])
    name = next(name for name in (job_name("mlp", "bitmap", REGRESSION), *ON_DATASET_4) if _plays(trained, name))
    rows = job_set.part(name, TEST)
    rows = np.sort(np.random.default_rng(context.seed).permutation(rows)[:count])
    brain = load(str(context.folder / trained["brains"][PLAYING[name]]))
    positions = np.ascontiguousarray(job_set.positions[rows]).view(POSITION)[:, 0]
    answered = outputs(brain, positions, threads=context.executor.workers)[:, 0]
    found = compared(CLIP * (2.0 * answered.astype(np.float64) - 1.0), job_set.values[rows].astype(np.float64))
    return {**found, "network": PLAYING[name]}


def _plays(trained: Mapping[str, Any], name: str) -> bool:
    return PLAYING[name] in trained["brains"]


def compared(answers: Floats, values: Floats) -> dict[str, Any]:
    """The errors of answers, and of the mean as a constant answer, under each normalisation."""
    is_mate = np.abs(values) >= MATE
    largest = float(np.abs(values[~is_mate]).max(initial=1.0))
    rows = []
    for way in normalisations(largest):
        kept = ~is_mate if not way.mates else np.ones(len(values), np.bool_)
        ours, theirs = way.apply(answers[kept]), way.apply(values[kept])
        rows.append(
            {
                "name": way.name,
                "network": float(np.mean((ours - theirs) ** 2)),
                "constant": float(np.var(theirs)),
                "range_cp": way.range_cp,
            }
        )
    return {"rows": rows, "positions": len(values), "mates": float(is_mate.mean()), "largest": largest}


def _evenly(cp: Floats, *, most: float) -> Floats:
    return np.clip(cp, -most, most) / (2 * most) + 0.5
