"""The networks of brains that predict moves: one for pairs of squares, singh2015's seven, and lai2015's for moves.

They answer logarithms of probabilities. Needs numpy, so `okapi.brains` imports it only when it is used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.brains.card import ModelCard
from okapi.brains.convolutional import read_encoding
from okapi.brains.files import read_tensors
from okapi.core import Color, Kind, RawBrain
from okapi.core.evaluation import priors
from okapi.core.networks import Network
from okapi.core.packed import LegalMoves, legal_moves
from okapi.encodings import Encoding, Known, encode_known, move_squares, own_kinds
from okapi.errors import InvalidBrain

Floats = NDArray[np.float32]

PROMOTION: Final = 1
CASTLING: Final = 3
"""Types of moves, in the two highest bits of Move.bits."""


@dataclass(frozen=True, slots=True)
class MoveProbabilities:
    """The legal moves of many positions with their probabilities, each position's likeliest first."""

    starts: NDArray[np.int64]
    """The start of each position's moves, and the end of the last."""
    moves: NDArray[np.uint16]
    """Move.bits."""
    probabilities: Floats
    """Of each move; those of a position sum to 1."""

    def of(self, row: int) -> tuple[NDArray[np.uint16], Floats]:
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
        counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.starts) for part in parts)])
        return MoveProbabilities(
            np.cumsum(counts),
            np.concatenate([np.zeros(0, np.uint16), *(part.moves for part in parts)]),
            np.concatenate([np.zeros(0, np.float32), *(part.probabilities for part in parts)]),
        )


def move_probabilities(legal: LegalMoves, logs: Floats, shares: ArrayLike) -> MoveProbabilities:
    """Probabilities of legal moves from log-probabilities of their squares: masking, as in singh2015, section 3.3.

    `shares`: how often a pawn promotes to a knight, bishop, rook and queen.

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
    """The share of each move in the probability of its pair of squares."""
    types = legal.bits >> 14
    parts = np.where(types == PROMOTION, np.asarray(shares, np.float64)[legal.bits >> 12 & 3], 1.0)
    if (types == CASTLING).any():
        # In Chess960 castling and a king move may have the same pair of squares.
        origin, target = move_squares(legal.bits)
        plain = types != PROMOTION
        pairs = ((rows * 64 + origin) * 64 + target)[plain]
        _, which, times = np.unique(pairs, return_inverse=True, return_counts=True)
        parts[plain] /= times[which]
    return parts


@dataclass(frozen=True, slots=True)
class SquareLogs:
    """Log-probabilities on the mover's squares."""

    origin: Floats
    """Of the origin of the move: batch x 64."""
    target: Floats
    """Of the target, given the origin: batch x 64 x 64."""


@dataclass(frozen=True, slots=True)
class SquarePairs:
    """Moves of many positions as pairs of the mover's squares."""

    rows: NDArray[np.int64]
    """The index of each move's position."""
    origin: NDArray[np.int64]
    target: NDArray[np.int64]


def log_softmax(logits: Floats) -> Floats:
    """Along the last axis."""
    return logits - log_sum(logits)[..., np.newaxis]


def log_sum(logs: Floats) -> Floats:
    """log(sum(exp(logs))) along the last axis."""
    highest = logs.max(axis=-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(logs - highest).sum(axis=-1)))


@dataclass(frozen=True, slots=True)
class OneNetwork:
    """One network: a logit for each pair of squares."""

    encoding: Encoding
    network: Network

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "OneNetwork":
        encoding = read_encoding(card.encoding)
        layers = card.details().get("layers")
        return cls(encoding, Network(layers, read_tensors(card.path), encoding.shape, outputs=64 * 64, threads=threads))

    @property
    def layers(self) -> frozenset[str]:
        return frozenset(self.encoding.layers)

    def square_logs(self, positions: NDArray[np.void], known: Known) -> SquareLogs:
        """Of all squares, with or without a piece."""
        pairs = self._answers(positions, known).reshape(-1, 64, 64)
        from_there = log_sum(pairs)
        return SquareLogs(log_softmax(from_there), pairs - from_there[:, :, np.newaxis])

    def target_logs(self, positions: NDArray[np.void], known: Known, origins: NDArray[np.int64]) -> Floats:
        return np.asarray(self.square_logs(positions, known).target[np.arange(len(positions)), origins])

    def move_logs(self, positions: NDArray[np.void], known: Known, moves: SquarePairs) -> NDArray[np.float32]:
        """Log-probabilities of these moves, up to a constant for each position."""
        said = self._answers(positions, known)
        return np.asarray(said[moves.rows, 64 * moves.origin + moves.target])

    def _answers(self, positions: NDArray[np.void], known: Known) -> NDArray[np.float32]:
        return self.network.answers(encode_known(self.encoding, positions, known))


PIECE: Final = "piece"
NAMES: Final = (PIECE, *(kind.name.lower() for kind in Kind))


class Answering(Protocol):
    """A network in the core, or elsewhere."""

    def answers(self, inputs: Floats) -> Floats:
        """Of a batch."""


@dataclass(frozen=True, slots=True)
class SquareNetwork:
    """One of the seven: a logit for each square."""

    encoding: Encoding
    network: Answering

    @classmethod
    def read(cls, name: str, said: Any, tensors: Mapping[str, NDArray[np.float32]], threads: int) -> "SquareNetwork":
        encoding = read_encoding(str(said.get("encoding")))
        own = {key.removeprefix(f"{name}/"): tensor for key, tensor in tensors.items() if key.startswith(f"{name}/")}
        return cls(encoding, Network(said.get("layers"), own, encoding.shape, outputs=64, threads=threads))

    def logs(self, positions: NDArray[np.void], known: Known) -> NDArray[np.float32]:
        return log_softmax(self.network.answers(encode_known(self.encoding, positions, known)))


