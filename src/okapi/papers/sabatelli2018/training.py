"""Sections 4.1 to 4.3: Tables 1 to 3 split by game and at random, and what the error of dataset 4 means."""

import math
from collections.abc import Iterable
from itertools import product
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import one_hot

from okapi.brains import evaluations, load
from okapi.brains.output import expected_scores
from okapi.core.evaluation import outputs
from okapi.models.torch_boards import codes_of
from okapi.papers import jobs as training
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
from okapi.papers.headlines import preferred
from okapi.papers.sabatelli2018.headlines import NETWORKS, ON_DATASET_4, PLAYER, PLAYING, job_name
from okapi.recipes import usual_settings
from okapi.recipes.arrays import TEST, TRAIN
from okapi.recipes.config import Size
from okapi.recipes.jobs import TURN, LabelledJobs, TrainingJob
from okapi.recipes.sabatelli2018 import (
    CLIP,
    DATASETS,
    IMAGES,
    INPUTS,
    REGRESSION,
    network_job,
    players,
)


def jobs(
    *, prefix: str = "", inputs: Iterable[str] = INPUTS, datasets: Iterable[int] = DATASETS, **how: Any
) -> dict[str, TrainingJob]:
    """All networks of Tables 1 to 3, or those of some inputs and datasets; `how` is for network_job."""
    return {f"{prefix}{job_name(*job)}": network_job(*job, **how) for job in product(NETWORKS, inputs, datasets)}


RANDOM: Final = "positions-"  # before the names of jobs that are split at random
SAME: Final = ("positions", "epochs", "shrink")  # settings that recipes have, too

SPLIT_INPUTS: Final[dict[Size, tuple[str, ...]]] = {"tiny": INPUTS[:1], "quick": INPUTS[:1], "full": INPUTS}
SPLIT_DATASETS: Final[dict[Size, tuple[int, ...]]] = {"tiny": (1, 4), "quick": DATASETS, "full": DATASETS}


def tables(context: ExperimentContext) -> dict[str, Any]:
    """Tables 1 to 3: every network and input on every dataset, no position of a test game in training."""
    chosen, material, same = _material(context)
    how, shrink = preferred(material.parts), same["shrink"]
    paper = jobs(parts=how, **same)
    seeds = {
        f"{PLAYER}-seed-{seed}": network_job("mlp", INPUTS[0], REGRESSION, parts=how, **{**same, "seed": seed})
        for seed in range(context.seed + 1, context.seed + chosen["seeds"])
    }
    ours = players(parts=how, **{**same, "epochs": chosen["player_epochs"]})
    every = {"jobs": paper, "seeds": seeds, "players": ours}
    job_set = material.write_jobs({**paper, **seeds, **ours})
    reports = training.train_jobs(context, job_set, [*paper, *seeds, *ours], chosen)
    playing = {**PLAYING, **{name: f"{PLAYING[PLAYER]}, seed {name[-1]}" for name in seeds}}
    return {
        **{kind: {name: training.job_figures(reports[name]) for name in some} for kind, some in every.items()},
        "brains": {
            called: context.inside(training.write_job_brain(context, job_set, name, "sabatelli2018"))
            for name, called in playing.items()
            if training.has_weights(job_set, name)
        },
        "baselines": _baselines(job_set),
        "jobs_folder": str(material.folder.absolute()) if chosen["jobs"] else context.inside(material.folder),
        "split": how,
        "notes": [] if shrink == 1 else [f"The networks have one unit where the paper's have {shrink}."],
        **material.split_figures(how),
    }


def splits(context: ExperimentContext) -> dict[str, Any]:
    """The same networks on the same positions, split at random as in the paper, beside those split by game."""
    chosen, material, same = _material(context)
    if "games" not in material.parts:
        raise ExperimentSkipped("the labels name no games, so there is one way to split them")
    some: dict[str, Any] = {"inputs": SPLIT_INPUTS[context.size], "datasets": SPLIT_DATASETS[context.size]}
    at_random = jobs(prefix=RANDOM, parts="positions", **some, **same)
    job_set = material.write_jobs(at_random)
    training.train_jobs(context, job_set, list(at_random), chosen)
    found = {}
    for how, prefix in (("positions", RANDOM), ("games", "")):
        reports = training.finished_reports(job_set, [name.replace(RANDOM, prefix, 1) for name in at_random])
        figures = {name.removeprefix(RANDOM): training.job_figures(report) for name, report in reports.items()}
        found[how] = {"jobs": figures, "baselines": _baselines(job_set, prefix), **material.split_figures(how)}
    return found


def images(context: ExperimentContext) -> dict[str, Any]:
    """Section 6: more informative inputs for both networks, by game."""
    chosen, material, same = _material(context)
    how = preferred(material.parts)
    wanted = [(network, input_) for network, inputs in IMAGES.items() for input_ in inputs]
    every = [(*pair, dataset) for dataset in (1, REGRESSION) for pair in wanted]
    made = {job_name(*each): network_job(*each, parts=how, **same) for each in every}
    reports, _ = training.train_some_jobs(context, material.write_jobs(made), list(made), chosen)
    missing = [f"Not trained: {name}." for name in made if name not in reports]
    figures = {name: training.job_figures(report) for name, report in reports.items()}
    return {"jobs": figures, "split": how, "notes": missing}


