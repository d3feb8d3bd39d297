"""The networks of brains that predict moves: one for pairs of squares, singh2015's seven, and lai2015's for moves.

They answer logarithms of probabilities. Needs numpy, so `okapi.brains` imports it only when it is used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.brains.card import ModelCard
from okapi.brains.convolutional import Network, read_encoding
from okapi.brains.files import read_tensors
from okapi.core import Brain, Color, Kind
from okapi.core.evaluation import priors
from okapi.core.packed import LegalMoves, legal_moves
from okapi.encodings import Encoding, Known, encode_known, move_squares, own_kinds
from okapi.errors import InvalidBrain

__all__ = [
    "NAMES",
    "MoveNetwork",
    "MoveProbabilities",
    "OneNetwork",
    "SevenNetworks",
    "SquareLogs",
    "SquarePairs",
    "log_softmax",
    "log_sum",
    "move_probabilities",
]

Floats = NDArray[np.float32]

PROMOTION: Final = 1
CASTLING: Final = 3
"""Types of moves, in the two highest bits of Move.bits."""


@dataclass(frozen=True, slots=True)
class MoveProbabilities:
    """The legal moves of many positions, each position's likeliest first."""

    starts: NDArray[np.int64]
    """Where the moves of each position begin; one more, where the last ones end."""
    moves: NDArray[np.uint16]
    """Move.bits."""
    probabilities: Floats
    """Of each move; those of a position sum to 1."""

    def of(self, row: int) -> tuple[NDArray[np.uint16], Floats]:
        """Moves and probabilities of one position."""
        here = slice(self.starts[row], self.starts[row + 1])
        return self.moves[here], self.probabilities[here]

    @property
    def first(self) -> NDArray[np.uint16]:
        """The likeliest move of each position; 0 where none is legal."""
        found = np.zeros(len(self.starts) - 1, np.uint16)
        some = np.diff(self.starts) > 0
        found[some] = self.moves[self.starts[:-1][some]]
        return found

    @staticmethod
    def joined(parts: Sequence["MoveProbabilities"]) -> "MoveProbabilities":
        """The same for the positions of all parts, one part after the other."""
        counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.starts) for part in parts)])
        return MoveProbabilities(
            np.cumsum(counts),
            np.concatenate([np.zeros(0, np.uint16), *(part.moves for part in parts)]),
            np.concatenate([np.zeros(0, np.float32), *(part.probabilities for part in parts)]),
        )


def move_probabilities(legal: LegalMoves, logs: Floats, shares: ArrayLike) -> MoveProbabilities:
    """Legal moves by the logarithms of what is said about their squares; `shares` of a knight, bishop, rook and queen.

    >>> from okapi.core.packed import legal_moves
    >>> from okapi.core.packed import pack_fens
    >>> legal = legal_moves(pack_fens(["8/P6k/8/8/8/8/8/7K w - - 0 1"]))
    >>> move_probabilities(legal, np.zeros(len(legal.bits), np.float32), [0.02, 0, 0.08, 0.9]).probabilities.round(3)
    array([0.25 , 0.25 , 0.25 , 0.225, 0.02 , 0.005, 0.   ], dtype=float32)
    """
    if not len(legal.bits):
        return MoveProbabilities(legal.starts, legal.bits, np.zeros(0, np.float32))
    rows = legal.rows
    starts = legal.starts[:-1][np.diff(legal.starts) > 0]
    counts = np.diff([*starts, len(rows)])
    highest = np.repeat(np.maximum.reduceat(logs, starts), counts)
    weights = np.exp(logs - highest, dtype=np.float64) * _parts(legal, rows, shares)
    probabilities = weights / np.repeat(np.add.reduceat(weights, starts), counts)
    order = np.lexsort((-probabilities, rows))
    return MoveProbabilities(legal.starts, legal.bits[order], probabilities[order].astype(np.float32))


def _parts(legal: LegalMoves, rows: NDArray[np.int64], shares: ArrayLike) -> NDArray[np.float64]:
    """How much of what is said about a pair of squares is said about each move."""
    types = legal.bits >> 14
    parts = np.where(types == PROMOTION, np.asarray(shares, np.float64)[legal.bits >> 12 & 3], 1.0)
    if (types == CASTLING).any():
        # A king of Chess960 may castle to a square that it can also step on: two moves, one pair of squares.
        origin, target = move_squares(legal.bits)
        plain = types != PROMOTION
        pairs = ((rows * 64 + origin) * 64 + target)[plain]
        _, which, times = np.unique(pairs, return_inverse=True, return_counts=True)
        parts[plain] /= times[which]
    return parts


Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SquareLogs:
    """Logarithms of probabilities, on the mover's squares."""

    origin: Floats
    """Where the piece that moves comes from: batch x 64."""
    target: Floats
    """Where it goes, if it comes from there: batch x 64 x 64."""


@dataclass(frozen=True, slots=True)
class SquarePairs:
    """Moves of many positions as pairs of the mover's squares."""

    rows: NDArray[np.int64]
    """The number of each move's position."""
    origin: NDArray[np.int64]
    target: NDArray[np.int64]


def log_softmax(logits: Floats) -> Floats:
    """Along the last axis."""
    return logits - log_sum(logits)[..., np.newaxis]


def log_sum(logs: Floats) -> Floats:
    """The logarithm of the sum of what the numbers along the last axis are logarithms of."""
    highest = logs.max(axis=-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(logs - highest).sum(axis=-1)))


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

    def probabilities(self, positions: NDArray[np.void]) -> MoveProbabilities:
        """The legal moves of packed positions, likeliest first."""
        legal = legal_moves(positions, threads=self._threads)
        said = self._said(positions, legal)
        order = np.lexsort((-said, legal.rows))
        return MoveProbabilities(legal.starts, legal.bits[order], said[order])

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
