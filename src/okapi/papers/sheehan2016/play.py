"""The nets in a full engine, and Deep Pink's objective (equation 1), learned from games alone."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.arena.time_control import TimeControl
from okapi.brains import evaluations
from okapi.brains.files import brain_file
from okapi.brains.library import BRAIN
from okapi.core import version
from okapi.core.keys import position_keys
from okapi.core.labelling import play_random_moves
from okapi.core.packed import POSITION
from okapi.errors import NotFound
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
from okapi.papers.games import exercises_of
from okapi.papers.jobs import has_weights, positions_of
from okapi.papers.rating import PlannedMatch, need_stockfish, play_for_elo, rate_on_ladder
from okapi.papers.sheehan2016.training import brain, name_of, tested, trained_jobs
from okapi.recipes.arrays import TRAIN
from okapi.recipes.exercises import Exercises, MasterGames
from okapi.recipes.sheehan2016 import BETTER, BUCKETS, LETTER, RESIDUAL, variants
from okapi.recipes.tdleaf import run_tdleaf, tdleaf
from okapi.training.report import TrainingReport, read_network
from okapi.training.supervised import Dataset, SupervisedConfig, train_supervised

PLAYERS: Final = (("Net A", LETTER), ("Net A", BETTER), ("Net C", BETTER), ("Ours", RESIDUAL))
"""Rated nets: the paper's best, the same with today's methods, that without the differential, and our own."""


def strength(context: ExperimentContext) -> dict[str, Any]:
    """A rating on the ladder for each net as the evaluator of Okapi's search."""
    need_stockfish()
    chosen = context.read_settings("sheehan2016", "strength")
    players = {"material": "material", **_players(context)}  # what a differential alone reaches in an engine
    return rate_on_ladder(context, chosen, {name: f"alphabeta:{player}" for name, player in players.items()})


def _players(context: ExperimentContext) -> dict[str, Path]:
    job_set, split = trained_jobs(context)
    found = {}
    for variant in variants(context.size, own=True):
        job = name_of(variant, split)
        if (variant.net, variant.how) in PLAYERS and has_weights(job_set, job):
            found[f"{variant.net}, {variant.how}"] = brain(context, job_set, job)
    if not found:
        raise NotFound("no net was trained yet", hint="--only networks")
    return found


FOLDER: Final = "deep-pink"

OPPONENTS: Final = {"material": "alphabeta:material", "chance": "random:1"}

DEPTH: Final = 2  # plies in its games: a large network is slow, and Deep Pink itself searched no deeper


def deep_pink(context: ExperimentContext) -> dict[str, Any]:
    """Learn, compare with the teacher, and play."""
    chosen = context.read_settings("sheehan2016", "deep_pink")
    folder = context.folder / FOLDER
    anywhere = context.size != "full" or chosen["device"] != "auto"
    if not (anywhere or torch.cuda.is_available() or TrainingReport.read(folder)):
        hint = "--change deep_pink.device=cpu --change deep_pink.hidden=256,64 does with less"
        raise ExperimentSkipped(f"three layers of 2048 want a GPU; {hint}")
    library = exercises_of(context)
    report, count = _learn(context, folder, library, chosen)
    path = _brain(folder, context.seed, library.about())
    games = {
        name: _play(context, FOLDER, player.partition(":")[0], f"alphabeta:{path}", player, chosen["games"])
        for name, player in OPPONENTS.items()
    }
    learned = {"triplets": count, "epochs": report.epochs, "hidden": chosen["hidden"], "from": library.name}
    test = {"ranked": report.test["accuracy"], "tested": report.test["count"], "buckets": _buckets(context, path)}
    return {**learned, **test, "games": games, "conditions": f"{chosen['games']} games, {DEPTH} plies"}


def _play(context: ExperimentContext, where: str, key: str, first: str, second: str, games: int) -> dict[str, Any]:
    control = TimeControl(depth=DEPTH)
    match = PlannedMatch(key=key, name=key, first=first, second=second, control=control, games=games)
    return play_for_elo(context, where, match)


def triplets(exercises: Exercises, rng: np.random.Generator) -> NDArray[np.uint8]:
    """n x 3 x 32 bytes: positions, the next ones of their games, and ones after another legal move; in random order."""
    rows = exercises.rows
    same_game = rows["game"][1:] == rows["game"][:-1]
    parents = np.flatnonzero(same_game & (rows["ply"][1:] == rows["ply"][:-1] + 1))
    p, q = rows["position"][parents], rows["position"][parents + 1]
    r = p.copy()
    moved = play_random_moves(r, rng.integers(0, 2**32, len(r), np.uint64))
    other = moved & (position_keys(r) != position_keys(q))
    packed = np.stack([part[other].view(np.uint8).reshape(-1, POSITION.itemsize) for part in (p, q, r)], axis=1)
    return packed[rng.permutation(len(packed))]


