"""
kill -9 at random moments of `okapi evolve`, then the same command: are all brains and generations in the end the same?

    python bench/kill_evolve.py --kills 20
    python bench/kill_evolve.py --kills 20 --recipe vazquez-pieces

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

from okapi.recipes.raising import read_generations


def everything(folder: Path) -> dict[str, object]:
    """All that a run leaves, without when and how long."""
    brains = {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("**/*.safetensors")}
    return {**brains, "generations": [{**line, "at": 0, "seconds": 0} for line in read_generations(folder)]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--recipe", default="vazquez-28")
    parser.add_argument("--size", default="quick")
    parser.add_argument("--games", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = [sys.executable, "-m", "okapi", "evolve", args.recipe, "--size", args.size, "--json"]
    command += ["--games", str(args.games)] if args.games else []
    with tempfile.TemporaryDirectory() as name:
        calm, killed = Path(name, "calm"), Path(name, "killed")
        begun = time.monotonic()
        subprocess.run([*command, "--out", str(calm)], check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - begun
        problems: list[str] = []
        struck = kept = 0
        for found in kills([*command, "--out", str(killed)], args.kills, whole, args.seed):
            problems += found
            struck += 1
            now = len(read_generations(killed))
            if now < kept:
                problems.append(f"kill {struck}: {kept - now} generations were lost")
            kept = now
            print(f"kill {struck}: {now} generations", file=sys.stderr, flush=True)
        last = json.loads(subprocess.run([*command, "--out", str(killed)], check=True, capture_output=True).stdout)
        first, second = everything(calm), everything(killed)
        problems += [f"{name} differs" for name in {**first, **second} if first.get(name) != second.get(name)]
    told = {"kills": struck, "generations": last["generations"], "seconds_undisturbed": round(whole, 1)}
    print(json.dumps({**told, "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
