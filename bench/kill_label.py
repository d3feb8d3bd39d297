"""
kill -9 at random moments of `okapi label`, then the same command: is the file in the end the same, byte for byte?

    python bench/kill_label.py --kills 20
    python bench/kill_label.py --kills 20 --engine stockfish

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

from okapi.core import random_openings
from okapi.uci import okapi_uci


def command(engine: str, folder: Path, name: str, nodes: int) -> list[str]:
    asked = ["--engine", engine, "--nodes", str(nodes), "--workers", "2", "--random-moves", "0.5", "--multipv", "2"]
    return [
        *(sys.executable, "-m", "okapi", "label", str(folder / "positions.fen")),
        *(*asked, "--to", str(folder / f"{name}.samples"), "--json"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--engine", default=str(okapi_uci()))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        openings = random_openings(args.positions, seed=1)
        (folder / "positions.fen").write_text("".join(f"{position.fen()}\n" for position in openings * 2))
        begun = time.monotonic()
        subprocess.run(command(args.engine, folder, "calm", args.nodes), check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - begun
        killed = command(args.engine, folder, "killed", args.nodes)
        problems: list[str] = []
        struck = 0
        for found in kills(killed, args.kills, whole, args.seed):
            problems += found
            struck += 1
            size = (folder / "killed.samples").stat().st_size if (folder / "killed.samples").exists() else 0
            print(f"kill {struck}: {size:,} bytes", file=sys.stderr, flush=True)
        last = subprocess.run(killed, check=True, capture_output=True, text=True)
        calm, other = ((folder / f"{name}.samples").read_bytes() for name in ("calm", "killed"))
        if calm != other:
            problems.append(f"the files differ: {len(calm)} and {len(other)} bytes")
    report = json.loads(last.stdout)
    told = {"kills": struck, "positions": report["positions"], "duplicates": report["duplicates"]}
    print(json.dumps({**told, "seconds_undisturbed": round(whole, 1), "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
