"""Sections 4.1 to 4.3: Tables 1 to 3 split by game and at random, and what the error of dataset 4 means."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import one_hot

from okapi.brains import evaluations, load
from okapi.brains.files import replace_file
from okapi.brains.output import expected_scores
from okapi.core.evaluation import outputs
from okapi.core.packed import POSITION
from okapi.models.torch_boards import codes_of
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import (
    JOB_SETTINGS,
    JobLabels,
    JobsLeft,
    baselines,
    job_figures,
    jobs_folder,
    train_jobs,
    write_job_disagreements,
)
from okapi.papers.sabatelli2018.headlines import NETWORKS, ON_DATASET_4, PLAYER, PLAYING, job_name
from okapi.recipes import usual_settings
from okapi.recipes.arrays import TEST, TRAIN
from okapi.recipes.config import Size
from okapi.recipes.jobs import TURN, LabelledJobs, TrainingJob, export_job
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.sabatelli2018 import (
    CLIP,
    DATASETS,
    IMAGES,
    INPUTS,
    REGRESSION,
    network_job,
    players,
    shares,
)
from okapi.recipes.splits import both_splits
from okapi.training.report import NETWORK_FILE


def jobs(
    *,
    parts: str,
    epochs: int,
    seed: int = 1,
    shrink: int = 1,
    prefix: str = "",
    inputs: Iterable[str] = INPUTS,
    datasets: Iterable[int] = DATASETS,
) -> dict[str, TrainingJob]:
    """All networks of Tables 1 to 3, or those of some inputs and datasets."""
    return {
        f"{prefix}{job_name(network, input_, dataset)}": network_job(
            network, input_, dataset, parts=parts, epochs=epochs, seed=seed, shrink=shrink
        )
        for network in NETWORKS
        for input_ in inputs
        for dataset in datasets
    }


PLAYER_IS: Final = ("mlp", INPUTS[0], REGRESSION)
RANDOM: Final = "positions-"
"""Before the names of jobs that are split at random."""

SAME: Final = ("positions", "epochs", "shrink")
"""Settings that recipes have, too."""

SPLIT_INPUTS: Final[dict[Size, tuple[str, ...]]] = {"tiny": INPUTS[:1], "quick": INPUTS[:1], "full": INPUTS}
SPLIT_DATASETS: Final[dict[Size, tuple[int, ...]]] = {"tiny": (1, 4), "quick": DATASETS, "full": DATASETS}


JOBS: Final = "tables"
"""The folder of all training jobs."""


def tables(context: ExperimentContext) -> dict[str, Any]:
    """Tables 1 to 3: every network and input on every dataset, no position of a test game in training."""
    chosen, folder, material = _material(context)
    how = "games" if "games" in material.parts else "positions"
    same: dict[str, Any] = {"parts": how, "shrink": chosen["shrink"]}
    paper = jobs(**same, epochs=chosen["epochs"], seed=context.seed)
    seeds = {
        f"{PLAYER}-seed-{seed}": network_job(*PLAYER_IS, **same, epochs=chosen["epochs"], seed=seed)
        for seed in range(context.seed + 1, context.seed + chosen["seeds"])
    }
    ours = players(**same, epochs=chosen["player_epochs"], seed=context.seed)
    job_set = material.write_jobs(folder, {**paper, **seeds, **ours})
    train_jobs(context, job_set, [*paper, *seeds, *ours], device=chosen["device"], at_once=chosen["at_once"])
    playing = {**PLAYING, **{name: f"{PLAYING[PLAYER]}, seed {name[-1]}" for name in seeds}}
    return {
        "jobs": {name: job_figures(job_set, name) for name in paper},
        "seeds": {name: job_figures(job_set, name) for name in seeds},
        "players": {name: job_figures(job_set, name) for name in ours},
        "brains": {
            called: context.inside(_brain(context, job_set, name))
            for name, called in playing.items()
            if (
                job_set.job_folder(name) / NETWORK_FILE
            ).exists()  # not all weights come back from where they were learned
        },
        "baselines": _baselines(job_set),
        "jobs_folder": str(folder.absolute()) if chosen["jobs"] else context.inside(folder),
        "split": how,
        "notes": _shrunk(chosen["shrink"]),
        **material.split_figures(how),
    }


def splits(context: ExperimentContext) -> dict[str, Any]:
    """The same networks on the same positions, split at random as in the paper, beside those split by game."""
    chosen, folder, material = _material(context)
    if "games" not in material.parts:
        return {"skipped": "the labels name no games, so there is one way to split them"}
    at_random = jobs(
        parts="positions",
        epochs=chosen["epochs"],
        seed=context.seed,
        shrink=chosen["shrink"],
        prefix=RANDOM,
        inputs=SPLIT_INPUTS[context.size],
        datasets=SPLIT_DATASETS[context.size],
    )
    job_set = material.write_jobs(folder, at_random)
    train_jobs(context, job_set, list(at_random), device=chosen["device"], at_once=chosen["at_once"])
    names = [name.removeprefix(RANDOM) for name in at_random]
    return {
        how: {
            "jobs": {name: job_figures(job_set, f"{prefix}{name}") for name in names},
            "baselines": _baselines(job_set, prefix),
            **material.split_figures(how),
        }
        for how, prefix in (("positions", RANDOM), ("games", ""))
    }


def images(context: ExperimentContext) -> dict[str, Any]:
    """Section 6: more informative inputs for both networks, by game."""
    chosen, folder, material = _material(context)
    how = "games" if "games" in material.parts else "positions"
    made = {
        job_name(network, input_, dataset): network_job(
            network,
            input_,
            dataset,
            parts=how,
            epochs=chosen["epochs"],
            seed=context.seed,
            shrink=chosen["shrink"],
        )
        for dataset in (1, REGRESSION)
        for network, inputs in IMAGES.items()
        for input_ in inputs
    }
    job_set = material.write_jobs(folder, made)
    try:
        train_jobs(context, job_set, list(made), device=chosen["device"], at_once=chosen["at_once"])
    except JobsLeft:
        if not any(job_set.report(name) for name in made):
            raise
    trained = [name for name in made if job_set.report(name) is not None]
    missing = [f"Not trained: {name}." for name in made if name not in trained]
    return {"jobs": {name: job_figures(job_set, name) for name in trained}, "split": how, "notes": missing}


def _material(context: ExperimentContext) -> tuple[dict[str, Any], Path, JobLabels]:
    """Settings of `tables`, which all trainings share; the folder of their jobs, and the positions."""
    usual = {name: usual_settings("sabatelli-player", context.size)[name] for name in SAME}
    chosen = context.read_settings("sabatelli2018", "tables", **usual, **JOB_SETTINGS)
    folder = jobs_folder(context, chosen, JOBS)

    def make() -> tuple[LabelledPositions, Mapping[str, Any]]:
        labels = load_labels(context, most=chosen["positions"] or None)
        return labels, {str(how): part for how, part in both_splits(labels, context.seed, shares(labels)).items()}

    settings = context.settings("")
    asked = {name: settings[name] for name in ("seed", "games", "labels")}
    return chosen, folder, JobLabels.gathered(folder, {**asked, "positions": chosen["positions"]}, make)


def _baselines(job_set: LabelledJobs, prefix: str = "") -> dict[str, Any]:
    """Of each dataset, by its number as text."""
    names = {str(dataset): f"{prefix}{job_name('mlp', INPUTS[0], dataset)}" for dataset in DATASETS}
    return {dataset: baselines(job_set, job) for dataset, job in names.items() if job in job_set.jobs}


def _shrunk(by: int) -> list[str]:
    return [] if by == 1 else [f"The networks have one unit where the paper's have {by}."]


def _brain(context: ExperimentContext, job_set: LabelledJobs, name: str) -> Path:
    path = context.folder / "brains" / f"{name}.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"name": f"sabatelli2018 {name}", "recipe": "okapi paper sabatelli2018"}
    replace_file(path, export_job(job_set.folder, name, card))
    write_job_disagreements(context, job_set, name, path)
    return path


# --- Where the networks are right -------------------------------------------------------------------------------------

FARTHEST: Final = 12
"""Squares: larger distances are counted together."""

PHASES: Final = {"opening": (28, 32), "middle game": (13, 27), "endgame": (0, 12)}
"""By the number of pieces."""

ROWS_AT_ONCE: Final = 100_000


def where(context: ExperimentContext) -> dict[str, Any]:
    """Accuracy on dataset 1 by phase, and by the distance to the nearest training position."""
    count = context.read_settings("sabatelli2018", "where")["positions"]
    job_set = LabelledJobs.read(context.folder / context.result("tables")["jobs_folder"])
    near: dict[str, NDArray[np.int64]] = {}
    rows = []
    for name in (f"{prefix}{job_name(network, 'bitmap', 1)}" for prefix in ("", RANDOM) for network in NETWORKS):
        if name not in job_set.jobs or not (job_set.job_folder(name) / NETWORK_FILE).exists():
            continue
        job = job_set.jobs[name]
        asked = np.sort(np.random.default_rng(context.seed).permutation(job_set.part(name, TEST))[:count])
        if job.parts not in near:
            context.tell(f"where: distances, split by {job.parts}")
            near[job.parts] = nearest(job_set.positions[asked], job_set.positions[job_set.part(name, TRAIN)])
        positions = np.ascontiguousarray(job_set.positions[asked]).view(POSITION)[:, 0]
        said = evaluations(str(_brain(context, job_set, name)), positions).classes
        assert said is not None
        hit = said.argmax(axis=1) == job.target.of(job_set.values[asked], job_set.positions[asked][:, TURN])
        pieces = np.bitwise_count(positions["occupied"])
        inside = {phase: (least <= pieces) & (pieces <= most) for phase, (least, most) in PHASES.items()}
        at = np.minimum(near[job.parts], FARTHEST)
        rows.append(
            {
                "job": name,
                "phases": {phase: [int(hit[here].sum()), int(here.sum())] for phase, here in inside.items()},
                "distances": [
                    [place, int(hit[at == place].sum()), int((at == place).sum())] for place in np.unique(at).tolist()
                ],
            }
        )
    return {"rows": rows, "count": count} if rows else {"skipped": "no network of dataset 1 is here"}


def nearest(asked: NDArray[np.uint8], known: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The fewest squares in which each packed position differs from one of the known ones with the same mover."""
    found = np.full(len(asked), 64, np.int64)
    for turn in (0, 1):
        here = np.flatnonzero(asked[:, TURN] == turn)
        wanted = _squares(asked[here])
        there = np.flatnonzero(known[:, TURN] == turn)
        for begin in range(0, len(there) if len(here) else 0, ROWS_AT_ONCE):
            same = wanted @ _squares(known[there[begin : begin + ROWS_AT_ONCE]]).T
            found[here] = np.minimum(found[here], 64 - same.max(dim=1).values.long().numpy())
    return found


def _squares(packed: NDArray[np.uint8]) -> Tensor:
    """One of 13 contents on each square: n x 832."""
    return one_hot(codes_of(torch.from_numpy(np.ascontiguousarray(packed))).long(), 13).flatten(1).float()


# --- The error of dataset 4 -------------------------------------------------------------------------------------------

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
    yield Normalisation("expected score", expected_scores, 1600 / math.log(10))


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
