"""Brains that predict moves: one network for pairs of squares, singh2015's seven, and lai2015's for legal moves."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.brains.card import ModelCard
from okapi.brains.evaluation import read_encoding
from okapi.brains.files import read_tensors
from okapi.brains.move_values import MoveValues
from okapi.core import Color, Evaluator, Kind, Move, RawBrain
from okapi.core.evaluation import priors
from okapi.core.networks import Network
from okapi.core.packed import LegalMoves, legal_moves
from okapi.encodings import Encoding, Known, encode_known, move_squares, own_kinds
from okapi.errors import InvalidBrain, WrongBrain

Positions = NDArray[np.void]
Floats = NDArray[np.float32]
Given: TypeAlias = ArrayLike | None
Squared = NDArray[np.int64]
"""Squares, or rows of positions."""

PROMOTION: Final = 1
CASTLING: Final = 3
"""Types of moves, in the two highest bits of Move.bits."""


@dataclass(frozen=True, slots=True)
class MoveProbabilities:
    """The legal moves of many positions with their probabilities, each position's likeliest first."""

    starts: Squared
    """The start of each position's moves, and the end of the last."""
    moves: NDArray[np.uint16]
    """Move.bits."""
    probabilities: Floats
    """Of each move; those of a position sum to 1."""

    def of(self, row: int) -> tuple[NDArray[np.uint16], Floats]:
        here = slice(self.starts[row], self.starts[row + 1])
        return self.moves[here], self.probabilities[here]

    def in_order_of(self, legal: LegalMoves) -> NDArray[np.float64]:
        """The probabilities in the order in which the same moves are listed there."""
        found = np.zeros(len(legal.bits))
        found[np.lexsort((legal.bits, legal.rows))] = self.probabilities[np.lexsort((self.moves, legal.rows))]
        return found


def move_probabilities(legal: LegalMoves, logs: Floats, shares: ArrayLike) -> MoveProbabilities:
    """Those of legal moves, from logarithms for their squares (singh2015, section 3.3) and `shares` of promotions."""
    return normalised(legal, logs, _parts(legal, legal.rows, shares))


def normalised(legal: LegalMoves, logs: ArrayLike, parts: ArrayLike = 1.0) -> MoveProbabilities:
    """From logarithms of legal moves, and a factor for each."""
    if not len(legal.bits):
        return MoveProbabilities(legal.starts, legal.bits, np.zeros(0, np.float32))
    rows = legal.rows
    starts = legal.starts[:-1][np.diff(legal.starts) > 0]
    counts = np.diff([*starts, len(rows)])
    highest = np.repeat(np.maximum.reduceat(logs, starts), counts)
    weights = np.exp(logs - highest, dtype=np.float64) * parts
    probabilities = weights / np.repeat(np.add.reduceat(weights, starts), counts)
    order = np.lexsort((-probabilities, rows))
    return MoveProbabilities(legal.starts, legal.bits[order], probabilities[order].astype(np.float32))


def _parts(legal: LegalMoves, rows: Squared, shares: ArrayLike) -> NDArray[np.float64]:
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
class Squares:
    """Probabilities of squares, legal or not."""

    origin: Floats
    """Of the origin of the move: batch x 64."""
    target: Floats
    """Of the target, given the origin: batch x 64 x 64. Zeros where the networks give none."""


class MoveModel:
    """One network over the squares of the board, or several, or one over moves. Squares are the mover's."""

    @property
    def layers(self) -> frozenset[str]:
        """Its inputs besides the position."""
        return frozenset()

    def squares(self, positions: Positions, known: Known) -> Squares:
        raise NotImplementedError

    def targets(self, positions: Positions, known: Known, origins: Squared) -> Floats:
        """Of the targets alone, for one origin square of each position: batch x 64."""
        return np.asarray(self.squares(positions, known).target[np.arange(len(positions)), origins])

    def probabilities(self, positions: Positions, known: Known, shares: ArrayLike) -> MoveProbabilities:
        """Of legal moves. `shares`: see move_probabilities()."""
        legal = legal_moves(positions)
        logs = self.logs(positions, known, legal.rows, *mover_squares(positions, legal))
        return move_probabilities(legal, logs, shares)

    def logs(self, positions: Positions, known: Known, rows: Squared, origin: Squared, target: Squared) -> Floats:
        """Logarithms of the probabilities of pairs of squares, each in the position of its row."""
        raise NotImplementedError


def log_softmax(logits: Floats) -> Floats:
    """Along the last axis."""
    return logits - log_sum(logits)[..., np.newaxis]


def log_sum(logs: Floats) -> Floats:
    """log(sum(exp(logs))) along the last axis."""
    highest = logs.max(axis=-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(logs - highest).sum(axis=-1)))


