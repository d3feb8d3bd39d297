"""
kill -9 at random moments of `okapi train`, then the same command: are weights, brain and curves in the end the same?

    python bench/kill_train.py --kills 10
    python bench/kill_train.py --kills 10 --recipe resnet --labels labels.samples

After each kill nothing that the command started may still run, and no epoch that was over may be lost.
"""

import argparse
import csv
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from killing import outlived, undisturbed

from okapi.training.supervised import read_learned

LONG = ("epochs=300", "patience=300", "positions=20000")
"""Many short epochs, so that kills fall into all of the work and not only into its beginning."""


def epochs(folder: Path) -> list[dict[str, str]]:
    """The curve, without how long it took."""
    path = folder / "metrics.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{name: value for name, value in row.items() if name != "seconds"} for row in csv.DictReader(file)]


def differences(one: Path, other: Path) -> list[str]:
    """What is not the same, bit for bit."""
    first, second = read_learned(one).tensors, read_learned(other).tensors
    found = [f"tensor {name} differs" for name in first if not np.array_equal(first[name], second[name])]
    if (one / "brain.safetensors").read_bytes() != (other / "brain.safetensors").read_bytes():
        found.append("the brains differ")
    return found + (["the curves differ"] if epochs(one) != epochs(other) else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--recipe", default="perceptron")
    parser.add_argument("--size", default="quick")
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--change", nargs="*", default=LONG, metavar="KEY=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = [sys.executable, "-m", "okapi", "train", args.recipe, "--size", args.size, "--device", "cpu", "--json"]
    command += ["--threads", str(args.threads)]
    command += ["--labels", str(args.labels)] if args.labels else []
    for change in args.change:
        command += ["--change", change]
    with tempfile.TemporaryDirectory() as name:
        calm, killed = Path(name, "calm"), Path(name, "killed")
        done, whole, lives = undisturbed([*command, "--out", str(calm)], args.kills)
        struck, problems = outlived(
            command, killed, lambda folder: len(epochs(folder)), "epochs", args.kills, lives, args.seed
        )
        problems += differences(calm, killed)
    told = {"kills": struck, "epochs": done["epochs"], "seconds_undisturbed": round(whole, 1)}
    print(json.dumps({**told, "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
