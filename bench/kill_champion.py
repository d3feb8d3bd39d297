"""
kill -9 at random moments of `okapi train champion`, then the same command: does every generation come to the same?

    python bench/kill_champion.py --kills 10

Games, learned weights and outcomes are compared, bit for bit; only how long things took may differ. One thread plays,
because with several the games of a test end in another order, and the test may then stop a game earlier or later.
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

SHORT = ("games=64", "nodes=100", "epochs=20", "test_games=60", "test_nodes=200")
"""Steps of some seconds each, so that kills fall into all of them."""

COMPARED = ("own.samples", "training/weights.npz", "openings.epd")


def outcome(folder: Path) -> dict[str, Any]:
    """What became of a generation, without how long it took."""
    told: dict[str, Any] = json.loads((folder / "outcome.json").read_bytes())
    return {name: value for name, value in told.items() if name != "seconds"}


def differences(one: Path, other: Path, generations: int) -> list[str]:
    """What is not the same."""
    found = []
    for number in range(1, generations + 1):
        first, second = (folder / f"{number:02}" for folder in (one, other))
        found += [
            f"{name} of generation {number} differs"
            for name in COMPARED
            if (first / name).read_bytes() != (second / name).read_bytes()
        ]
        if outcome(first) != outcome(second):
            found.append(f"generation {number}: {outcome(first)} and {outcome(second)}")
    return found


def seconds(command: list[str]) -> float:
    """What a command takes."""
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--change", nargs="*", default=SHORT, metavar="KEY=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = [
        sys.executable,
        "-m",
        "okapi",
        "train",
        "champion",
        "--size",
        "tiny",
        "--device",
        "cpu",
        "--threads",
        "1",
    ]
    command += ["--generations", str(args.generations)]
    for change in args.change:
        command += ["--change", change]
    with tempfile.TemporaryDirectory() as name:
        calm, killed = Path(name, "calm"), Path(name, "killed")
        whole = seconds([*command, "--out", str(calm)])
        idle = seconds([*command, "--out", str(calm)])  # everything is done: what loading takes, in every life
        problems: list[str] = []
        struck = 0
        for found in kills([*command, "--out", str(killed)], args.kills, whole + args.kills * idle, args.seed):
            problems += found
            struck += 1
            there = sorted(path.relative_to(killed).as_posix() for path in killed.glob("0*/*"))
            print(f"kill {struck}: {len(there)} files", file=sys.stderr, flush=True)
        subprocess.run([*command, "--out", str(killed)], check=True, stdout=subprocess.DEVNULL)
        problems += differences(calm, killed, args.generations)
    print(json.dumps({"kills": struck, "seconds_undisturbed": round(whole, 1), "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