def mover_squares(positions: Positions, legal: LegalMoves) -> tuple[Squared, Squared]:
    turned = np.where(positions["turn"][legal.rows] == Color.BLACK.value, 56, 0)
    origin, target = move_squares(legal.bits)
    return origin ^ turned, target ^ turned


@dataclass(frozen=True, slots=True)
class OneNetwork(MoveModel):
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

    def squares(self, positions: Positions, known: Known) -> Squares:
        """Of all squares, with or without a piece."""
        pairs = self._answers(positions, known).reshape(-1, 64, 64)
        from_there = log_sum(pairs)
        return Squares(np.exp(log_softmax(from_there)), np.exp(pairs - from_there[:, :, np.newaxis]))

    def logs(self, positions: Positions, known: Known, rows: Squared, origin: Squared, target: Squared) -> Floats:
        return np.asarray(self._answers(positions, known)[rows, 64 * origin + target])

    def _answers(self, positions: Positions, known: Known) -> Floats:
        return self.network.answers(encode_known(self.encoding, positions, known))


PIECE: Final = "piece"
NAMES: Final = (PIECE, *(kind.name.lower() for kind in Kind))


@dataclass(frozen=True, slots=True)
class SquareNetwork:
    """One of the seven: a logit for each square."""

    encoding: Encoding
    network: Any
    """A Network, or what answers like one."""

    @classmethod
    def read(cls, name: str, said: Any, tensors: Mapping[str, Floats], threads: int) -> "SquareNetwork":
        own = {key.removeprefix(f"{name}/"): tensor for key, tensor in tensors.items() if key.startswith(f"{name}/")}
        try:
            encoding = read_encoding(str(said.get("encoding")))
            return cls(encoding, Network(said.get("layers"), own, encoding.shape, outputs=64, threads=threads))
        except InvalidBrain as error:
            raise type(error)(f"network `{name}`: {error}", hint=error.hint) from None

    def logs(self, positions: Positions, known: Known) -> Floats:
        logits: Floats = self.network.answers(encode_known(self.encoding, positions, known))
        return log_softmax(logits)


@dataclass(frozen=True, slots=True)
class SevenNetworks(MoveModel):
    """singh2015, section 2.4: one network chooses the piece, and six choose the target of a piece of their kind."""

    networks: Mapping[str, SquareNetwork]

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "SevenNetworks":
        said = card.details().get("networks")
        if not isinstance(said, dict) or not all(isinstance(said.get(name), dict) for name in NAMES):
            raise InvalidBrain(f"its card does not list seven networks: {', '.join(NAMES)}")
        tensors = read_tensors(card.path)
        return cls({name: SquareNetwork.read(name, said[name], tensors, threads) for name in NAMES})

    @property
    def layers(self) -> frozenset[str]:
        return frozenset(layer for network in self.networks.values() for layer in network.encoding.layers)

    def squares(self, positions: Positions, known: Known) -> Squares:
        """The targets are those of the mover's pieces."""
        everywhere = np.ones((len(positions), 64), np.bool_)
        target = self._target_logs(positions, known, everywhere)
        return Squares(np.exp(self.networks[PIECE].logs(positions, known)), np.exp(target))

    def targets(self, positions: Positions, known: Known, origins: Squared) -> Floats:
        """PIECE is not run."""
        places = np.arange(len(positions)), origins
        return np.exp(self._target_logs(positions, known, _marked(positions, *places))[places])

    def logs(self, positions: Positions, known: Known, rows: Squared, origin: Squared, target: Squared) -> Floats:
        targets = self._target_logs(positions, known, _marked(positions, rows, origin))
        return np.asarray(self.networks[PIECE].logs(positions, known)[rows, origin] + targets[rows, origin, target])

    def _target_logs(self, positions: Positions, known: Known, pieces: NDArray[np.bool_]) -> Floats:
        """The six networks are run only for `pieces`; -inf elsewhere."""
        target = np.full((len(positions), 64, 64), -np.inf, np.float32)
        kinds = own_kinds(positions)
        for kind in Kind:
            rows, squares = np.nonzero(pieces & (kinds == kind.value))
            if len(rows):
                target[rows, squares] = self._of_kind(kind, positions, known, rows, squares)
        return target

    def _of_kind(self, kind: Kind, positions: Positions, known: Known, rows: Squared, squares: Squared) -> Floats:
        """Of each piece of a kind, given by its position and square."""
        network = self.networks[kind.name.lower()]
        if PIECE in network.encoding.layers:
            black = positions["turn"][rows] == Color.BLACK.value
            return network.logs(positions[rows], known.at(rows, piece=squares ^ np.where(black, 56, 0)))
        seen, which = np.unique(rows, return_inverse=True)  # one row for all pieces of the kind
        return network.logs(positions[seen], known.at(seen))[which]


