"""
How many nodes Sunfish looks at: in a second, and when it is told a number.

    python bench/sunfish_speed.py
    python bench/sunfish_speed.py --command "python bench/sunfish_nodes.py"

Prints one JSON object, for positions of our own openings: nodes and seconds of `go movetime 1000`, and what it looked at for
each number that it was told, the median and the most.
"""

from __future__ import annotations

import argparse
import json
import statistics

from okapi.arena.openings import load_openings
from okapi.core import Limits, Position
from okapi.players import Engine

TOLD = (10, 30, 100, 300, 1000)


def asked(engine: Engine, positions: list[Position], limits: Limits) -> list[tuple[int, float]]:
    """Nodes and seconds for each position, nothing remembered from the one before."""
    replies = []
    for position in positions:
        engine.new_game()
        replies.append(engine.ask(position, limits, 60.0))
    return [(reply.nodes, reply.seconds) for reply in replies]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="sunfish-uci")
    parser.add_argument("--positions", type=int, default=10)
    chosen = parser.parse_args()
    positions = load_openings(None, seed=1)[: chosen.positions]
    with Engine(chosen.command) as engine:
        second = asked(engine, positions, Limits(movetime_ms=1000))
        told = {nodes: [n for n, _ in asked(engine, positions, Limits(nodes=nodes))] for nodes in TOLD}
    figures = {
        "nodes_in_a_second": round(statistics.mean(nodes for nodes, _ in second)),
        "seconds": [round(f(seconds for _, seconds in second), 2) for f in (min, statistics.median, max)],
        "told": {nodes: {"median": round(statistics.median(seen)), "most": max(seen)} for nodes, seen in told.items()},
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
