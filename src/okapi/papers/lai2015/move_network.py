"""
Chapter 6: Tables 4 and 5, and the move network in games.

Inner nodes of searches, each with its best move, are gathered here, or were before: `samples` names their file. The
network is the one that somebody names, or that ships; else it is trained here. Its test games are those of the samples;
with `positions=0` and no samples, the tables are those of its own training, from its card.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from okapi import brains
from okapi.arena.time_control import TimeControl
from okapi.data.samples import Samples
from okapi.files import replace_file
from okapi.models.move_network import move_brain
from okapi.papers.experiment import ExperimentContext
from okapi.papers.games import game_store
from okapi.papers.jobs import jobs_folder, train_jobs
from okapi.papers.lai2015.headlines import ALL, QUIET
from okapi.papers.lai2015.players import (
    ORDERED,
    PLAYER_SETTINGS,
    REDUCED,
    PlannedMatch,
    Players,
    by_steps,
    play,
    players_of,
    switched_off,
)
from okapi.recipes.arrays import TEST
from okapi.recipes.inner_nodes import (
    InnerNodesConfig,
    MoveNetworkJob,
    MoveNetworkJobs,
    inner_nodes,
    label_inner_nodes,
    parts_of_games,
    rank_best_moves,
)
from okapi.training.moves import MOVE_CONFIGS, read_move_network

JOB: Final = "ours"
"""The training job whose network becomes the brain."""


def move_network(context: ExperimentContext) -> dict[str, Any]:
    """Tables of the network and of its training jobs, if there are any; and matches. `only` names some of these."""
    chosen = context.read_settings("lai2015", "move_network", **PLAYER_SETTINGS)
    who = players_of(context, chosen)
    if isinstance(who, str):
        return {"skipped": who}
    folder = jobs_folder(context, chosen, "move_network")
    brain = None
    if chosen["samples"] or chosen["positions"]:
        samples = _samples(context, who, chosen)
        if who.moves is None:
            brain = _trained(context, samples, folder, chosen)
            who = replace(who, moves=str(brain))
        tables = _tables(context, str(who.moves), samples, chosen["tested"])
    elif who.moves is None:
        return {"skipped": "no move network ships, and none is to be trained: --change move_network.positions=COUNT"}
    else:
        tables = _tables_of_card(who.moves)
    assert who.moves is not None
    wanted = [key for key in chosen["only"].split(",") if key]
    pairings = [pairing for pairing in _pairings(who, chosen) if not wanted or pairing.key in wanted]
    return {
        "brain": None if brain is None else context.inside(brain),
        "moves": Path(who.moves).stem,
        "tables": tables,
        "jobs": _jobs(folder),
        "rows": [play(context, "move_network", pairing) for pairing in pairings],
    }


def _tables(context: ExperimentContext, moves: str, samples: Samples, most: int) -> dict[str, Any]:
    """On nodes of games that no network learned from."""
    found = samples[: len(samples)]
    kept_out = found[parts_of_games(found["game"]) == TEST][:most]
    context.tell(f"move_network: {len(kept_out):,} test positions")
    ranks = rank_best_moves(brains.predictor(moves, threads=context.executor.workers), kept_out)
    return {ALL: {"counts": ranks.all}, QUIET: {"counts": ranks.quiet}}


def _tables_of_card(moves: str) -> dict[str, Any]:
    """As the network's training measured them on games that it did not learn from; none if its card has no test."""
    told = json.loads(brains.card(moves).metadata.get("learned", "{}")).get("test", {})
    keys = {ALL: "ranks", QUIET: "quiet_ranks"}
    return {name: {"counts": told[key]} for name, key in keys.items() if key in told}


def _samples(context: ExperimentContext, who: Players, chosen: dict[str, Any]) -> Samples:
    """The samples of the named file, or new ones; they are kept."""
    if chosen["samples"]:
        return Samples.open(Path(chosen["samples"]))
    path = context.folder / "inner.samples"
    label_inner_nodes(
        InnerNodesConfig(
            store=game_store(context).path,
            brain=who.brain,
            positions=chosen["positions"],
            root_nodes=chosen["root_nodes"],
            nodes=chosen["node_nodes"],
            seed=context.seed,
        ),
        path,
        threads=context.executor.workers,
        watch=lambda now: context.tell(f"move_network: {now.positions:,} of {now.wanted:,} inner nodes"),
    )
    return Samples.open(path)


def _trained(context: ExperimentContext, samples: Samples, folder: Path, chosen: dict[str, Any]) -> Path:
    """Train the network: JobsLeft where that is for another machine."""
    nodes = None if MoveNetworkJobs.found_in(folder) else inner_nodes(samples)
    plans = {name: replace(plan, epochs=chosen["epochs"] or plan.epochs) for name, plan in MOVE_CONFIGS.items()}
    jobs = {} if nodes is None else {name: MoveNetworkJob(plan) for name, plan in plans.items()}
    job_set = MoveNetworkJobs.write(folder, nodes, jobs)
    train_jobs(context, job_set, [JOB] if context.size == "tiny" else list(job_set.jobs), device=chosen["device"])
    path = context.folder / "brains" / "giraffe-moves.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"name": "giraffe-moves", "recipe": "okapi paper lai2015"}
    replace_file(path, move_brain(read_move_network(job_set.job_folder(JOB)), card))
    return path


def _jobs(folder: Path) -> dict[str, Any]:
    if not MoveNetworkJobs.found_in(folder):
        return {}
    job_set = MoveNetworkJobs.read(folder)
    reports = {name: report for name in job_set.jobs if (report := job_set.report(name)) is not None}
    return {
        name: {
            ALL: {"counts": report.test["ranks"]},
            QUIET: {"counts": report.test["quiet_ranks"]},
            "positions": job_set.counts()["train"],
            "epochs": report.epochs,
            "seconds": report.seconds,
            "device": report.device,
        }
        for name, report in reports.items()
    }


def _pairings(who: Players, chosen: dict[str, Any]) -> list[PlannedMatch]:
    """At equal nodes the network is asked everywhere by a learned budget, as its time does not count."""
    limits = {
        "nodes": (TimeControl(nodes=chosen["nodes"]), chosen["games"], 0),
        "time": (TimeControl.from_text(chosen["tc"]), chosen["timed_games"] or chosen["games"], None),
    }
    return [
        PlannedMatch(
            key=f"{key}_{limit}",
            name=f"{name}, equal {limit}",
            first=first,
            second=second,
            control=control,
            games=games,
            openings=chosen["openings"] or None,
        )
        for limit, (control, games, ask) in limits.items()
        for key, (name, first, second) in _pairs(who, chosen, ask).items()
    ]


def _pairs(who: Players, chosen: dict[str, Any], ask: float | None) -> dict[str, tuple[str, str, str]]:
    """What is compared, in words, and both players."""
    thesis, steps = switched_off(chosen["thesis"]), chosen["steps"]
    learned = who.player(by_steps("learned", steps, ask), thesis)
    return {
        "even": (
            "shaped by the network against even probabilities",
            learned,
            who.player(by_steps("even", steps), thesis),
        ),
        "reductions": (
            "depth, late moves reduced as the network says, against depth",
            who.player(REDUCED),
            who.player("depth"),
        ),
        "ordering": (
            "the same, moves ordered by the network, too, against depth",
            who.player(ORDERED),
            who.player("depth"),
        ),
        "depth": ("shaped by the network against depth", learned, who.player("depth", thesis)),
    }
