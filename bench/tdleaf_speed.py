"""
How many positions a second self-play for TD-Leaf searches, and how many labels a second searches give.

    python bench/tdleaf_speed.py --brain giraffe

Prints one JSON object: searches a second of processor time, which is what one core does, best of several rounds. `play`:
games of 12 plies, each search with the nodes of the game before it in its table. `best_moves`: each position on its own.
`internal_nodes`: roots a second, each searched on its own and looked into. Positions are those of Okapi's own openings,
some moves on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from okapi import brains
from okapi.core import Evaluator, random_openings
from okapi.core.labelling import best_moves, internal_nodes
from okapi.core.packed import pack
from okapi.core.selfplay import LEARNS, NOTHING, play_tdleaf


def best_rate(work: Callable[[int], int], rounds: int) -> int:
    """Searches a second of processor time, in the best round."""
    rates = []
    for number in range(rounds):
        started = time.process_time()
        searches = work(number)
        rates.append(searches / (time.process_time() - started))
    return round(max(rates))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", default="okapi-28", help="name or file")
    parser.add_argument("--nodes", type=int, default=256, help="of each search")
    parser.add_argument("--starts", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    evaluator = Evaluator.from_brain(brains.load(given.brain))
    starts = pack(random_openings(given.starts, seed=1))

    def self_play(number: int) -> int:
        played = play_tdleaf(evaluator, starts, nodes=given.nodes, seed=number, threads=given.threads)
        learns = played.kinds == LEARNS
        told = np.where(played.turned, -1, 1) * played.leaf_values
        assert (played.values == told)[learns].all(), "a value is not what the evaluator says of its leaf"
        return int(np.count_nonzero(played.kinds != NOTHING))

    first = play_tdleaf(evaluator, starts, nodes=given.nodes, seed=given.rounds, threads=given.threads)
    positions = first.positions[first.kinds == LEARNS]

    def label(_: int) -> int:
        best_moves(evaluator, positions, nodes=given.nodes, threads=given.threads)
        return len(positions)

    def look_into(number: int) -> int:
        internal_nodes(evaluator, positions, nodes=given.nodes, each=4, seed=number, threads=given.threads)
        return len(positions)

    searches = {
        "play": best_rate(self_play, given.rounds),
        "best_moves": best_rate(label, given.rounds),
        "internal_nodes": best_rate(look_into, given.rounds),
    }
    print(json.dumps({"brain": given.brain, "nodes": given.nodes, "searches_a_second_a_core": searches}))


if __name__ == "__main__":
    main()
