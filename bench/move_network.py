"""How long a move network takes: microseconds a position, all its legal moves together, on one thread.

    python bench/move_network.py                            # networks of our sizes, with weights by chance
    python bench/move_network.py giraffe-moves --positions 50000

Positions are those of random games.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi import brains
from okapi.core import RawBrain
from okapi.core.evaluation import priors
from okapi.core.packed import LegalMoves, legal_moves, random_positions

ROUNDS: Final = 3


def measure(name: str, brain: RawBrain, count: int) -> None:
    positions = random_positions(count, seed=1)
    legal = legal_moves(positions)
    best = min(_seconds(brain, positions, legal) for _ in range(ROUNDS))
    moves = len(legal.bits) / count
    print(
        f"{name}: {1e6 * best / count:.1f} µs a position of {moves:.1f} moves, {1e9 * best / len(legal.bits):.0f} ns a move"
    )


def _seconds(brain: RawBrain, positions: NDArray[np.void], legal: LegalMoves) -> float:
    begun = time.process_time()
    priors(brain, positions, legal)
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brains", nargs="*", help="brains of the kind giraffe-moves: names or paths")
    parser.add_argument("--positions", type=int, default=20_000)
    args = parser.parse_args()
    for name in args.brains:
        measure(name, brains.load(name), args.positions)
    if args.brains:
        return
    from okapi.models.move_network import LIKE_THE_THESIS, Design, MoveNetworkModule, move_brain

    with TemporaryDirectory() as folder:
        for name, design in {"ours": Design(), "the thesis'": LIKE_THE_THESIS}.items():
            path = Path(folder) / "brain.safetensors"
            path.write_bytes(move_brain(MoveNetworkModule(design), {"name": name}))
            measure(name, RawBrain.open(str(path)), args.positions)


if __name__ == "__main__":
    main()
