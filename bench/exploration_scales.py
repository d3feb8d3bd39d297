"""
Which scale of the factors gives the better players when vazquez2012's 28 weights are evolved?

    python bench/exploration_scales.py --games masters.pgn.xz --seeds 2 3 4

Prints a JSON object for each run: positions solved of those trained on, by the best of the first and of the last
generation; the share of 8,000 fresh ones; and points in 200 games at 4 plies against okapi-28, and against the best of the
first generation.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from okapi.brains import find
from okapi.optimize.executor import ThreadExecutor
from okapi.papers.rating import MatchTerms, play_brains
from okapi.recipes.config import SIZES, RecipeConfig
from okapi.recipes.exercises import master_games, solved
from okapi.recipes.vazquez2012 import twenty_eight

FRESH = 8000
GAMES = 200


def compare(order: RecipeConfig) -> dict[str, object]:
    recipe = twenty_eight.recipe(order)
    library = master_games(order.games, order.size, order.executor)
    trained = twenty_eight.training(library, recipe.settings["positions"], order.seed)
    fresh = library.fresh.unlike(trained).some(FRESH, np.random.default_rng(9))
    first, *_, last = recipe.learn(recipe.score)
    start, end = (recipe.express(generation.best, {"name": "champion"}) for generation in (first, last))
    opponents = {"okapi-28": find("okapi-28").read_bytes(), "first generation": start}
    scores = {
        name: play_brains(end, brain, MatchTerms(games=GAMES), order.executor).score
        for name, brain in opponents.items()
    }
    return {
        "scale": recipe.settings["scale"],
        "seed": order.seed,
        "trained": [int(first.best_score), int(last.best_score), len(trained)],
        "fresh": round(float(solved([end], fresh, order.executor).mean()), 4),
        "scores": scores,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, help="games of masters: PGN or a store")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--size", choices=SIZES, default="quick")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    for seed in given.seeds:
        for scale in twenty_eight.SCALES:
            order = RecipeConfig(given.size, seed, ThreadExecutor(given.threads), given.games, {"scale": scale})
            print(json.dumps(compare(order)), flush=True)


if __name__ == "__main__":
    main()
