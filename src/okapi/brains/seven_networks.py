"""The seven networks of singh2015: one chooses the piece, and six choose where a piece of their kind goes.

A. Singh, Convolutional Neural Networks learn to play Chess, 2015, section 2.4. Not imported by `okapi.brains` itself,
which works without numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.convolutional import read_encoding
from okapi.brains.network import Network, SquareLogs, SquarePairs, log_softmax
from okapi.brains.writing import read_tensors
from okapi.core import Color, Kind
from okapi.encodings import Encoding, Known, encode_known, own_kinds
from okapi.errors import InvalidBrain

__all__ = ["NAMES", "SevenNetworks"]

PIECE: Final = "piece"
NAMES: Final = (PIECE, *(kind.name.lower() for kind in Kind))


@dataclass(frozen=True, slots=True)
class _Chooser:
    """One of the seven."""

    encoding: Encoding
    network: Network

    @classmethod
    def read(cls, name: str, said: Any, tensors: Mapping[str, NDArray[np.float32]], threads: int) -> "_Chooser":
        encoding = read_encoding(str(said.get("encoding")))
        own = {key.removeprefix(f"{name}/"): tensor for key, tensor in tensors.items() if key.startswith(f"{name}/")}
        return cls(encoding, Network(said.get("layers"), own, encoding.shape, outputs=64, threads=threads))

    def logs(self, positions: NDArray[np.void], known: Known) -> NDArray[np.float32]:
        return log_softmax(self.network.answers(encode_known(self.encoding, positions, known)))


@dataclass(frozen=True, slots=True)
class SevenNetworks:
    """Look at a position once, and once more for each piece whose network is told which piece moves."""

    choosers: Mapping[str, _Chooser]

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "SevenNetworks":
        """InvalidBrain says what is wrong."""
        said = card.details().get("networks")
        if not isinstance(said, dict) or not all(isinstance(said.get(name), dict) for name in NAMES):
            raise InvalidBrain(f"its card does not describe seven networks: {', '.join(NAMES)}")
        tensors = read_tensors(card.path)
        choosers = {}
        for name in NAMES:
            try:
                choosers[name] = _Chooser.read(name, said[name], tensors, threads)
            except InvalidBrain as error:
                raise type(error)(f"network `{name}`: {error}", hint=error.hint) from None
        return cls(choosers)

    @property
    def layers(self) -> frozenset[str]:
        """What they can be told besides the position."""
        return frozenset(layer for chooser in self.choosers.values() for layer in chooser.encoding.layers)

    def square_logs(self, positions: NDArray[np.void], known: Known) -> SquareLogs:
        """Of the mover's pieces; from other squares nothing goes anywhere."""
        return self._logs(positions, known, np.ones((len(positions), 64), np.bool_))

    def move_logs(self, positions: NDArray[np.void], known: Known, moves: SquarePairs) -> NDArray[np.float32]:
        """What they say about these moves: logarithms of probabilities."""
        movable = np.zeros((len(positions), 64), np.bool_)
        movable[moves.rows, moves.origin] = True
        logs = self._logs(positions, known, movable)
        return logs.origin[moves.rows, moves.origin] + logs.target[moves.rows, moves.origin, moves.target]

    def _logs(self, positions: NDArray[np.void], known: Known, pieces: NDArray[np.bool_]) -> SquareLogs:
        """Only where `pieces` stand are the six networks asked."""
        target = np.full((len(positions), 64, 64), -np.inf, np.float32)
        kinds = own_kinds(positions)
        for kind in Kind:
            rows, squares = np.nonzero(pieces & (kinds == kind.value))
            if len(rows):
                target[rows, squares] = self._targets(kind, positions, known, rows, squares)
        return SquareLogs(self.choosers[PIECE].logs(positions, known), target)

    def _targets(
        self,
        kind: Kind,
        positions: NDArray[np.void],
        known: Known,
        rows: NDArray[np.int64],
        squares: NDArray[np.int64],
    ) -> NDArray[np.float32]:
        """Of each piece of a kind, given by its position and square."""
        chooser = self.choosers[kind.name.lower()]
        if PIECE in chooser.encoding.layers:
            black = positions["turn"][rows] == Color.BLACK.value
            return chooser.logs(positions[rows], known.at(rows, piece=squares ^ np.where(black, 56, 0)))
        seen, which = np.unique(rows, return_inverse=True)  # one answer serves all pieces of the kind
        return chooser.logs(positions[seen], known.at(seen))[which]