def _marked(positions: Positions, rows: Squared, squares: Squared) -> NDArray[np.bool_]:
    marked = np.zeros((len(positions), 64), np.bool_)
    marked[rows, squares] = True
    return marked


@dataclass(frozen=True, slots=True)
class MoveNetwork(MoveModel):
    """lai2015's move network: the probability that each legal move is the best."""

    brain: RawBrain
    threads: int

    @classmethod
    def read(cls, card: ModelCard, threads: int) -> "MoveNetwork":
        return cls(RawBrain.open(str(card.path)), threads)

    def squares(self, positions: Positions, known: Known) -> Squares:
        """Sums over legal moves; 0 for squares without a legal move."""
        legal, said = self._priors(positions)
        pairs = np.zeros((len(positions), 64, 64), np.float32)
        np.add.at(pairs, (legal.rows, *mover_squares(positions, legal)), said)
        origin = pairs.sum(axis=2)
        there = origin[:, :, np.newaxis]
        return Squares(origin, np.divide(pairs, there, out=np.zeros_like(pairs), where=there > 0))

    def probabilities(self, positions: Positions, known: Known, shares: ArrayLike) -> MoveProbabilities:
        legal, said = self._priors(positions)
        order = np.lexsort((-said, legal.rows))
        return MoveProbabilities(legal.starts, legal.bits[order], said[order])

    def _priors(self, positions: Positions) -> tuple[LegalMoves, Floats]:
        legal = legal_moves(positions, threads=self.threads)
        return legal, priors(self.brain, positions, legal, threads=self.threads)


SETTABLE: Final = frozenset({"elo", "outcome"})

TO_WIN: Final = 1.0
"""The default outcome: moves of players who won."""

AT_ONCE: Final = 1024
"""Positions in a batch: 16 MB for their pairs of squares."""

ONLY_QUEENS: Final = (1.0, 0.0, 0.0, 0.0)
MIRRORED: Final = np.arange(64) ^ 56

FORMS: Final[dict[str, Callable[[ModelCard, int], MoveModel]]] = {
    "moves": OneNetwork.read,
    "squares": SevenNetworks.read,
    "priors": MoveNetwork.read,
}
"""How to read a brain, by the form of its output."""


class Predictor:
    """A brain that predicts moves, for one position or thousands."""

    def __init__(
        self,
        card: ModelCard,
        model: MoveModel,
        promotions: tuple[float, ...] = ONLY_QUEENS,
        values: MoveValues | None = None,
        threads: int = 1,
    ) -> None:
        """`promotions`: how often a pawn promotes to a queen, rook, bishop and knight. `values` weigh legal moves."""
        self.card, self._model, self._shares = card, model, promotions[::-1]
        self._values, self._threads = values, threads
        self.inputs = model.layers & SETTABLE
        """The inputs that can be set, of elo and outcome."""
        self._elo = _usual_elo(card)

    @classmethod
    def open(cls, path: Path, *, threads: int = 1, evaluator: Callable[[str], Evaluator] | None = None) -> "Predictor":
        """Read a brain's file. Raises WrongBrain if it does not predict moves, InvalidBrain if it is damaged.

        `evaluator` finds the brain that values moves, if the card names one; without, moves are the network's alone.
        """
        card = ModelCard.read(path)
        if not card.predicts_moves:
            hint = f"`okapi eval --brain {card.name}` asks for its evaluation"
            raise WrongBrain(f"brain `{card.name}` evaluates positions and does not predict moves", hint=hint)
        try:
            output, said = card.details()["output"], card.details().get("values")
            values = None if evaluator is None or said is None else MoveValues.read(said, evaluator)
            return cls(card, FORMS[output["form"]](card, threads), _promotions(output), values, threads)
        except InvalidBrain as error:
            raise type(error)(f"brain `{card.name}` cannot be used: {error}", hint=error.hint) from None

    def squares(self, positions: Positions, *, elo: Given = None, outcome: Given = None) -> Squares:
        """Probabilities of squares of packed positions, on the board's squares: 20 kB a position.

        `elo` is the mover's rating, by default the card's; `outcome` is the mover's: 1 won, 0.5, 0 lost. Both are for
        all positions or one for each, and without effect on a brain without such an input.
        """
        origin = np.zeros((len(positions), 64), np.float32)
        target = np.zeros((len(positions), 64, 64), np.float32)
        for here, some, known in self._batches(positions, elo, outcome):
            found = self._model.squares(some, known)
            origin[here], target[here] = found.origin, found.target
        black = positions["turn"] == Color.BLACK.value
        origin[black] = origin[black][:, MIRRORED]
        target[black] = target[black][:, MIRRORED][:, :, MIRRORED]
        return Squares(origin, target)

    def targets(self, positions: Positions, origins: Squared, *, elo: Given = None) -> Floats:
        """The same of the targets alone, for one origin square of each position: batch x 64."""
        found = np.zeros((len(positions), 64), np.float32)
        black = positions["turn"] == Color.BLACK.value
        squares = origins ^ np.where(black, 56, 0)
        for here, some, known in self._batches(positions, elo):
            found[here] = self._model.targets(some, known, squares[here])
        found[black] = found[black][:, MIRRORED]
        return found

    def probabilities(self, positions: Positions, *, elo: Given = None, outcome: Given = None) -> MoveProbabilities:
        """The legal moves of packed positions with their probabilities. See squares() for the arguments."""
        batches = self._batches(positions, elo, outcome)
        parts = [self._valued(some, self._model.probabilities(some, known, self._shares)) for _, some, known in batches]
        counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.starts) for part in parts)])
        moves = np.concatenate([np.zeros(0, np.uint16), *(part.moves for part in parts)])
        chances = np.concatenate([np.zeros(0, np.float32), *(part.probabilities for part in parts)])
        return MoveProbabilities(np.cumsum(counts), moves, chances)

    def _valued(self, positions: Positions, found: MoveProbabilities) -> MoveProbabilities:
        """Weighed by what a search says of the moves, if the card tells how."""
        if self._values is None or not len(found.moves):
            return found
        legal = legal_moves(positions, threads=self._threads)
        losses = self._values.losses(positions, legal, threads=self._threads)
        return normalised(legal, self._values.logs(found.in_order_of(legal), losses))

    def moves(self, positions: Positions, *, elo: Given = None) -> list[list[tuple[Move, float]]]:
        """The same as lists of moves with their probabilities, one for each position."""
        found = self.probabilities(positions, elo=elo)
        moves = [Move.from_bits(bits) for bits in found.moves.tolist()]
        both = list(zip(moves, found.probabilities.tolist(), strict=True))
        return [both[begin:end] for begin, end in pairwise(found.starts.tolist())]

    def _batches(
        self, positions: Positions, elo: Given, outcome: Given = None
    ) -> Iterator[tuple[slice, Positions, Known]]:
        """Slices of the positions, with their inputs."""
        known = Known(elo=self._elo if elo is None else elo, outcome=TO_WIN if outcome is None else outcome)
        for begin in range(0, len(positions), AT_ONCE):
            here = slice(begin, begin + AT_ONCE)
            yield here, positions[here], known.at(here)


