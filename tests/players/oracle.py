"""A brain for tests that predicts the moves it was told."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.brains.move_prediction import Squares
from okapi.core.packed import unpack
from okapi.players.singh2015 import MoveProbabilities

__all__ = ["Oracle"]


class Oracle:
    """Knows how likely some moves are, written as pairs of squares; all others are unlikely."""

    inputs = frozenset({"elo"})

    def __init__(self, pairs: Mapping[str, float], origins: Mapping[str, float] | None = None) -> None:
        self.pairs = pairs
        self.origins = origins or {}
        self.asked: list[int] = []
        self.elos: list[ArrayLike | None] = []

    def squares(self, positions: NDArray[np.void], *, elo: ArrayLike | None = None) -> Squares:
        origin = np.full((len(positions), 64), 1e-6, np.float32)
        target = np.full((len(positions), 64, 64), 1e-6, np.float32)
        for pair, chance in self.pairs.items():
            target[:, index(pair[:2]), index(pair[2:])] = chance
            origin[:, index(pair[:2])] = self.origins.get(pair[:2], 0.5)
        return Squares(origin, target)

    def moves(self, positions: NDArray[np.void], *, elo: ArrayLike | None = None) -> list[MoveProbabilities]:
        self.asked.append(len(positions))
        self.elos.append(elo)
        squares = self.squares(positions)
        listed = []
        for row, packed in enumerate(positions):
            position = unpack(packed)
            texts = {move: position.uci(move, chess960=False) for move in position.legal_moves()}
            chances = {
                move: float(
                    squares.origin[row, index(text[:2])] * squares.target[row, index(text[:2]), index(text[2:4])]
                )
                for move, text in texts.items()
            }
            whole = sum(chances.values())
            ordered = sorted(chances, key=lambda move: (-chances[move], not texts[move].endswith("q")))
            listed.append([(move, chances[move] / whole) for move in ordered])
        return listed


def index(square: str) -> int:
    return "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
