"""
kill -9 at random moments of `python -m okapi.training.nnue train`, then the same command: are the weights the same?

    python bench/kill_incremental.py --kills 5

Positions are those of random games, and material is their teacher. On a CPU, weights have to be the same bit for bit.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from killing import kills

from okapi import brains
from okapi.core.exercises import judge
from okapi.core.packed import SAMPLE, random_positions
from okapi.data.samples import SampleWriter
from okapi.training.nnue.pack import pack
from okapi.training.nnue.weights import WEIGHTS

CHANGES = ("neurons=64", "batch=512", "epochs=60", "dropout=0.1")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--positions", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        data, calm, killed = (Path(name, part) for part in ("data", "calm", "killed"))
        make(data, args.positions)
        command = [
            sys.executable,
            "-m",
            "okapi.training.nnue",
            "train",
            str(data),
            "--device",
            "cpu",
            "--threads",
            "1",
        ]
        command += [word for change in CHANGES for word in ("--change", change)]
        begun = time.monotonic()
        subprocess.run([*command, "--out", str(calm)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        whole = time.monotonic() - begun
        problems: list[str] = []
        struck = 0
        for found in kills([*command, "--out", str(killed)], args.kills, args.kills * whole, args.seed):
            problems += found
            struck += 1
        subprocess.run(
            [*command, "--out", str(killed)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if (calm / WEIGHTS).read_bytes() != (killed / WEIGHTS).read_bytes():
            problems.append("the weights differ")
    print(json.dumps({"kills": struck, "seconds_undisturbed": round(whole, 1), "problems": problems}))
    return 1 if problems else 0


def make(folder: Path, count: int) -> None:
    """Packed positions for the trainer."""
    rows = np.zeros(count, SAMPLE)
    rows["position"] = random_positions(count, seed=1)
    rows["value"] = judge([brains.evaluator("material")], rows["position"], threads=1)[0]
    rows["game"] = np.cumsum(rows["position"]["fullmove_number"] == 1) // 2
    folder.mkdir()
    with SampleWriter.open(folder / "made.samples") as writer:
        writer.append(rows)
    pack([folder / "made.samples"], folder)


if __name__ == "__main__":
    sys.exit(main())
