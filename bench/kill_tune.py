"""
kill -9 at random moments of `okapi tune`, then the same command: are all pairs of games and constants the same?

    python bench/kill_tune.py --kills 20

After each kill nothing that the command started may still run, and no pair of games may be lost.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from killing import kills

from okapi.recipes.tuned import PAIRS, TUNED


def pairs(folder: Path) -> set[bytes]:
    """What is kept, without half a line at the end."""
    path = folder / PAIRS
    return set(path.read_bytes().rpartition(b"\n")[0].splitlines()) if path.exists() else set()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = [sys.executable, "-m", "okapi", "tune", "--player", "material", "--json"]
    command += ["--nodes", str(args.nodes), "--iterations", str(args.iterations)]
    with tempfile.TemporaryDirectory() as name:
        calm, killed = Path(name, "calm"), Path(name, "killed")
        begun = time.monotonic()
        subprocess.run([*command, "--out", str(calm)], check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - begun
        problems: list[str] = []
        struck, kept = 0, set[bytes]()
        for found in kills([*command, "--out", str(killed)], args.kills, whole, args.seed):
            problems += found
            struck += 1
            now = pairs(killed)
            if kept - now:
                problems.append(f"kill {struck}: {len(kept - now)} pairs were lost")
            kept = now
            print(f"kill {struck}: {len(now)} pairs", file=sys.stderr, flush=True)
        subprocess.run([*command, "--out", str(killed)], check=True, stdout=subprocess.DEVNULL)
        if pairs(calm) != pairs(killed):
            problems.append("the games differ")
        if (calm / TUNED).read_bytes() != (killed / TUNED).read_bytes():
            problems.append("the constants differ")
    print(json.dumps({"kills": struck, "seconds_undisturbed": round(whole, 1), "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
