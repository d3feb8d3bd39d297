"""Tables 2 and 3: the nets under two splits, and the piece differential alone; their certainty, and boards."""

import math
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluations, evaluator
from okapi.core import Color, Limits, Position, Search
from okapi.core.packed import fens, pack
from okapi.errors import NotFound
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import (
    JOB_SETTINGS,
    JobLabels,
    baselines,
    differential,
    has_weights,
    positions_of,
    preferred,
    train_some_jobs,
    write_job_brain,
)
from okapi.papers.sheehan2016.headlines import PUBLISHED
from okapi.recipes import usual_settings
from okapi.recipes.arrays import TEST, TRAIN
from okapi.recipes.config import Size
from okapi.recipes.jobs import TURN, LabelledJobs, TrainingJob
from okapi.recipes.labels import LabelledPositions
from okapi.recipes.sheehan2016 import BETTER, BUCKETS, RESIDUAL, Variant, buckets, iterations, shares, sweep, variants
from okapi.recipes.splits import Parts, SplitBy, both_splits
from okapi.training.report import TrainingReport
from okapi.training.supervised import SupervisedConfig


def jobs(
    size: Size, values: NDArray[Any], turns: NDArray[Any], parts: Mapping[str, NDArray[Any]]
) -> dict[str, TrainingJob]:
    """Training jobs of every variant under every split, and of our own network under the stricter one.

    Buckets have equal population among the training positions of that split.
    """
    found = {}
    wanted = sorted(_variants(size, parts).items(), key=lambda job: _importance(job[1][0]))
    for name, (variant, split) in wanted:
        target = buckets(values, turns, parts[split] == TRAIN, turned=variant.turned)
        found[name] = TrainingJob(variant.plan, target, split)
    return found


def _importance(variant: Variant) -> tuple[bool, int]:
    """The most important training jobs come first."""
    return variant.how == RESIDUAL, variant.plan.seed


def _variants(size: Size, splits: Collection[str]) -> dict[str, tuple[Variant, str]]:
    """By the names of their training jobs: variants and splits."""
    return {
        name_of(variant, split): (variant, split)
        for split in splits
        for variant in variants(size, own=split == preferred(splits))
    }


def name_of(variant: Variant, split: str) -> str:
    """The name of a training job, such as a-letter-games."""
    return f"{variant.name}-{split}"


# --- Trained nets -----------------------------------------------------------------------------------------------------


def trained_jobs(context: ExperimentContext) -> LabelledJobs:
    """The training jobs of the experiment `networks`: NotFound if that was not made."""
    return LabelledJobs.read(context.folder / context.result("networks")["jobs_folder"])


def tested_split(context: ExperimentContext) -> str:
    """The stricter split of the experiment `networks`."""
    return preferred(context.result("networks")["splits"])


def brain(context: ExperimentContext, job_set: LabelledJobs, job: str) -> Path:
    return write_job_brain(context, job_set, job, "sheehan2016")


def networks(context: ExperimentContext) -> dict[str, Any]:
    """Table 3: every variant under every split."""
    chosen, material = _material(context)
    found, folder = material.labels, material.folder
    job_set = material.write_jobs(jobs(context.size, found.values, found.positions["turn"], material.parts))
    wanted = _variants(context.size, material.parts)
    reports, missing = train_some_jobs(context, job_set, list(wanted), chosen)
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
    chosen, material = _material(context)
    found, part = material.labels, material.parts["positions"]
    target = buckets(found.values, found.positions["turn"], part == TRAIN)
    plans = sweep(context.size)
    job_set = material.write_jobs({job: TrainingJob(plan, target, "positions") for job, plan in plans.items()})
    reports, missing = train_some_jobs(context, job_set, list(plans), chosen)
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


def _material(context: ExperimentContext) -> tuple[dict[str, Any], JobLabels]:
    """Settings of `networks`, which the sweep shares, and the positions of their training jobs."""
    positions = usual_settings("sheehan-a", context.size)["positions"]
    chosen = context.chosen("networks", {"positions": positions, **JOB_SETTINGS})
    return chosen, JobLabels.of(context, chosen, "networks", _splits)


def _splits(labels: LabelledPositions, seed: int) -> dict[SplitBy, Parts]:
    return both_splits(labels, seed, shares(labels))


def _row(variant: Variant, split: str, report: TrainingReport, split_figures: Mapping[str, Any]) -> dict[str, Any]:
    plan, test = SupervisedConfig.from_json(report.about["config"]), report.test
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


def _curve(split: str, report: TrainingReport, split_figures: Mapping[str, Any]) -> list[list[float]]:
    """Iterations, and accuracy on the validation positions."""
    plan, trained = SupervisedConfig.from_json(report.about["config"]), split_figures[split]["parts"]["train"]
    steps = ((iterations(plan, entry["epoch"], trained), entry["validation_accuracy"]) for entry in report.curve)
    return [[step, round(accuracy, 5)] for step, accuracy in steps]


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
    job_set, split = trained_jobs(context), tested_split(context)
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
    values, turns = job_set.values[rows].astype(np.int64), job_set.positions[rows, TURN]
    buckets = job_set.jobs[job].target.of(values, turns)
    return positions_of(job_set, rows), np.where(turns == 1, -values, values), buckets


