"""
How fast learners are given samples, on this machine and in this run.

    python bench/sampling.py                        # two million made-up samples
    python bench/sampling.py labelled.samples       # or those of a file
    python bench/sampling.py games.okapi            # or the positions of a game store

Prints one JSON object: positions a second in random order, by positions and by games, with the quiet filter and mixed from
two sources; and the ratio of each to the same rows read one after the other.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from okapi.core import Position
from okapi.core.packed import SAMPLE, pack
from okapi.data.batches import Batches
from okapi.data.filters import Filters
from okapi.data.samples import SampleWriter
from okapi.data.sources import Source, open_source

MADE_UP = 2_000_000
BATCH = 16384
ROUNDS = 3


def make_up(path: Path) -> None:
    """Positions of random games, over and over: their content hardly matters for speed, the size of the file does."""
    random = np.random.default_rng(1)
    positions: list[Position] = []
    moves: list[int] = []
    while len(positions) < 20_000:
        position = Position.start()
        for _ in range(100):
            legal = position.legal_moves()
            if not legal:
                break
            move = legal[random.integers(len(legal))]
            positions.append(position.copy())
            moves.append(move.bits)
            position.play(move)
    rows = np.zeros(len(positions), SAMPLE)
    rows["position"] = pack(positions)
    rows["move"] = moves
    with SampleWriter.open(path) as writer:
        while len(writer) < MADE_UP:
            rows["game"] = (len(writer) + np.arange(len(rows))) // 80
            writer.append(rows)
            writer.commit()


def rate(draw: Callable[[], int]) -> float:
    """Positions a second: the best of some rounds, so that a busy moment of the machine does not decide."""
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        count = draw()
        best = max(best, count / (time.perf_counter() - begun))
    return best


def drawn(batches: Batches, count: int) -> int:
    got = 0
    while got < count:
        got += len(next(batches))
    return got


def sequential(source: Source, count: int) -> int:
    count = min(count, len(source))
    return sum(len(source.take(np.arange(start, min(start + BATCH, count)))) for start in range(0, count, BATCH))


def measure(source: Source, count: int) -> dict[str, float]:
    source.games()  # read once, and kept
    ways = {
        "by_positions": Batches.of([source], size=BATCH),
        "by_games": Batches.of([source], size=BATCH, by="games"),
        "quiet": Batches.of([source], size=BATCH, filters=Filters(quiet=True)),
        "mixed": Batches.of([source, source], size=BATCH, weights=[2, 1]),
    }
    rates = {"sequential": rate(lambda: sequential(source, count))}
    rates |= {name: rate(lambda batches=batches: drawn(batches, count)) for name, batches in ways.items()}  # type: ignore[misc]
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast learners are given samples.")
    parser.add_argument(
        "file", nargs="?", type=Path, help="a sample file or a game store; without one, some are made up"
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="positions to draw each time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or Path(folder) / "made_up.samples"
        if arguments.file is None:
            make_up(path)
        source = open_source(path)
        rates = measure(source, arguments.count)
        report = {"positions": len(source), "positions_a_second": {k: round(v) for k, v in rates.items()}}
    ratios = {name: round(rate / rates["sequential"], 3) for name, rate in rates.items() if name != "sequential"}
    print(json.dumps({**report, "ratio_to_sequential": ratios}, indent=2))


if __name__ == "__main__":
    main()
