"""Count every position of the big perft suites to its full depth, and print what differs.

    python bench/perft_suites.py ../shared/data/perft
    python bench/perft_suites.py ../shared/data/perft --most 10000000     only counts up to that many leaves

The files are EPD lines with `;D1 20 ;D2 400 …`. Everything takes hours on one core; --workers uses more.
"""

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from okapi import Position

Task = tuple[str, int, int]
"""FEN, depth, leaves."""


def tasks(file: Path, most: int) -> Iterator[Task]:
    """The deepest count of each line that is not above `most`."""
    for line in file.read_text(encoding="utf-8").splitlines():
        fen, *counts = line.split(";")
        listed = [(int(item.split()[0][1:]), int(item.split()[1])) for item in counts]
        small = [(depth, leaves) for depth, leaves in listed if leaves <= most]
        if small:
            yield fen.strip(), *small[-1]


def tricky(file: Path, most: int) -> Iterator[Task]:
    """The other format: blocks of `id`, `epd` and lines of `perft DEPTH LEAVES`."""
    fen = ""
    best: Task | None = None
    for line in [*file.read_text(encoding="utf-8").splitlines(), "epd"]:
        words = line.split()
        if words[:1] == ["epd"]:
            if best:
                yield best
            fen, best = " ".join(words[1:]), None
        elif words[:1] == ["perft"] and int(words[2]) <= most:
            best = (fen, int(words[1]), int(words[2]))


def count(task: Task) -> tuple[Task, int]:
    fen, depth, _ = task
    return task, Position.from_fen(fen).perft(depth)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=10**12)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    wrong = 0
    with ProcessPoolExecutor(args.workers) as pool:
        for file in sorted(args.folder.glob("*.epd")) + sorted(args.folder.glob("*.perft")):
            begun = time.perf_counter()
            work = list((tasks if file.suffix == ".epd" else tricky)(file, args.most))
            leaves = 0
            for (fen, depth, expected), counted in pool.map(count, work, chunksize=4):
                leaves += counted
                if counted != expected:
                    wrong += 1
                    print(f"{fen} depth {depth}: {counted}, expected {expected}")
            seconds = time.perf_counter() - begun
            print(f"{file.name}: {len(work)} positions, {leaves:,} leaves, {seconds:.0f} s", flush=True)
    print(f"{wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
