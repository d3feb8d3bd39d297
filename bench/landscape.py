"""
How much do the masters' moves say about each of vazquez2012's five weights?

    python bench/landscape.py --games masters.pgn.xz

One weight at a time is moved away from theory, and the moves are counted that are matched at one ply in the same
positions. Prints one JSON object: of each weight, its values with the per cent that are matched.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from okapi.optimize.executor import Executor, ThreadExecutor
from okapi.recipes.exercises import Exercises, master_games, solved
from okapi.recipes.vazquez2012 import five

AWAY = (-200, -150, -100, -50, 0, 50, 100, 150, 200)
MOBILITY = (0, 1, 2, 3, 5, 7, 10, 15, 20, 30)
THEORY = np.array([*five.THEORY[:4], 5.0])
"""With less for mobility than the thesis calls theory: at 10 it hides what the pieces are worth."""


def matched(gene: int, values: list[float], exercises: Exercises, executor: Executor) -> dict[str, float]:
    players = np.repeat(THEORY[None], len(values), axis=0)
    players[:, gene] = values
    shares = solved([five.express(player, {"name": "player"}) for player in players], exercises, executor).mean(axis=1)
    return {f"{value:g}": round(100 * float(share), 2) for value, share in zip(values, shares, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, help="games of masters: PGN or a store")
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    executor = ThreadExecutor(given.threads)
    library = master_games(given.games, "full", executor)
    exercises = library.training.some(given.positions, np.random.default_rng(1))
    found = {}
    for gene, name in enumerate(five.GENES.names):
        values = list(MOBILITY) if name == "mobility" else [THEORY[gene] + away for away in AWAY]
        found[name] = matched(gene, values, exercises, executor)
    print(json.dumps({"games": library.name, "positions": len(exercises), "matched": found}))


if __name__ == "__main__":
    main()
