"""
What the arena costs: microseconds a move beyond the engines' own time, and time losses that it causes.

    python bench/arena_overhead.py --games 2000 --tc 0.2+0.002

Two copies of an engine that answers at once (bench/dummy_engine.c) recite one long game. Whatever a game takes is then
the arena's doing: writing, reading, rules, clocks, storing. Any time loss is the arena's doing, too.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile
import time
from functools import partial
from itertools import count
from pathlib import Path

from okapi.arena.games import Fault, PlayedGame
from okapi.arena.match import Match, MatchReport, play_match
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LocalWorkers
from okapi.core import Position

HERE = Path(__file__).parent


def long_game(plies: int) -> list[str]:
    """Random moves that end the game, but not before so many plies."""
    for seed in count():
        dice = random.Random(seed)
        position = Position.start()
        while position.ending() is None and position.plies < plies + 20:
            moves = position.legal_moves()
            ends = [move for move in moves if position.after(move).ending() is not None]
            allowed = ends if ends and position.plies >= plies else [move for move in moves if move not in ends]
            if not allowed:
                break
            position.play(dice.choice(allowed))
        if position.ending() is not None and position.plies > plies:
            return [position.uci(move) for move in position.history()]
    raise AssertionError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, default=120, help="length of a game")
    parser.add_argument("--tc", default="0.2+0.002")
    parser.add_argument("--margin", type=int, default=0, help="milliseconds; 0 is stricter than the arena's own 10")
    parser.add_argument("--concurrency", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["cc", "-O2", "-o", folder / "dummy", HERE / "dummy_engine.c"], check=True)
        game = folder / "game.txt"
        game.write_text(" ".join(long_game(args.plies)))
        openings = folder / "start.epd"
        openings.write_text(Position.start().fen() + "\n")
        dummy = f"uci:{folder / 'dummy'} {game}"
        match = Match(
            first=dummy,
            second=dummy,
            control=TimeControl.from_text(args.tc, margin_ms=args.margin),
            openings=str(openings),
        )
        seen: list[PlayedGame] = []
        begun = time.perf_counter()
        report = play_match(
            match,
            args.games,
            store=folder / "games.sqlite",
            make_workers=partial(LocalWorkers, count=args.concurrency),
            on_game=lambda _, played: seen.append(played),
        )
        show(report, seen, time.perf_counter() - begun, args)


def show(report: MatchReport, seen: list[PlayedGame], wall: float, args: argparse.Namespace) -> None:
    moves = sum(len(played.moves) for played in seen)
    thinking = sorted(info.seconds for played in seen for info in played.infos)
    seconds = sum(played.seconds for played in seen)
    print(
        json.dumps(
            {
                "games": report.games,
                "moves": moves,
                "time_losses": report.fault(Fault.TIME),
                "other_faults": sum(report.faults.values()) - report.fault(Fault.TIME),
                "us_a_move": round(seconds / moves * 1e6, 1),
                "us_a_move_beyond_the_engine": round((seconds - sum(thinking)) / moves * 1e6, 1),
                "us_charged_median": round(thinking[len(thinking) // 2] * 1e6, 1),
                "ms_charged_99.9_percent": round(thinking[int(len(thinking) * 0.999)] * 1e3, 2),
                "ms_charged_most": round(thinking[-1] * 1e3, 2),
                "seconds": round(wall, 1),
                "concurrency": args.concurrency,
                "load": round(os.getloadavg()[0], 1),
            }
        )
    )


if __name__ == "__main__":
    main()
