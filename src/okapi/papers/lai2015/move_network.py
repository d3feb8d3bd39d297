"""Chapter 6: Tables 4 and 5, the move network in games, and its probabilities against even ones.

Inner nodes of searches, each with its best move, are gathered here, or were before: `samples` names their file. The
network is the one that somebody names, or that ships; else it is trained here. Its test games are those of the samples;
with `positions=0` and no samples, the tables are those of its own training, from its card.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from okapi import brains
from okapi.arena.openings import load_openings
from okapi.core import Limits
from okapi.data.samples import Samples
from okapi.models.move_network import move_brain
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, is_wanted, write_file
from okapi.papers.games import game_store
from okapi.papers.jobs import finished_reports, jobs_folder, train_jobs
from okapi.papers.lai2015.engine import searches
from okapi.papers.lai2015.headlines import ALL, QUIET
from okapi.papers.lai2015.players import Players, asked_players, by_steps, planned, play, play_in_parts, switched_off
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

JOB: Final = "ours"  # the training job whose network becomes the brain


def move_network(context: ExperimentContext) -> dict[str, Any]:
    """Tables of the network and of its training jobs, if there are any; and matches. `only` names some of these."""
    chosen, who = asked_players(context, "move_network")
    folder = jobs_folder(context, chosen, "move_network")
    brain, moves = None, who.moves
    if chosen["samples"] or chosen["positions"]:
        samples = _samples(context, who, chosen)
        if moves is None:
            brain = _trained(context, samples, folder, chosen)
            moves = str(brain)
        tables = _tables(context, moves, samples, chosen["tested"])
    elif moves is None:
        why = "no move network ships, and none is to be trained: --change move_network.positions=COUNT"
        raise ExperimentSkipped(why)
    else:
        tables = _tables_of_card(moves)
    pairings = _pairings(replace(who, moves=moves), chosen)
    rows = [play(context, "move_network", each) for each in pairings if is_wanted(each.key, chosen["only"])]
    about = {"brain": brain and context.inside(brain), "moves": Path(moves).stem}
    return {**about, "tables": tables, "jobs": _jobs(folder), "rows": rows}


def _tables(context: ExperimentContext, moves: str, samples: Samples, most: int) -> dict[str, Any]:
    """On nodes of games that no network learned from."""
    found = samples[: len(samples)]
    kept_out = found[parts_of_games(found["game"]) == TEST][:most]
    context.tell(f"move_network: {len(kept_out):,} test positions")
    ranks = rank_best_moves(brains.predictor(moves, threads=context.executor.workers), kept_out)
    return {ALL: {"counts": ranks.all}, QUIET: {"counts": ranks.quiet}}


def _tables_of_card(moves: str) -> dict[str, Any]:
    """As the network's training measured them on games that it did not learn from; none if its card has no test."""
    return _tables_of(json.loads(brains.card(moves).metadata.get("learned", "{}")).get("test", {}))


def _tables_of(test: Mapping[str, Any]) -> dict[str, Any]:
    keys = {ALL: "ranks", QUIET: "quiet_ranks"}
    return {name: {"counts": test[key]} for name, key in keys.items() if key in test}


def _samples(context: ExperimentContext, who: Players, chosen: dict[str, Any]) -> Samples:
    """The samples of the named file, or new ones; they are kept."""
    if chosen["samples"]:
        return Samples.open(Path(chosen["samples"]))
    path, store = context.folder / "inner.samples", game_store(context).path
    asked = {key: chosen[key] for key in ("positions", "root_nodes")}
    label_inner_nodes(
        InnerNodesConfig(store=store, brain=who.brain, nodes=chosen["node_nodes"], seed=context.seed, **asked),
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
    job_set, found = MoveNetworkJobs.read(folder), {}
    for name, report in finished_reports(job_set, list(job_set.jobs)).items():
        about = {key: getattr(report, key) for key in ("epochs", "seconds", "device")}
        found[name] = {**_tables_of(report.test), "positions": job_set.counts()["train"], **about}
    return found


def _pairings(who: Players, chosen: dict[str, Any]) -> Iterator[PlannedMatch]:
    """At equal nodes the network is asked everywhere by a learned budget, as its time does not count."""
    thesis, steps, depth = switched_off(chosen["thesis"]), chosen["steps"], who.player("depth")
    reduced = "depth, late moves reduced as the network says, against depth"
    ordered = "the same, moves ordered by the network, too, against depth"
    for limit, ask in (("nodes", 0), ("time", None)):
        learned = who.player(by_steps("learned", steps, ask), thesis)
        for key, name, first, second in (
            ("reductions", reduced, who.player("reduced"), depth),
            ("ordering", ordered, who.player("ordered"), depth),
            ("depth", "shaped by the network against depth", learned, who.player("depth", thesis)),
        ):
            yield planned(chosen, f"{key}_{limit}", f"{name}, equal {limit}", first, second, limit)


def probabilities(context: ExperimentContext) -> dict[str, Any]:
    """Section 6.5: the network as cost and order of moves, against even probabilities, captures, killers and history.

    Both have the thesis' heuristics and as many iterations a ply, fixed before the first game. With equal nodes the
    network is asked everywhere; with equal time of the processor, only where some hundred nodes are left.
    """
    chosen, who = asked_players(context, "probabilities")
    if who.moves is None:
        raise ExperimentSkipped("it needs a move network: --change probabilities.moves=BRAIN")
    without, steps, nodes = switched_off(chosen["thesis"]), chosen["steps"], chosen["nodes"]
    even = who.player(by_steps("even", steps), without)
    everywhere, near_the_root = (
        who.player(by_steps("learned", steps, ask), without, ordered=True) for ask in (0, chosen["ask"])
    )
    cost = _nodes_a_second(context, {"learned": near_the_root, "even": even}, chosen)
    more = round(nodes * cost["even"] / cost["learned"])
    timed = f"learned against even, equal time of the processor: {nodes:,} and {more:,} nodes"
    limited = f"{near_the_root},nodes={nodes}", f"{even},nodes={more}"
    pairings = [
        planned(chosen, "even_nodes", "learned against even, equal nodes", everywhere, even, "nodes"),
        planned(chosen, "even_time", timed, *limited, "nodes"),
    ]
    wanted = [pairing for pairing in pairings if is_wanted(pairing.key, chosen["only"])]
    return play_in_parts(context, "probabilities", wanted, {"brain": who.brain, "moves": who.moves, "cost": cost})


def _nodes_a_second(context: ExperimentContext, specs: dict[str, str], chosen: dict[str, Any]) -> dict[str, int]:
    """Of the processor; measured once, so that a match that goes on stays the same."""
    path = context.folder / "probabilities" / "cost.json"
    if not path.exists():
        asked = load_openings(chosen["openings"] or None, count=chosen["probes"], seed=context.seed)
        found = searches(context, specs, asked, Limits(nodes=chosen["nodes"]))
        totals = {name: [sum(column) for column in zip(*each, strict=True)] for name, each in found.items()}
        write_file(path, json.dumps({name: round(nodes / seconds) for name, (nodes, seconds) in totals.items()}))
    return dict(json.loads(path.read_bytes()))
