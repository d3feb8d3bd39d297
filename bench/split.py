"""
How fast a store is split, in how much memory, and is the promise of docs/reference/split.md kept?

    python bench/split.py games.okapi
    python bench/split.py games.okapi --check 20000

The check goes through that many games of the store in the slow way, with FENs as Python strings: every position of
training that stands after move 10 of a test or validation game must be left out, and no other.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from okapi.core.packed import fens
from okapi.data.split import Shares, Split, Subset, make_split
from okapi.data.store import Store, StoreWriter


def measured(store: Path, folder: Path) -> None:
    """Split in a process of its own, so that its memory is its own."""
    begun = time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "okapi",
        "games",
        "split",
        str(store),
        "--to",
        str(folder / "whole.split"),
        "--json",
    ]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    seconds = time.perf_counter() - begun
    positions = sum(told["positions"].values()) + told["left_out"]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{told['games']:,} games, {positions:,} positions: {seconds:.1f} s, {positions / seconds / 1e6:.1f} million/s"
    )
    print(
        f"peak memory {peak:,.0f} MB (the mapped store included), split {(folder / 'whole.split').stat().st_size:,} bytes"
    )
    print(f"left out {told['left_out']:,} of {positions:,} ({100 * told['left_out'] / positions:.2f} %)")


def some_of(path: Path, to: Path, games: int) -> Store:
    """A store of the first games of another."""
    store = Store.open(path)
    with StoreWriter.open(to) as writer:
        for number in range(min(games, len(store))):
            writer.add(store[number])
    return Store.open(to)


def texts(store: Store, game: int, plies: int) -> list[str]:
    """The positions of a game as FENs without counters."""
    found = store.positions(np.full(plies + 1, game), np.arange(plies + 1))
    return [" ".join(fen.split()[:4]) for fen in fens(found)]


def checked(store: Store, split: Split) -> None:
    """Compare with sets of strings."""
    plies = store.plies()
    held: set[str] = set()
    wrong = left_out = 0
    for part in (Subset.TEST, Subset.VALIDATION, Subset.TRAIN):
        late: set[str] = set()
        for game in np.flatnonzero(split.subsets == part).tolist():
            length = int(plies[game])
            positions = texts(store, game, length)
            allowed = split.allows(np.full(length + 1, game), np.arange(length + 1)).tolist()
            wrong += sum(may == (text in held) for may, text in zip(allowed, positions, strict=True))
            left_out += allowed.count(False)
            late.update(positions[20:])
        held |= late
    print(f"{len(store):,} games checked with strings: {left_out:,} positions left out, {wrong} wrong")
    sys.exit(1 if wrong else 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--check", type=int, default=5_000, help="games to check with strings")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured(options.store, Path(folder))
        store = some_of(options.store, Path(folder) / "some.okapi", options.check)
        checked(store, make_split(store, Shares(60, 20, 20)))


if __name__ == "__main__":
    main()