def plan(hidden: Sequence[int], batch: int, epochs: int, seed: int) -> SupervisedConfig:
    """As Deep Pink had it: Nesterov's momentum of 0.9, a rate that begins with 0.03 and falls slowly."""
    return SupervisedConfig(
        model="okapi.models.sheehan2016:deep_pink",
        arguments={"hidden": list(hidden)},
        encoding="bitmap-768",
        loss="ranking",
        optimiser={"name": "sgd", "lr": 0.03, "momentum": 0.9, "nesterov": True},
        schedule={"name": "cosine", "warmup": 0},
        batch=batch,
        epochs=epochs,
        seed=seed,
    )


def _learn(
    context: ExperimentContext, folder: Path, library: MasterGames, chosen: Mapping[str, Any]
) -> tuple[TrainingReport, int]:
    """The report of the training, and the number of triplets."""
    rng, hidden = np.random.default_rng([context.seed, 3]), list(map(int, chosen["hidden"].split(",")))
    training = triplets(library.training, rng)[: chosen["triplets"]]
    fresh = triplets(library.fresh, rng)[: max(2, chosen["triplets"] // 5)]
    half = len(fresh) // 2
    parts = (training, fresh[:half], fresh[half:])
    train, validation, test = (Dataset(part, np.zeros(len(part), np.float32)) for part in parts)
    settings, device = plan(hidden, chosen["batch"], chosen["epochs"], context.seed), chosen["device"]
    how: dict[str, Any] = {"device": device, "watch": lambda now: context.tell(f"deep_pink: {now.done:.0%}")}
    return train_supervised(settings, train, validation, test, folder, **how), len(train)


def _brain(folder: Path, seed: int, about: dict[str, Any]) -> Path:
    """The network with a sigmoid at its end: differences of its answers are log odds, so it is an expected score."""
    path = folder / BRAIN
    learned = read_network(folder)
    layers = [*learned.layers[:-1], {**learned.layers[-1], "activation": "sigmoid"}]
    about_it = {"name": "deep-pink", "recipe": "okapi paper sheehan2016 --only deep_pink", "seed": str(seed)}
    card = {
        **about_it,
        "kind": "perceptron",
        "encoding": "bitmap-768",
        "layers": json.dumps(layers),
        "output": json.dumps({"form": "score", "view": "mover"}),
        "made_with": f"okapi {version}",
        "data": json.dumps(about),
    }
    path.write_bytes(brain_file(card, learned.tensors))
    return path


def _buckets(context: ExperimentContext, path: Path) -> dict[str, Any]:
    """How often its buckets are the teacher's."""
    job_set, split = trained_jobs(context)
    job = name_of(variants(context.size, own=False)[0], split)
    rows = job_set.part(job, TRAIN)[: BUCKETS * 1000]
    edges = np.quantile(_white(path, positions_of(job_set, rows)), np.arange(1, BUCKETS) / BUCKETS)
    positions, _, buckets = tested(job_set, job)
    off = np.abs(np.searchsorted(edges, _white(path, positions), side="right") - buckets)
    return {"count": len(off), "accuracy": float((off == 0).mean()), "near": float((off <= 1).mean())}


def _white(path: Path, positions: NDArray[np.void]) -> NDArray[np.float64]:
    values = evaluations(str(path), positions).values
    return np.where(positions["turn"] == 1, 1.0 - values, values)


REINFORCED: Final = "reinforced"


def reinforced(context: ExperimentContext) -> dict[str, Any]:
    """Section 6.2: Net A's weights as the start of reinforcement learning, by TD-Leaf; then games against its start."""
    chosen = context.read_settings("sheehan2016", REINFORCED)
    start = _players(context).get(f"Net A, {BETTER}")
    if start is None:
        raise ExperimentSkipped("Net A's weights are not here")
    folder = context.folder / REINFORCED
    recipe = tdleaf(context.recipe_config(brain=str(start), iterations=chosen["iterations"], games=2))
    outcome = run_tdleaf(recipe, context.recipe_run(REINFORCED, folder / "run"))
    learned = f"alphabeta:{folder / 'run' / BRAIN}"
    met = _play(context, REINFORCED, "games", learned, f"alphabeta:{start}", chosen["games"])
    about = {"iterations": outcome.iterations, "positions": outcome.positions}
    return {**about, "games": met, "conditions": f"{chosen['games']} games, {DEPTH} plies"}
