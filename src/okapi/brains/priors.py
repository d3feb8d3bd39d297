"""A move network as a brain that predicts moves: it is asked about legal moves, and knows nothing of squares.

Not imported by `okapi.brains` itself, which works without numpy.
"""

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.likely import Likely
from okapi.brains.network import SquareLogs
from okapi.core import Brain, Color
from okapi.core.evaluation import priors
from okapi.core.packed import LegalMoves, legal_moves
from okapi.encodings import Known, move_squares

__all__ = ["MoveNetwork"]

Floats = NDArray[np.float32]


class MoveNetwork:
    """Says how likely each legal move is to be the best."""

    def __init__(self, brain: Brain, threads: int) -> None:
        self._brain = brain
        self._threads = threads

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "MoveNetwork":
        """InvalidBrain says what is wrong."""
        return cls(Brain.open(str(card.path)), threads)

    @property
    def layers(self) -> frozenset[str]:
        """It can be told nothing besides the position."""
        return frozenset()

    def likely(self, positions: NDArray[np.void]) -> Likely:
        """The legal moves of packed positions, likeliest first."""
        legal = legal_moves(positions, threads=self._threads)
        said = self._said(positions, legal)
        order = np.lexsort((-said, legal.rows))
        return Likely(legal.starts, legal.bits[order], said[order])

    def square_logs(self, positions: NDArray[np.void], known: Known) -> SquareLogs:
        """What the moves come to: nothing is said of squares that no legal move has."""
        legal = legal_moves(positions, threads=self._threads)
        pairs = np.zeros((len(positions), 64, 64), np.float32)
        np.add.at(pairs, (legal.rows, *_mover_squares(positions, legal)), self._said(positions, legal))
        origin = pairs.sum(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            target = np.where(origin[:, :, np.newaxis] > 0, pairs / origin[:, :, np.newaxis], 0)
            return SquareLogs(np.log(origin), np.log(target))

    def _said(self, positions: NDArray[np.void], legal: LegalMoves) -> Floats:
        return priors(self._brain, positions, legal, threads=self._threads)


def _mover_squares(positions: NDArray[np.void], legal: LegalMoves) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    turned = np.where(positions["turn"][legal.rows] == Color.BLACK.value, 56, 0)
    origin, target = move_squares(legal.bits)
    return origin ^ turned, target ^ turned
