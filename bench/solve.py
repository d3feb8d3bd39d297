"""
How many exercises a second are answered at one ply, and how long the 50 generations of vazquez2012's chapter 5 take.

    python bench/solve.py --games masters.pgn.xz

Prints one JSON object. Exercises: processor time on one core, best of several rounds, for five and for 28 weights, with
all of the search and as the recipes have it, without rules of thumb; and the ordinary search for the same. The run: time
on the clock with --threads. Without games, Okapi plays its own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from okapi import brains
from okapi.core import Evaluator, Limits, Search
from okapi.core.evaluation import solve
from okapi.core.packed import unpack
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import run_evolution
from okapi.recipes.exercises import PLAIN, Exercises, master_games
from okapi.recipes.vazquez2012 import five

BRAINS = {"linear-5": "vazquez-five", "linear-28": "okapi-28"}
TWINS = 300
"""Exercises for the ordinary search, which takes longer."""


def rate(work: Callable[[], object], exercises: int, rounds: int) -> int:
    """Exercises a second of processor time, in the best round."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return round(exercises / best)


def rates(brain: str, exercises: Exercises, rounds: int) -> dict[str, int]:
    evaluator = Evaluator.from_brain(brains.load(brain))
    positions, moves = exercises.rows["position"], exercises.rows["move"]

    def answer(without: Sequence[str]) -> Callable[[], object]:
        return lambda: solve([evaluator], positions, moves, without=without)

    search = Search(evaluator, table_mb=1, without=("table", "correction_history", *PLAIN))
    some = [unpack(row) for row in positions[:TWINS]]

    def think() -> None:
        for position in some:
            search.new_game()
            search.run(position, Limits(depth=1))

    return {
        "plain": rate(answer(PLAIN), len(exercises), rounds),
        "everything": rate(answer(()), len(exercises), rounds),
        "search": rate(think, TWINS, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, help="games of masters: PGN or a store")
    parser.add_argument("--threads", type=int, default=2, help="for the run of chapter 5")
    parser.add_argument("--exercises", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    executor = ThreadExecutor(given.threads)
    library = master_games(given.games, "quick", executor)
    exercises = library.training.some(given.exercises, np.random.default_rng(1))
    a_second = {kind: rates(brain, exercises, given.rounds) for kind, brain in BRAINS.items()}
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        last = run_evolution(five.recipe(RecipeConfig("full", 1, executor, given.games)), Path(folder))
        seconds = time.perf_counter() - begun
    run = {"seconds": round(seconds, 2), "threads": given.threads, "evaluations": last.evaluations}
    print(json.dumps({"games": library.name, "exercises_a_second": a_second, "chapter_5": run}))


if __name__ == "__main__":
    main()
