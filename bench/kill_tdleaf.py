"""
kill -9 at random moments of `okapi train giraffe`, then the same command: is the brain in the end the same?

    python bench/kill_tdleaf.py --kills 10
    python bench/kill_tdleaf.py --kills 10 --threads 2 --games masters.okapi

After each kill nothing that the command started may still run, the process that measures strength least of all, and no
iteration of a checkpoint may be lost.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import torch
from killing import outlived, undisturbed

LONG = ("iterations=3000", "gauge_every=100", "hidden=16", "pieces=16", "squares=16")
"""Many short iterations over some minutes, so that kills fall into all of the work and not only into its beginning."""


def iteration(folder: Path) -> int:
    """Of the checkpoint."""
    path = folder / "checkpoint.pt"
    return int(torch.load(path, weights_only=True)["iteration"]) if path.exists() else 0


def differences(one: Path, other: Path) -> list[str]:
    """What is not the same, bit for bit."""
    same = ("bootstrap.safetensors", "brain.safetensors")
    found = [f"{name} differs" for name in same if (one / name).read_bytes() != (other / name).read_bytes()]
    first, second = (torch.load(folder / "checkpoint.pt", weights_only=True) for folder in (one, other))
    return found + [
        f"{what}: {name} differs"
        for what in ("model", "average", "window")
        for name, value in first[what].items()
        if not torch.equal(torch.as_tensor(value), torch.as_tensor(second[what][name]))
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--games", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--change", nargs="*", default=LONG, metavar="KEY=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = [sys.executable, "-m", "okapi", "train", "giraffe", "--size", "tiny", "--json"]
    command += ["--threads", str(args.threads)]
    command += ["--games", str(args.games)] if args.games else []
    for change in args.change:
        command += ["--change", change]
    with tempfile.TemporaryDirectory() as name:
        calm, killed = Path(name, "calm"), Path(name, "killed")
        done, whole, lives = undisturbed([*command, "--out", str(calm)], args.kills)
        struck, problems = outlived(command, killed, iteration, "iterations", args.kills, lives, args.seed)
        problems += differences(calm, killed)
    told = {"kills": struck, "iterations": done["iterations"], "seconds_undisturbed": round(whole, 1)}
    print(json.dumps({**told, "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
