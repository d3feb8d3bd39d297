"""One network that predicts moves: a logit for each pair of squares.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.convolutional import read_encoding
from okapi.brains.network import Network, SquareLogs, SquarePairs, log_softmax, log_sum
from okapi.brains.writing import read_tensors
from okapi.encodings import Encoding, Known, encode_known

__all__ = ["OneNetwork"]


@dataclass(frozen=True, slots=True)
class OneNetwork:
    """Sees a position once, and says everything about it."""

    encoding: Encoding
    network: Network

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "OneNetwork":
        """InvalidBrain says what is wrong."""
        encoding = read_encoding(card.encoding)
        layers = card.details().get("layers")
        return cls(encoding, Network(layers, read_tensors(card.path), encoding.shape, outputs=64 * 64, threads=threads))

    @property
    def layers(self) -> frozenset[str]:
        """What it can be told besides the position."""
        return frozenset(self.encoding.layers)

    def square_logs(self, positions: NDArray[np.void], known: Known) -> SquareLogs:
        """Of all squares, whatever stands there."""
        pairs = self._answers(positions, known).reshape(-1, 64, 64)
        from_there = log_sum(pairs)
        return SquareLogs(log_softmax(from_there), pairs - from_there[:, :, np.newaxis])

    def move_logs(self, positions: NDArray[np.void], known: Known, moves: SquarePairs) -> NDArray[np.float32]:
        """What it says about these moves: logarithms, up to a number that is the same for all moves of a position."""
        said = self._answers(positions, known)
        return np.asarray(said[moves.rows, 64 * moves.origin + moves.target])

    def _answers(self, positions: NDArray[np.void], known: Known) -> NDArray[np.float32]:
        return self.network.answers(encode_known(self.encoding, positions, known))
