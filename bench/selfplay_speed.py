"""
What `okapi selfplay` costs beyond the games: games a second, against a InProcessMatch of the core that forgets them.

    python bench/selfplay_speed.py --games 400 --nodes 2000 --threads 2

Both play the same games, turn by turn. `cpu_ratio` compares games a second of processor time, and is fair also on a machine that
is busy with other things.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from okapi.arena.in_process import core_player
from okapi.arena.openings import RandomStarts
from okapi.arena.selfplay import SelfPlay, play_selfplay
from okapi.arena.time_control import TimeControl
from okapi.core import Adjudication, Color, InProcessMatch, MatchPlayer

PLAYER = "alphabeta:okapi-28,hash=1"
MAX_PLIES = 400


def measured(run: Callable[[], int]) -> tuple[float, float]:
    """Games a second, and games a second of processor time."""
    begun, used = time.perf_counter(), time.process_time()
    games = run()
    return games / (time.perf_counter() - begun), games / (time.process_time() - used)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, nargs="*", default=[500, 2_000, 10_000])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    starts = RandomStarts(8, seed=1)
    for nodes in args.nodes:
        control = TimeControl(nodes=nodes)
        player = core_player(PLAYER, control)
        planned = SelfPlay(
            players=(PLAYER,), control=control, starts=starts, starts_name="random:8", max_plies=MAX_PLIES
        )

        def forgotten(player: MatchPlayer = player) -> int:
            pairings = [(starts[number], Color.WHITE) for number in range(args.games)]
            rules = Adjudication(max_plies=MAX_PLIES)
            return sum(
                1 for _ in InProcessMatch(player, player, pairings, adjudication=rules, threads=args.threads).raw()
            )

        def stored(planned: SelfPlay = planned) -> int:
            with tempfile.TemporaryDirectory() as folder:
                return play_selfplay(planned, args.games, Path(folder) / "games.okapi", concurrency=args.threads).games

        found = [(measured(forgotten), measured(stored)) for _ in range(args.rounds)]
        told = {
            "nodes": nodes,
            "games": args.games,
            "match_games_a_second": round(statistics.median(match[0] for match, _ in found), 1),
            "ratio": round(statistics.median(ours[0] / match[0] for match, ours in found), 4),
            "cpu_ratio": round(statistics.median(ours[1] / match[1] for match, ours in found), 4),
            "load": round(os.getloadavg()[0], 1),
        }
        print(json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
