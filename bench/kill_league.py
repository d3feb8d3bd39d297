"""
kill -9 at random moments of `okapi league`, then the same command: is the table in the end the same, and is no game lost?

    python bench/kill_league.py --kills 10

After each kill nothing that the command started may still run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from killing import kills

from okapi.arena.games import read_games
from okapi.recipes.league.result import RESULT, Result

ENTRANTS = ("material", "vazquez-five", "okapi-human")
"""With the yardstick: some games are played in the core, some by processes."""


def command(folder: Path, games: int, nodes: int) -> list[str]:
    """A league of few, at equal nodes."""
    terms = ["--only", "nodes", "--nodes", str(nodes), "--games", str(games), "--concurrency", "2"]
    return [sys.executable, "-m", "okapi", "league", "--out", str(folder), "--entrants", *ENTRANTS, *terms]


def kept(folder: Path) -> int:
    """Games on disk."""
    return sum(len(read_games(store)[1]) for store in (folder / "games").glob("*.sqlite"))


def main() -> int:
    """Kill it again and again, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    problems: list[str] = []
    struck = before = 0
    with tempfile.TemporaryDirectory() as name:
        calm, killed = Path(name) / "calm", Path(name) / "killed"
        begun = time.monotonic()
        subprocess.run(command(calm, args.games, args.nodes), check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - begun
        again = command(killed, args.games, args.nodes)
        for found in kills(again, args.kills, whole, args.seed):
            problems += found
            struck, now = struck + 1, kept(killed)
            if now < before:
                problems.append(f"kill {struck}: {before - now} games were lost")
            before = now
            print(f"kill {struck}: {now} games", file=sys.stderr, flush=True)
        subprocess.run(again, check=True, stdout=subprocess.DEVNULL)
        tables = [Result.read(folder / RESULT).tables for folder in (calm, killed)]
        if tables[0] != tables[1]:
            problems.append("the tables differ")
    print(json.dumps({"kills": struck, "games": tables[0][0].games, "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
