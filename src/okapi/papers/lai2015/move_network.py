"""
Chapter 6: Tables 4 and 5, and the move network in games.

Inner nodes of searches, each with its best move, are gathered here, or were before: `samples` names their file. The
network is the one that somebody names, or that ships; else it is trained here. Its test games are those of the samples;
with `positions=0` and no samples, the tables are those of its own training, from its card.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from okapi import brains
from okapi.data.samples import Samples
from okapi.models.move_network import move_brain
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, is_wanted
from okapi.papers.games import game_store
from okapi.papers.jobs import finished_reports, jobs_folder, train_jobs
from okapi.papers.lai2015.headlines import ALL, QUIET
from okapi.papers.lai2015.players import ORDERED, REDUCED, Players, asked_players, by_steps, planned, play, switched_off
from okapi.papers.rating import PlannedMatch
from okapi.recipes.arrays import TEST
from okapi.recipes.inner_nodes import (
    InnerNodesConfig,
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
    chosen, who = asked_players(context, "move_network")
    folder = jobs_folder(context, chosen, "move_network")
    brain = None
    if chosen["samples"] or chosen["positions"]:
        samples = _samples(context, who, chosen)
        if who.moves is None:
            brain = _trained(context, samples, folder, chosen)
            who = replace(who, moves=str(brain))
        tables = _tables(context, str(who.moves), samples, chosen["tested"])
    elif who.moves is None:
        raise ExperimentSkipped(
            "no move network ships, and none is to be trained: --change move_network.positions=COUNT"
        )
    else:
        tables = _tables_of_card(who.moves)
    assert who.moves is not None
    pairings = [each for each in _pairings(who, chosen) if is_wanted(each.key, chosen["only"])]
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
        watch=lambda done, wanted: context.tell(f"move_network: {done:,} of {wanted:,} inner nodes"),
    )
    return Samples.open(path)


def _trained(context: ExperimentContext, samples: Samples, folder: Path, chosen: dict[str, Any]) -> Path:
    """Train the network: JobsLeft where that is for another machine."""
    nodes = None if MoveNetworkJobs.found_in(folder) else inner_nodes(samples)
    plans = {name: replace(plan, epochs=chosen["epochs"] or plan.epochs) for name, plan in MOVE_CONFIGS.items()}
    job_set = MoveNetworkJobs.write(folder, nodes, {} if nodes is None else plans)
    train_jobs(context, job_set, [JOB] if context.size == "tiny" else list(job_set.jobs), chosen)
    card = {"name": "giraffe-moves", "recipe": "okapi paper lai2015"}
    return context.write_brain("giraffe-moves", move_brain(read_move_network(job_set.job_folder(JOB)), card))


def _jobs(folder: Path) -> dict[str, Any]:
    if not MoveNetworkJobs.found_in(folder):
        return {}
    job_set = MoveNetworkJobs.read(folder)
    return {
        name: {
            ALL: {"counts": report.test["ranks"]},
            QUIET: {"counts": report.test["quiet_ranks"]},
            "positions": job_set.counts()["train"],
            "epochs": report.epochs,
            "seconds": report.seconds,
            "device": report.device,
        }
        for name, report in finished_reports(job_set, list(job_set.jobs)).items()
    }


def _pairings(who: Players, chosen: dict[str, Any]) -> Iterator[PlannedMatch]:
    """At equal nodes the network is asked everywhere by a learned budget, as its time does not count."""
    thesis, steps = switched_off(chosen["thesis"]), chosen["steps"]
    even, depth = who.player(by_steps("even", steps), thesis), who.player("depth")
    reduced = "depth, late moves reduced as the network says, against depth"
    ordered = "the same, moves ordered by the network, too, against depth"
    for limit, ask in (("nodes", 0), ("time", None)):
        learned = who.player(by_steps("learned", steps, ask), thesis)
        for key, name, first, second in (
            ("even", "shaped by the network against even probabilities", learned, even),
            ("reductions", reduced, who.player(REDUCED), depth),
            ("ordering", ordered, who.player(ORDERED), depth),
            ("depth", "shaped by the network against depth", learned, who.player("depth", thesis)),
        ):
            yield planned(chosen, f"{key}_{limit}", f"{name}, equal {limit}", first, second, limit)