def _material(context: ExperimentContext) -> tuple[dict[str, Any], training.JobLabels, dict[str, Any]]:
    """Settings of `tables`, which all trainings share, the positions of their jobs, and what these are made with."""
    usual = {name: usual_settings("sabatelli-player", context.size)[name] for name in SAME}
    chosen = context.read_settings("sabatelli2018", "tables", **usual, **training.JOB_SETTINGS)
    same = {"epochs": chosen["epochs"], "seed": context.seed, "shrink": chosen["shrink"]}
    return chosen, training.JobLabels.of(context, chosen, "tables"), same


def _baselines(job_set: LabelledJobs, prefix: str = "") -> dict[str, Any]:
    """Of each dataset, by its number as text."""
    names = {str(dataset): f"{prefix}{job_name('mlp', INPUTS[0], dataset)}" for dataset in DATASETS}
    return {dataset: training.baselines(job_set, job) for dataset, job in names.items() if job in job_set.jobs}


FARTHEST: Final = 12  # squares: larger distances are counted together
PHASES: Final = {"opening": (28, 32), "middle game": (13, 27), "endgame": (0, 12)}  # by the number of pieces

ROWS_AT_ONCE: Final = 100_000


def where(context: ExperimentContext) -> dict[str, Any]:
    """Accuracy on dataset 1 by phase, and by the distance to the nearest training position."""
    count = context.read_settings("sabatelli2018", "where")["positions"]
    job_set = LabelledJobs.read(context.folder / context.result("tables")["jobs_folder"])
    near: dict[str, NDArray[np.int64]] = {}
    rows = []
    for name in (f"{prefix}{job_name(network, 'bitmap', 1)}" for prefix in ("", RANDOM) for network in NETWORKS):
        if not training.has_weights(job_set, name):
            continue
        job = job_set.jobs[name]
        asked = np.sort(np.random.default_rng(context.seed).permutation(job_set.part(name, TEST))[:count])
        if job.parts not in near:
            context.tell(f"where: distances, split by {job.parts}")
            near[job.parts] = nearest(job_set.positions[asked], job_set.positions[job_set.part(name, TRAIN)])
        positions = training.positions_of(job_set, asked)
        brain = training.write_job_brain(context, job_set, name, "sabatelli2018")
        said = evaluations(str(brain), positions).classes
        assert said is not None
        hit = said.argmax(axis=1) == job.target.of(job_set.values[asked], job_set.positions[asked][:, TURN])
        pieces = np.bitwise_count(positions["occupied"])
        at = np.minimum(near[job.parts], FARTHEST)
        inside = {phase: (least <= pieces) & (pieces <= most) for phase, (least, most) in PHASES.items()}
        phases = {phase: _hits(hit, here) for phase, here in inside.items()}
        distances = [[place, *_hits(hit, at == place)] for place in np.unique(at).tolist()]
        rows.append({"job": name, "phases": phases, "distances": distances})
    if not rows:
        raise ExperimentSkipped("no network of dataset 1 is here")
    return {"rows": rows, "count": count}


def _hits(hit: NDArray[np.bool_], here: NDArray[np.bool_]) -> list[int]:
    return [int(hit[here].sum()), int(here.sum())]


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


MATE: Final = 31_000  # centipawns from which on a value is a mate
CLIPS: Final = (5, 10, 15, 20, 30, 50, 100)  # pawns

Floats = NDArray[np.float64]


def normalisation(context: ExperimentContext) -> dict[str, Any]:
    """The error of Table 3 under each normalisation: the paper does not state its own."""
    count = context.read_settings("sabatelli2018", "normalisation")["positions"]
    trained = context.result("tables")
    job_set = LabelledJobs.read(context.folder / trained["jobs_folder"])
    name = next(name for name in (PLAYER, *ON_DATASET_4) if PLAYING[name] in trained["brains"])
    rows = np.sort(np.random.default_rng(context.seed).permutation(job_set.part(name, TEST))[:count])
    brain = load(str(context.folder / trained["brains"][PLAYING[name]]))
    answered = outputs(brain, training.positions_of(job_set, rows), threads=context.executor.workers)[:, 0]
    found = compared(CLIP * (2.0 * answered.astype(np.float64) - 1.0), job_set.values[rows].astype(np.float64))
    return {**found, "network": PLAYING[name]}


def compared(answers: Floats, values: Floats) -> dict[str, Any]:
    """The errors of answers, and of the mean as a constant answer, under each normalisation."""
    is_mate = np.abs(values) >= MATE
    largest = float(np.abs(values[~is_mate]).max(initial=1.0))
    # Name; what values are cut off at and divided by, evenly; whether mates are among them.
    ways: list[tuple[str, float, bool]] = [(f"cut off at ±{pawns} pawns", 100.0 * pawns, True) for pawns in CLIPS]
    ways.append(("least to largest, without mates", largest, False))
    ways.append(("least to largest, mates 320 pawns", 32_000.0, True))
    ways.append(("expected score", 800 / math.log(10), True))  # not linear: its range is that around 0
    rows = []
    for name, most, mates in ways:
        kept = mates | ~is_mate
        ours, theirs = (
            expected_scores(cp) if name == "expected score" else np.clip(cp, -most, most) / (2 * most) + 0.5
            for cp in (answers[kept], values[kept])
        )
        errors = {"network": float(np.mean((ours - theirs) ** 2)), "constant": float(np.var(theirs))}
        rows.append({"name": name, **errors, "range_cp": 2 * most})
    return {"rows": rows, "positions": len(values), "mates": float(is_mate.mean()), "largest": largest}
