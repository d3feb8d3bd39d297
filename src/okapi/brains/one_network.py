"""One network that predicts moves: a logit for each pair of squares.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from okapi.brains.convolutional import read_encoding
from okapi.brains.network import Network, SquareLogs, log_softmax
from okapi.brains.passport import Passport
from okapi.brains.writing import read_tensors
from okapi.encodings import Encoding, Known, encode_known

__all__ = ["OneNetwork"]


@dataclass(frozen=True, slots=True)
class OneNetwork:
    """Sees a position once, and says everything about it."""

    encoding: Encoding
    network: Network

    @classmethod
    def read(cls, passport: Passport, threads: int) -> "OneNetwork":
        """InvalidBrain says what is wrong."""
        encoding = read_encoding(passport.encoding)
        layers = passport.details().get("layers")
        return cls(
            encoding, Network(layers, read_tensors(passport.path), encoding.shape, outputs=64 * 64, threads=threads)
        )

    @property
    def layers(self) -> frozenset[str]:
        """What it can be told besides the position."""
        return frozenset(self.encoding.layers)

    def logs(self, positions: NDArray[np.void], known: Known, pieces: NDArray[np.bool_]) -> SquareLogs:
        """Of all squares, whatever stands there."""
        logits = self.network.answers(encode_known(self.encoding, positions, known))
        pairs = log_softmax(logits).reshape(-1, 64, 64)
        origin = np.logaddexp.reduce(pairs, axis=2)
        return SquareLogs(origin, pairs - origin[:, :, np.newaxis])
