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
from okapi.papers import jobs as training
from okapi.papers.experiment import ExperimentContext
from okapi.papers.headlines import preferred
from okapi.papers.sheehan2016.headlines import PUBLISHED
from okapi.recipes import usual_settings
from okapi.recipes.arrays import TEST, TRAIN
from okapi.recipes.config import Size
from okapi.recipes.jobs import TURN, LabelledJobs, TrainingJob
from okapi.recipes.sheehan2016 import BETTER, BUCKETS, RESIDUAL, Variant, buckets, iterations, shares, sweep, variants
from okapi.training.report import TrainingReport
from okapi.training.supervised import SupervisedConfig


def jobs(
    size: Size, values: NDArray[Any], turns: NDArray[Any], parts: Mapping[str, NDArray[Any]]
) -> dict[str, TrainingJob]:
    """Training jobs of every variant under every split, and of our own network under the stricter one.

    Buckets have equal population among the training positions of that split. The most important jobs come first.
    """
    found = {}
    wanted = _variants(size, parts).items()
    for name, (variant, split) in sorted(wanted, key=lambda job: (job[1][0].how == RESIDUAL, job[1][0].plan.seed)):
        target = buckets(values, turns, parts[split] == TRAIN, turned=variant.turned)
        found[name] = TrainingJob(variant.plan, target, split)
    return found


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


def trained_jobs(context: ExperimentContext) -> tuple[LabelledJobs, str]:
    """The training jobs of the experiment `networks`, and its stricter split: NotFound if that was not made."""
    found = context.result("networks")
    return LabelledJobs.read(context.folder / found["jobs_folder"]), preferred(found["splits"])


def brain(context: ExperimentContext, job_set: LabelledJobs, job: str) -> Path:
    return training.write_job_brain(context, job_set, job, "sheehan2016")


def networks(context: ExperimentContext) -> dict[str, Any]:
    """Table 3: every variant under every split."""
    chosen, material = _material(context)
    found, folder = material.labels, material.folder
    job_set = material.write_jobs(jobs(context.size, found.values, found.positions["turn"], material.parts))
    wanted = _variants(context.size, material.parts)
    reports, notes = training.train_some_jobs(context, job_set, list(wanted), chosen)
    split_figures = {split: _split(material, job_set, split) for split in material.parts}
    trained = {split: figures["parts"]["train"] for split, figures in split_figures.items()}
    rows = [_row(*wanted[job], report, trained) for job, report in reports.items()]
    return {
        "jobs_folder": str(folder.absolute()) if chosen["jobs"] else context.inside(folder),
        "splits": split_figures,
        "rows": rows,
        "confusion": {row["job"]: reports[row["job"]].test["confusion"] for row in rows if row["seed"] == 1},
        "curves": {row["job"]: _curve(reports[row["job"]], trained[row["split"]]) for row in rows},
        "notes": notes,
    }


def swept(context: ExperimentContext) -> dict[str, Any]:
    """Table 2 with other layers and batch sizes, split at random as in the paper; by validation positions alone."""
    chosen, material = _material(context)
    found, part = material.labels, material.parts["positions"]
    target = buckets(found.values, found.positions["turn"], part == TRAIN)
    plans = sweep(context.size)
    job_set = material.write_jobs({job: TrainingJob(plan, target, "positions") for job, plan in plans.items()})
    reports, notes = training.train_some_jobs(context, job_set, list(plans), chosen)
    rows = []
    for job, report in reports.items():
        net, curve = f"Net {job.split('-')[1].upper()}", _curve(report, int((part == TRAIN).sum()))
        hidden = list(plans[job].arguments["hidden"])
        rows.append({"net": net, "hidden": hidden, "batch": plans[job].batch, "curve": curve})
    return {"rows": rows, "notes": notes}


def _material(context: ExperimentContext) -> tuple[dict[str, Any], training.JobLabels]:
    """Settings of `networks`, which the sweep shares, and the positions of their training jobs."""
    positions = usual_settings("sheehan-a", context.size)["positions"]
    chosen = context.chosen("networks", {"positions": positions, **training.JOB_SETTINGS})
    return chosen, training.JobLabels.of(context, chosen, "networks", shares)


def _row(variant: Variant, split: str, report: TrainingReport, trained: Mapping[str, int]) -> dict[str, Any]:
    """`trained` are the sizes of the training sets by split."""
    plan = SupervisedConfig.from_json(report.about["config"])
    about = {"net": variant.net, "how": variant.how, "split": split, "seed": plan.seed, "job": name_of(variant, split)}
    network = {"batch": plan.batch, "hidden": list(plan.arguments.get("hidden", []))}
    return {
        **about,
        **network,
        **{key: report.test[key] for key in ("count", "accuracy", "near", "loss")},
        **{f"{part}_accuracy": getattr(report, part)["accuracy"] for part in ("validation", "train")},
        **{key: getattr(report, key) for key in ("seconds", "device", "busy")},
        "iterations": iterations(plan, report.epochs, trained[split]),
        "cut": bool(report.about.get("cut")),
    }