def probabilities(path: Path, positions: NDArray[np.void]) -> NDArray[np.float32]:
    found = evaluations(str(path), positions).classes
    assert found is not None
    return found


def _sure(found: NDArray[np.float32], buckets: NDArray[np.int64]) -> dict[str, Any]:
    ordered = np.sort(found, axis=1)
    top, second = ordered[:, -1], ordered[:, -2]
    right = found.argmax(axis=1) == buckets
    entropy = -(found * np.log2(np.maximum(found, 1e-12))).sum(axis=1)
    means = {"top": top, "second": second, "right": top[right], "wrong": top[~right], "entropy": entropy}
    return {"count": len(found), **{name: float(each.mean()) if len(each) else None for name, each in means.items()}}


# --- Boards as in Figures 5, 6 and 8, and the game of Figure 5 --------------------------------------------------------

MOST_DECIDED: Final = 2000
"""Centipawns: values are clipped here, because rules would else find mates and won games only."""

LEVEL: Final = 20
"""Centipawns within which a position is level."""

NODES: Final = 200_000
"""Of Okapi's search on a board of the game."""

GAME: Final = {"Calm before the storm": "fxe5 Qe6", "Likely mate": "Ra8 Rd2", "Sacrificed for victory": "Qxe5+ fxe5"}
"""The last two moves before each board of Figure 5. The figure has lost its boards; differential and mate fit these."""


def storms(context: ExperimentContext) -> dict[str, Any]:
    """Boards of the figures and of the game."""
    job_set = trained_jobs(context)
    net_a = next(each for each in variants(context.size, own=False) if (each.net, each.how) == ("Net A", BETTER))
    job = name_of(net_a, tested_split(context))
    if not has_weights(job_set, job):
        raise NotFound("Net A was not trained yet", hint="--only networks")
    path = brain(context, job_set, job)
    return {
        "edges": list(job_set.jobs[job].target.edges),
        "rows": list(_chosen(path, *tested(job_set, job))),
        "game": [_of_the_game(title, moves, path) for title, moves in GAME.items()],
        "nodes": NODES,
    }


def _chosen(
    path: Path, positions: NDArray[np.void], values: NDArray[np.int64], buckets: NDArray[np.int64]
) -> Iterator[dict[str, Any]]:
    """For each figure and title the row for which a number is largest, among those that fit; if any does.

    They are test positions with values for White, and their buckets.
    """
    found = probabilities(path, positions)
    answers, sure = found.argmax(axis=1), found.max(axis=1)
    values = values.clip(-MOST_DECIDED, MOST_DECIDED)
    pawns, pieces = differential(positions), np.bitwise_count(positions["occupied"])
    apart, off = np.abs(100 * pawns - values), np.abs(answers - buckets)
    level, winning, losing = np.abs(values) <= LEVEL, values >= 300, values <= -300
    for figure, title, fits, by in (
        ("5", "Ahead in pieces, but level", level & (np.abs(pawns) >= 1), apart),
        ("5", "Behind in pieces, but winning", (pawns <= -1) & winning, apart),
        ("5", "Ahead in pieces, but losing", (pawns >= 1) & losing, apart),
        ("6", "White is ahead by material only", pawns >= 3, -apart),
        ("6", "Black is ahead by material only", pawns <= -3, -apart),
        ("8", "Direct hit in the endgame", (off == 0) & (pieces <= 12), sure),
        ("8", "Direct hit in the middle game", (off == 0) & (pieces > 20), sure),
        ("8", "Near miss early on", (off == 1) & (pieces >= 28), sure),
        ("8", "Miss", off >= 3, off + sure),
    ):
        rows = np.flatnonzero(fits)
        if len(rows):
            row = int(rows[np.argmax(by[rows])])
            yield {
                "figure": figure,
                "title": title,
                "fen": fens(positions[row : row + 1])[0],
                "differential": int(pawns[row]),
                "teacher": int(values[row]),
                "bucket": int(buckets[row]),
                "answer": int(answers[row]),
                "probabilities": _rounded(found[row]),
            }


def _rounded(shares: NDArray[np.float32]) -> list[float]:
    return [round(float(share), 4) for share in shares]


def _of_the_game(title: str, moves: str, path: Path) -> dict[str, Any]:
    """A board of the game: its differential, the value of Okapi's search, and Net A's answer."""
    before, found, _ = PUBLISHED.alekhine.partition(moves)
    position = Position.start()
    for san in (before + found).split():
        position.play(san)
    value = Search(evaluator()).run(position, Limits(nodes=NODES)).value.for_side(Color.WHITE)
    packed = pack([position])
    shares = probabilities(path, packed)[0]
    return {
        "title": title,
        "fen": position.fen(),
        "differential": int(differential(packed)[0]),
        "mate": value.mate,
        "teacher": value.centipawns,
        "answer": int(shares.argmax()),
        "probabilities": _rounded(shares),
    }
