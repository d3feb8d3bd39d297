"""
kill -9 at random moments of `okapi paper`, then the same command: are all results in the end the same?

    python bench/kill_paper.py --kills 20
    python bench/kill_paper.py --kills 20 --size quick --games masters.pgn

After each kill nothing that the command started may still run, and no result that was there may be lost. Ratings are not
compared: Stockfish at a limited strength throws dice of its own.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from killing import kills

TIMES = {"seconds", "elo_per_minute"}


def timeless(data: Any) -> Any:
    """A result without how long anything took."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in TIMES}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def results(folder: Path) -> dict[str, Any]:
    """What the experiments found."""
    paths = sorted((folder / "results").glob("*.json"))
    return {path.stem: timeless(json.loads(path.read_bytes())) for path in paths if not path.stem.endswith("_rating")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--paper", default="vazquez2012")
    parser.add_argument("--size", default="tiny")
    parser.add_argument("--games", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "lab")
        command = [sys.executable, "-m", "okapi", "paper", args.paper, "--size", args.size, "--out", str(folder)]
        command += ["--games", str(args.games)] if args.games else []
        begun = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        whole = time.monotonic() - begun
        calm = results(folder)
        folder.rename(Path(name, "calm"))  # the paths in results stay the same
        problems: list[str] = []
        struck = kept = 0
        for found in kills(command, args.kills, whole, args.seed):
            problems += found
            struck += 1
            now = len(results(folder))
            problems += [f"kill {struck}: {kept - now} results were lost"] if now < kept else []
            kept = now
            print(f"kill {struck}: {now} results", file=sys.stderr, flush=True)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        killed = results(folder)
        problems += [f"{name} differs" for name in {**calm, **killed} if calm.get(name) != killed.get(name)]
    told = {"kills": struck, "results": len(killed), "seconds_undisturbed": round(whole, 1), "problems": problems}
    print(json.dumps(told))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