@dataclass(frozen=True, slots=True)
class SevenNetworks:
    """singh2015, section 2.4: one network chooses the piece, and six choose the target of a piece of their kind."""

    networks: Mapping[str, SquareNetwork]

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "SevenNetworks":
        said = card.details().get("networks")
        if not isinstance(said, dict) or not all(isinstance(said.get(name), dict) for name in NAMES):
            raise InvalidBrain(f"its card does not list seven networks: {', '.join(NAMES)}")
        tensors = read_tensors(card.path)
        networks = {}
        for name in NAMES:
            try:
                networks[name] = SquareNetwork.read(name, said[name], tensors, threads)
            except InvalidBrain as error:
                raise type(error)(f"network `{name}`: {error}", hint=error.hint) from None
        return cls(networks)

    @property
    def layers(self) -> frozenset[str]:
        """Their inputs besides the position."""
        return frozenset(layer for network in self.networks.values() for layer in network.encoding.layers)

    def square_logs(self, positions: NDArray[np.void], known: Known) -> SquareLogs:
        """Of the mover's pieces; -inf for other origins."""
        return self._logs(positions, known, np.ones((len(positions), 64), np.bool_))

    def target_logs(self, positions: NDArray[np.void], known: Known, origins: NDArray[np.int64]) -> Floats:
        """PIECE is not run."""
        rows = np.arange(len(positions))
        pieces = np.zeros((len(positions), 64), np.bool_)
        pieces[rows, origins] = True
        return np.asarray(self._all_targets(positions, known, pieces)[rows, origins])

    def move_logs(self, positions: NDArray[np.void], known: Known, moves: SquarePairs) -> NDArray[np.float32]:
        """Log-probabilities of these moves."""
        movable = np.zeros((len(positions), 64), np.bool_)
        movable[moves.rows, moves.origin] = True
        logs = self._logs(positions, known, movable)
        return logs.origin[moves.rows, moves.origin] + logs.target[moves.rows, moves.origin, moves.target]

    def _logs(self, positions: NDArray[np.void], known: Known, pieces: NDArray[np.bool_]) -> SquareLogs:
        return SquareLogs(self.networks[PIECE].logs(positions, known), self._all_targets(positions, known, pieces))

    def _all_targets(self, positions: NDArray[np.void], known: Known, pieces: NDArray[np.bool_]) -> Floats:
        """The six networks are run only for `pieces`."""
        target = np.full((len(positions), 64, 64), -np.inf, np.float32)
        kinds = own_kinds(positions)
        for kind in Kind:
            rows, squares = np.nonzero(pieces & (kinds == kind.value))
            if len(rows):
                target[rows, squares] = self._targets(kind, positions, known, rows, squares)
        return target

    def _targets(
        self,
        kind: Kind,
        positions: NDArray[np.void],
        known: Known,
        rows: NDArray[np.int64],
        squares: NDArray[np.int64],
    ) -> NDArray[np.float32]:
        """Of each piece of a kind, given by its position and square."""
        network = self.networks[kind.name.lower()]
        if PIECE in network.encoding.layers:
            black = positions["turn"][rows] == Color.BLACK.value
            return network.logs(positions[rows], known.at(rows, piece=squares ^ np.where(black, 56, 0)))
        seen, which = np.unique(rows, return_inverse=True)  # one row for all pieces of the kind
        return network.logs(positions[seen], known.at(seen))[which]


class MoveNetwork:
    """lai2015's move network: the probability that each legal move is the best."""

    def __init__(self, brain: RawBrain, threads: int) -> None:
        self._brain = brain
        self._threads = threads

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "MoveNetwork":
        return cls(RawBrain.open(str(card.path)), threads)

    @property
    def layers(self) -> frozenset[str]:
        return frozenset()

    def probabilities(self, positions: NDArray[np.void]) -> MoveProbabilities:
        legal = legal_moves(positions, threads=self._threads)
        said = self._said(positions, legal)
        order = np.lexsort((-said, legal.rows))
        return MoveProbabilities(legal.starts, legal.bits[order], said[order])

    def square_logs(self, positions: NDArray[np.void], known: Known) -> SquareLogs:
        """Sums over legal moves; -inf for squares without a legal move."""
        legal = legal_moves(positions, threads=self._threads)
        pairs = np.zeros((len(positions), 64, 64), np.float32)
        np.add.at(pairs, (legal.rows, *_mover_squares(positions, legal)), self._said(positions, legal))
        origin = pairs.sum(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            target = np.where(origin[:, :, np.newaxis] > 0, pairs / origin[:, :, np.newaxis], 0)
            return SquareLogs(np.log(origin), np.log(target))

    def target_logs(self, positions: NDArray[np.void], known: Known, origins: NDArray[np.int64]) -> Floats:
        return np.asarray(self.square_logs(positions, known).target[np.arange(len(positions)), origins])

    def _said(self, positions: NDArray[np.void], legal: LegalMoves) -> Floats:
        return priors(self._brain, positions, legal, threads=self._threads)


def _mover_squares(positions: NDArray[np.void], legal: LegalMoves) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    turned = np.where(positions["turn"][legal.rows] == Color.BLACK.value, 56, 0)
    origin, target = move_squares(legal.bits)
    return origin ^ turned, target ^ turned
