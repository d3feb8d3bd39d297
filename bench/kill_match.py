"""
kill -9 at random moments of a match, then the same command: is every finished game kept, the pairing completed, none twice?

    python bench/kill_match.py --kills 20

The match is limited by nodes, so that in the end its games have to be, move for move, those of a match that nobody
disturbed. After each kill nothing that the match started may still run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from killing import kills

from okapi.arena.games import PlayedGame, read_games
from okapi.uci import okapi_uci

NODES = 3_000


def command(folder: Path, name: str, games: int) -> list[str]:
    engine = f"uci:{okapi_uci()}{{Hash=1}}"
    limits = ["--nodes", str(NODES), "--games", str(games), "--concurrency", "2", "--resign-score", "700"]
    files = ["--store", str(folder / f"{name}.sqlite"), "--pgn", str(folder / f"{name}.pgn"), "--json"]
    return [sys.executable, "-m", "okapi", "match", engine, "alphabeta:material,hash=1", *limits, *files]


def games_in(path: Path) -> dict[int, PlayedGame]:
    return {played.number: played for played in read_games(path)[1]} if path.exists() else {}


def same(one: PlayedGame, other: PlayedGame) -> bool:
    return (one.pairing, one.moves, one.result, one.ending) == (other.pairing, other.moves, other.result, other.ending)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = time.monotonic()
        subprocess.run(command(folder, "calm", args.games), check=True, stdout=subprocess.DEVNULL)
        calm = games_in(folder / "calm.sqlite")
        whole = time.monotonic() - begun
        kept: dict[int, PlayedGame] = {}
        struck = 0
        for found in kills(command(folder, "killed", args.games), args.kills, whole, args.seed):
            problems += found
            struck += 1
            now = games_in(folder / "killed.sqlite")
            problems += [f"kill {struck}: game {n} was lost" for n in kept if n not in now or not same(kept[n], now[n])]
            kept = now
            print(f"kill {struck}: {len(kept)} of {args.games} games", file=sys.stderr, flush=True)
        subprocess.run(command(folder, "killed", args.games), check=True, stdout=subprocess.DEVNULL)
        final = games_in(folder / "killed.sqlite")
        problems += [f"game {n} is missing or another" for n in calm if n not in final or not same(calm[n], final[n])]
        in_pgn = (folder / "killed.pgn").read_text().count("[Event ")
        if in_pgn != args.games:
            problems.append(f"{in_pgn} games in the PGN")
    print(json.dumps({"kills": struck, "games": len(final), "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
