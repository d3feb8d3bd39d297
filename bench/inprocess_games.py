"""
How many games a minute Okapi plays against itself inside one process, at a fixed depth, from random openings.

    python bench/inprocess_games.py                       2 threads, depth 4, about ten seconds
    python bench/inprocess_games.py --depth 6 --threads 1 --brain material
"""

import argparse
import json
import sys
import time
from collections import Counter

from okapi.brains import load
from okapi.core import Evaluator, InProcessMatch, Limits, MatchPlayer, random_openings
from okapi.core._core import Color


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--table-mb", type=int, default=1)
    parser.add_argument("--brain", help="by name or path; the default one if not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decisions", action="store_true", help="also make records of what was thought at each move")
    wanted = parser.parse_args()

    brain = load(wanted.brain)
    player = MatchPlayer(Evaluator.from_brain(brain), Limits(depth=wanted.depth), wanted.table_mb)
    # One game from each opening: against itself, the second would be the first again.
    pairings = [(start, Color.WHITE) for start in random_openings(wanted.games, seed=wanted.seed)]
    endings: Counter[str] = Counter()
    plies = nodes = 0
    wall, cpu = time.perf_counter(), time.process_time()
    for match_game in InProcessMatch(player, player, pairings, threads=wanted.threads, decisions=wanted.decisions):
        endings[match_game.ending] += 1
        plies += len(match_game.game.moves)
        nodes += sum(match_game.nodes)
        if match_game.number % 100 == 99:
            print(f"\r{match_game.number + 1} of {wanted.games} games", end="", file=sys.stderr, flush=True)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print("\r", end="", file=sys.stderr)
    report = {
        "games": wanted.games,
        "seconds": round(wall, 3),
        "games_per_minute": round(wanted.games / wall * 60),
        "cpu_seconds": round(cpu, 3),
        "games_per_cpu_minute": round(wanted.games / cpu * 60),
        "plies_per_game": round(plies / wanted.games, 1),
        "nodes_per_ply": round(nodes / plies),
        "endings": dict(endings.most_common()),
        "brain": brain.name,
        "depth": wanted.depth,
        "threads": wanted.threads,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
