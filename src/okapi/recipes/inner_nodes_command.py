"""`python -m okapi.recipes.inner_nodes`: from games to a move network, apart from the training itself."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi import brains
from okapi.data.samples import Samples
from okapi.errors import OkapiError
from okapi.files import replace_file
from okapi.models.move_network import move_brain
from okapi.recipes.arrays import TEST
from okapi.recipes.inner_nodes import (
    InnerNodesConfig,
    InnerNodesProgress,
    inner_nodes,
    label_inner_nodes,
    parts_of_games,
    rank_best_moves,
)
from okapi.recipes.move_jobs import MoveJob, MoveJobs
from okapi.training.moves import MOVE_CONFIGS, cumulative, read_move_network
from okapi.training.programs import DONE, failed
from okapi.training.report import TrainingReport

__all__ = ["main"]

EVERY_S: Final = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments and do it."""
    args = _parser().parse_args(arguments)
    try:
        told: dict[str, Any] = args.do(args)
    except (OkapiError, KeyboardInterrupt) as error:
        return failed(error)
    if args.json:
        print(json.dumps(told), flush=True)
    else:
        for name, value in told.items():
            print(f"{name}: {value}" if not isinstance(value, list) else "\n".join([f"{name}:", *map(str, value)]))
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m okapi.recipes.inner_nodes",
        description="From games to a move network. What was broken off goes on with the same command.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    usual = InnerNodesConfig(store=Path(), brain="")

    label = commands.add_parser("label", help="draw inner nodes of searches and find the best move of each")
    label.add_argument("store", type=Path, help="games: a store that `okapi games import` made")
    label.add_argument("--brain", required=True, help="who judges positions: name or path of a brain")
    label.add_argument("--to", type=Path, required=True, metavar="FILE.samples")
    label.add_argument("--positions", type=int, default=usual.positions, metavar="N", help="how many, at least")
    label.add_argument("--root-nodes", type=int, default=usual.root_nodes, metavar="N", help="of a search drawn from")
    label.add_argument("--each", type=int, default=usual.each, metavar="N", help="nodes drawn from each search")
    label.add_argument("--nodes", type=int, default=usual.nodes, metavar="N", help="of a search for a best move")
    label.add_argument("--seed", type=int, default=usual.seed)
    label.add_argument("--threads", type=int, default=1)
    label.set_defaults(do=_label)

    course = commands.add_parser("course", help="write a course of them, for a machine that has torch and no core")
    course.add_argument("samples", type=Path, help="what `label` wrote")
    course.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    course.add_argument("--epochs", type=int, metavar="N", help="of every network; else as each is planned")
    course.add_argument("--batch", type=int, metavar="N", help="positions of a step; else as each is planned")
    course.add_argument("--most", type=int, metavar="N", help="only the first so many of the file")
    course.set_defaults(do=_course)

    brain = commands.add_parser("brain", help="make a brain of a network that was learned")
    brain.add_argument("lesson", type=Path, help="the folder of a lesson, with learned.npz and report.json")
    brain.add_argument("--name", default="giraffe-moves")
    brain.add_argument("--to", type=Path, required=True, metavar="FILE.safetensors")
    brain.set_defaults(do=_brain)

    tables = commands.add_parser("tables", help="Tables 4 and 5 of a brain, on what was kept out of training")
    tables.add_argument("samples", type=Path, help="what `label` wrote")
    tables.add_argument("--brain", required=True, help="a brain that predicts moves: name or path")
    tables.add_argument("--most", type=int, metavar="N", help="only the first so many of the file")
    tables.add_argument("--threads", type=int, default=1)
    tables.set_defaults(do=_tables)
    for each in (label, course, brain, tables):
        each.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return parser


def _label(args: argparse.Namespace) -> dict[str, Any]:
    names = ("store", "brain", "positions", "root_nodes", "each", "nodes", "seed")
    gathering = InnerNodesConfig(**{name: getattr(args, name) for name in names})
    last = 0.0

    def watch(now: InnerNodesProgress) -> None:
        nonlocal last
        if time.monotonic() - last < EVERY_S and now.positions < now.wanted:
            return
        last = time.monotonic()
        rate = (now.positions - now.kept) / max(now.seconds, 1e-9)
        left = max(now.wanted - now.positions, 0) / max(rate, 1e-9)
        print(
            f"{now.positions:,} of {now.wanted:,} positions, {rate:,.0f}/s, {left / 60:.0f} min left",
            file=sys.stderr,
            flush=True,
        )

    return {"positions": label_inner_nodes(gathering, args.to, threads=args.threads, watch=watch), "file": str(args.to)}


def _course(args: argparse.Namespace) -> dict[str, Any]:
    lessons = {
        name: MoveJob(replace(plan, epochs=args.epochs or plan.epochs, batch=args.batch or plan.batch))
        for name, plan in MOVE_CONFIGS.items()
    }
    nodes = None if MoveJobs.found_in(args.to) else inner_nodes(Samples.open(args.samples), most=args.most)
    course = MoveJobs.write(args.to, nodes, lessons)
    size = sum(path.stat().st_size for path in args.to.glob("*.xz"))
    return {"course": str(args.to), **course.counts(), "megabytes": round(size / 1e6, 1)}


def _brain(args: argparse.Namespace) -> dict[str, Any]:
    report = TrainingReport.read(args.lesson)
    network = read_move_network(args.lesson)
    told = {} if report is None else {"learned": json.dumps({"plan": report.about.get("plan"), "test": report.test})}
    replace_file(args.to, move_brain(network, {"name": args.name, "paper": "lai2015, chapter 6", **told}))
    weights = sum(tensor.numel() for tensor in network.parameters())
    return {"brain": str(args.to), "name": args.name, "weights": weights}


def _tables(args: argparse.Namespace) -> dict[str, Any]:
    samples = Samples.open(args.samples)
    found = samples[: len(samples) if args.most is None else args.most]
    kept_out = found[parts_of_games(found["game"]) == TEST]
    ranks = rank_best_moves(brains.predictor(args.brain, threads=args.threads), kept_out)
    return {
        "positions": len(kept_out),
        "table_4": _lines(ranks.all),
        "quiet": int(np.sum(ranks.quiet)),
        "table_5": _lines(ranks.quiet),
    }


def _lines(ranks: Sequence[int]) -> list[list[float]]:
    return [[round(share, 2), round(so_far, 2)] for share, so_far in cumulative(ranks)]
