"""
How many positions a second each encoding takes in bulk, on one core, beside its numpy twin and a loop over python-chess.

    python bench/encodings.py

Prints one JSON object. Positions are those of random games; batches are written into the same array again and again, as
training does. Processor time, best of several rounds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import chess
import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import fens, random_positions
from okapi.encodings import ENCODINGS, PIECE_SQUARES, Encoding

BATCH = 16_384
REACH = {"planes-6": 1.5e6, "planes-12": 1.5e6, "bitmap-768": 1.5e6, "giraffe-363": 2e5}


def rate(work: Callable[[], object], positions: int, rounds: int) -> int:
    """Positions a second of processor time, in the best round."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return round(positions / best)


def cpp_rate(encoding: Encoding, positions: NDArray[np.void], dtype: str, rounds: int) -> int:
    out = np.zeros((BATCH, *encoding.shape), dtype)

    def work() -> None:
        for start in range(0, len(positions), BATCH):
            encoding.encode_many(positions[start : start + BATCH], out=out)

    return rate(work, len(positions), rounds)


def by_python_chess(boards: list[chess.Board]) -> NDArray[np.uint8]:
    """planes-12 as one would write it with python-chess."""
    planes = np.zeros((len(boards), 12, 8, 8), np.uint8)
    channels = (chess.PAWN, chess.ROOK, chess.KNIGHT, chess.BISHOP, chess.QUEEN, chess.KING)
    for n, board in enumerate(boards):
        for square, piece in board.piece_map().items():
            own = piece.color == board.turn
            seen = square if board.turn else chess.square_mirror(square)
            planes[n, 2 * channels.index(piece.piece_type) + (not own), seen >> 3, seen & 7] = 1
    return planes


def measured(encoding: Encoding, positions: NDArray[np.void], rounds: int) -> dict[str, int]:
    few = positions[:2000]
    found = {
        dtype: cpp_rate(encoding, positions, dtype, rounds) for dtype in dict.fromkeys((encoding.dtype.name, "float32"))
    }
    found["numpy"] = rate(lambda: encoding.in_numpy(few), len(few), rounds)
    if encoding.name in REACH:
        found["reach"] = round(REACH[encoding.name])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    positions = random_positions(options.batches * BATCH, seed=1)
    results = {encoding.name: measured(encoding, positions, options.rounds) for encoding in ENCODINGS.values()}
    for name, piece_square in PIECE_SQUARES.items():
        sparse = rate(lambda: piece_square.indices(positions), len(positions), options.rounds)  # noqa: B023
        results[f"{name}, sparse"] = {"int32": sparse}
    boards = [chess.Board(fen) for fen in fens(positions[:2000])]
    assert np.array_equal(by_python_chess(boards), ENCODINGS["planes-12"].encode_many(positions[:2000]))
    results["planes-12 by python-chess"] = {"uint8": rate(lambda: by_python_chess(boards), len(boards), options.rounds)}
    print(json.dumps({"positions a second, one core": results}, indent=2))


if __name__ == "__main__":
    main()
