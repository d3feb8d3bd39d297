"""
kill -9 at random moments of `okapi selfplay`, then the same command: is the store in the end the same, byte for byte?

    python bench/kill_selfplay.py --kills 20
    python bench/kill_selfplay.py --kills 20 --player uci:okapi-uci --games 100

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

from okapi.data.store import Store


def command(player: str, folder: Path, name: str, games: int, nodes: int) -> list[str]:
    limits = ["--games", str(games), "--nodes", str(nodes), "--concurrency", "2"]
    return [
        *(sys.executable, "-m", "okapi", "selfplay", player, *limits),
        *("--to", str(folder / f"{name}.okapi"), "--json"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=2_000)
    parser.add_argument("--player", default="alphabeta:okapi-28,hash=1")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = time.monotonic()
        calm = command(args.player, folder, "calm", args.games, args.nodes)
        subprocess.run(calm, check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - begun
        killed = command(args.player, folder, "killed", args.games, args.nodes)
        problems: list[str] = []
        struck = kept = 0
        for found in kills(killed, args.kills, whole, args.seed):
            problems += found
            struck += 1
            now = len(Store.open(folder / "killed.okapi")) if (folder / "killed.okapi").exists() else 0
            if now < kept:
                problems.append(f"kill {struck}: {kept - now} games were lost")
            kept = now
            print(f"kill {struck}: {now} of {args.games} games", file=sys.stderr, flush=True)
        last = json.loads(subprocess.run(killed, check=True, capture_output=True, text=True).stdout)
        stores = [(folder / f"{name}.okapi").read_bytes() for name in ("calm", "killed")]
        if stores[0] != stores[1]:
            problems.append(f"the stores differ: {len(stores[0])} and {len(stores[1])} bytes")
    told = {"kills": struck, "games": last["games"], "plies": last["plies"], "seconds_undisturbed": round(whole, 1)}
    print(json.dumps({**told, "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