def _usual_elo(card: ModelCard) -> float | None:
    """The default rating in the card of a brain that predicts one player."""
    if "elo" not in card.metadata:
        return None
    with suppress(ValueError):
        if math.isfinite(elo := float(card.metadata["elo"])):
            return elo
    raise InvalidBrain("the `elo` in its card is not a rating")


def _promotions(output: dict[str, Any]) -> tuple[float, ...]:
    shares = output.get("promotions", ONLY_QUEENS)
    right = isinstance(shares, list | tuple) and all(isinstance(n, int | float) and n >= 0 for n in shares)
    if not right or len(shares) != 4 or not math.isclose(sum(shares), 1, abs_tol=1e-3):
        hint = "they are the shares of promotions to a queen, rook, bishop and knight"
        raise InvalidBrain("the `promotions` in its card are not four shares that sum to 1", hint=hint)
    return tuple(map(float, shares))


@dataclass(frozen=True, slots=True)
class Pairs:
    """The likeliest pairs of squares of many positions, likeliest first."""

    pairs: Squared
    """64 * from + to, the board's squares: a row for each position."""
    probabilities: NDArray[np.float32]
    legal: NDArray[np.bool_]
    """Whether a legal move has these squares."""
    illegal_share: NDArray[np.float32]
    """Of each position: the probability of pairs without a legal move."""


def likeliest_pairs(positions: NDArray[np.void], said: Squares, top: int) -> Pairs:
    """The `top` likeliest pairs of squares of each packed position."""
    products = (said.origin[:, :, np.newaxis] * said.target).reshape(-1, 64 * 64)
    moves = legal_moves(positions)
    origin, target = move_squares(moves.bits)
    legal = np.zeros(products.shape, np.bool_)
    legal[moves.rows, 64 * origin + target] = True
    highest = np.argpartition(-products, top, axis=1)[:, :top]
    within = np.argsort(-np.take_along_axis(products, highest, axis=1), axis=1)
    order = np.take_along_axis(highest, within, axis=1)
    illegal_share = np.clip(1 - np.where(legal, products, 0).sum(axis=1), 0, 1)
    likeliest, possible = np.take_along_axis(products, order, axis=1), np.take_along_axis(legal, order, axis=1)
    return Pairs(order, likeliest, possible, illegal_share)
