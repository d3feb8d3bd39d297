"""
How much does a brain that predicts moves learn from one player's games, and how many games does that take?

    python bench/personal.py games.okapi --player "Doe, Jane" "Roe, Richard" --games 50 200 1000

Each player's newest games are held out, the same ones for every number of games. The brain must not have learned from
the players before: `--apart` of a paper's games, or players that its games do not have.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.data.store import Store
from okapi.learn.crew import Threads
from okapi.papers.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.papers.one_player import games_by
from okapi.papers.order import Order
from okapi.papers.personal import Personal, personal
from okapi.papers.trainings import train


def main() -> None:
    """Parse the arguments, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path, help="a game store")
    parser.add_argument("--player", nargs="+", required=True, help="whose games, as the tags have it")
    parser.add_argument(
        "--games", nargs="+", type=int, default=[50, 200, 1000], help="learned from, the newest so many"
    )
    parser.add_argument("--brain", default="okapi-human")
    parser.add_argument("--size", default="quick", choices=("tiny", "quick", "full"))
    parser.add_argument("--change", nargs="+", default=[], metavar="KEY=VALUE", help="settings of the training")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", action="store_true", help="a JSON object a line")
    args = parser.parse_args()
    changes = dict(change.split("=", 1) for change in args.change)
    for player in args.player:
        asked = {**changes, "player": player, "brain": args.brain}
        whole = personal(Order(args.size, 1, Threads(args.threads or 1), args.store, asked))
        assert isinstance(whole, Personal)
        order = games_by(Store.open(args.store), player)
        for count in args.games:
            told = measured(fewer(whole, order, count), args.device, args.threads)
            told = {"player": player, "learned_from": count, **told}
            print(json.dumps(told) if args.json else line(told), flush=True)


def fewer(whole: Personal, order: NDArray[np.int64], count: int) -> Personal:
    """The same with the newest so many of the games that are not held out; one in ten of them for validation."""
    held = np.unique(whole.part(TEST).games)
    learned = order[~np.isin(order, held)][-count:]
    if len(learned) < count:
        print(f"{whole.player} has only {len(learned)} games besides those held out", file=sys.stderr)
    chosen = max(1, round(0.1 * len(learned)))
    parts = np.where(whole.parts == TEST, TEST, NONE).astype(np.uint8)
    parts[np.isin(whole.watched.games, learned[:-chosen])] = TRAIN
    parts[np.isin(whole.watched.games, learned[-chosen:])] = VALIDATION
    return replace(whole, parts=parts)


def measured(training: Personal, device: str, threads: int | None) -> dict[str, Any]:
    """Train in a folder for the time, and tell what came of it."""
    with tempfile.TemporaryDirectory(prefix="okapi-") as folder:
        report, found = train(training, Path(folder), device=device, threads=threads)
    taught = {"moves": int((training.parts == TRAIN).sum()), "epochs": report.epochs, "best_epoch": report.best_epoch}
    return {**found.figures, **taught, "seconds": report.seconds}


def line(told: dict[str, Any]) -> str:
    """For people."""
    return (
        f"{told['player']:24} {told['learned_from']:5} games, {told['moves']:6} moves, {told['seconds']:6.1f} s: "
        f"{told['before']['top_1']:.1%} → {told['after']['top_1']:.1%}, {told['gain']:+.2f} "
        f"({told['low']:+.2f} … {told['high']:+.2f}) on {told['held_out_moves']} moves of {told['held_out_games']} games"
    )


if __name__ == "__main__":
    main()