def _curve(report: TrainingReport, trained: int) -> list[list[float]]:
    """Iterations with so many training positions, and accuracy on the validation positions."""
    plan = SupervisedConfig.from_json(report.about["config"])
    steps = ((iterations(plan, entry["epoch"], trained), entry["validation_accuracy"]) for entry in report.curve)
    return [[step, round(accuracy, 5)] for step, accuracy in steps]


def _split(material: training.JobLabels, job_set: LabelledJobs, split: str) -> dict[str, Any]:
    """Sizes of the parts, neighbours between them, and what needs no network."""
    labels, part = material.labels, material.parts[split]
    target = buckets(labels.values, labels.positions["turn"], part == TRAIN)
    classes = target.of(labels.values, labels.positions["turn"])
    return {
        **material.split_figures(split),
        "edges": list(target.edges),
        "populations": np.bincount(classes[part == TRAIN], minlength=BUCKETS).tolist(),
        "baselines": training.baselines(job_set, name_of(variants("full", own=False)[0], split)),
    }


TESTED: Final = 20_000  # test positions, at most


def certainty(context: ExperimentContext) -> dict[str, Any]:
    """For every trained net: the probability of its answer, and the entropy of all ten."""
    job_set, split = trained_jobs(context)
    rows = []
    for variant in variants(context.size, own=False):
        job = name_of(variant, split)
        if variant.plan.seed == 1 and training.has_weights(job_set, job):
            positions, _, buckets = tested(job_set, job)
            found = probabilities(brain(context, job_set, job), positions)
            rows.append({"net": variant.net, "how": variant.how, **_sure(found, buckets)})
    return {"rows": rows, "split": split, "most": math.log2(10)}


def tested(job_set: LabelledJobs, job: str) -> tuple[NDArray[np.void], NDArray[np.int64], NDArray[np.int64]]:
    """Some test positions, the teacher's values for White, and their buckets."""
    rows = job_set.part(job, TEST)[:TESTED]
    values, turns = job_set.values[rows].astype(np.int64), job_set.positions[rows, TURN]
    buckets = job_set.jobs[job].target.of(values, turns)
    return training.positions_of(job_set, rows), np.where(turns == 1, -values, values), buckets


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


MOST_DECIDED: Final = 2000
"""Centipawns: values are clipped here, because rules would else find mates and won games only."""

LEVEL: Final = 20  # centipawns within which a position is level
NODES: Final = 200_000  # of Okapi's search on a board of the game

GAME: Final = {"Calm before the storm": "fxe5 Qe6", "Likely mate": "Ra8 Rd2", "Sacrificed for victory": "Qxe5+ fxe5"}
"""The last two moves before each board of Figure 5. The figure has lost its boards; differential and mate fit these."""


def storms(context: ExperimentContext) -> dict[str, Any]:
    """Boards of the figures and of the game."""
    job_set, split = trained_jobs(context)
    net_a = next(each for each in variants(context.size, own=False) if (each.net, each.how) == ("Net A", BETTER))
    job = name_of(net_a, split)
    if not training.has_weights(job_set, job):
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
    """For each figure and title, of test positions that fit, the one with the largest number; values for White."""
    found = probabilities(path, positions)
    answers, sure = found.argmax(axis=1), found.max(axis=1)
    values = values.clip(-MOST_DECIDED, MOST_DECIDED)
    pawns, pieces = training.differential(positions), np.bitwise_count(positions["occupied"])
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
            about = {"figure": figure, "title": title, "teacher": int(values[row]), "bucket": int(buckets[row])}
            yield {**about, **_board(positions[row : row + 1], found[row])}


def _board(position: NDArray[np.void], shares: NDArray[np.float32]) -> dict[str, Any]:
    """Of an array of one position, and a net's answer."""
    pawns, answer = int(training.differential(position)[0]), int(shares.argmax())
    probabilities = [round(float(share), 4) for share in shares]
    return {"fen": fens(position)[0], "differential": pawns, "answer": answer, "probabilities": probabilities}


def _of_the_game(title: str, moves: str, path: Path) -> dict[str, Any]:
    """A board of the game: its differential, the value of Okapi's search, and Net A's answer."""
    before, found, _ = PUBLISHED.alekhine.partition(moves)
    position = Position.start()
    for san in (before + found).split():
        position.play(san)
    value = Search(evaluator()).run(position, Limits(nodes=NODES)).value.for_side(Color.WHITE)
    packed = pack([position])
    board = _board(packed, probabilities(path, packed)[0])
    return {"title": title, "mate": value.mate, "teacher": value.centipawns, **board}
