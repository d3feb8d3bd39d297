"""Brains that predict moves: the probability of each legal move, or of each pair of squares.

Needs numpy, so `okapi.brains` imports it only when it is used.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.brains.card import ModelCard
from okapi.brains.move_networks import (
    MoveNetwork,
    MoveProbabilities,
    OneNetwork,
    SevenNetworks,
    SquareLogs,
    SquarePairs,
    move_probabilities,
)
from okapi.core import Color, Move
from okapi.core.packed import legal_moves
from okapi.encodings import Known, move_squares
from okapi.errors import InvalidBrain, WrongBrain

Positions = NDArray[np.void]

SETTABLE: Final = frozenset({"elo", "outcome"})
"""Inputs that the caller may set."""

TO_WIN: Final = 1.0
"""The default outcome: moves of players who won."""

AT_ONCE: Final = 1024
"""Positions in a batch: 16 MB for their pairs of squares."""

ONLY_QUEENS: Final = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Squares:
    """Probabilities of squares, legal or not."""

    origin: NDArray[np.float32]
    """Of the origin of the move: batch x 64."""
    target: NDArray[np.float32]
    """Of the target, given the origin: batch x 64 x 64. Zeros where the networks give none."""


class Networks(Protocol):
    """One network over the squares of the board, or several."""

    @property
    def layers(self) -> frozenset[str]:
        """Their inputs besides the position."""

    def square_logs(self, positions: Positions, known: Known) -> SquareLogs:
        """Log-probabilities of the mover's squares."""

    def target_logs(self, positions: Positions, known: Known, origins: NDArray[np.int64]) -> NDArray[np.float32]:
        """Of the targets alone, for one origin square of each position: batch x 64."""

    def move_logs(self, positions: Positions, known: Known, moves: SquarePairs) -> NDArray[np.float32]:
        """Log-probabilities of moves, up to a constant for each position."""


FORMS: Final[dict[str, Callable[[ModelCard, int], Networks | MoveNetwork]]] = {
    "moves": OneNetwork.read,
    "squares": SevenNetworks.read,
    "priors": MoveNetwork.read,
}
"""How to read a brain, by the form of its output."""


class Predictor:
    """A brain that predicts moves, for one position or thousands."""

    def __init__(
        self, card: ModelCard, networks: Networks | MoveNetwork, promotions: tuple[float, ...] = ONLY_QUEENS
    ) -> None:
        """`promotions`: how often a pawn promotes to a queen, rook, bishop and knight."""
        self.card = card
        self.inputs = networks.layers & SETTABLE
        """The inputs that can be set, of elo and outcome."""
        self._networks = networks
        self._elo = _usual_elo(card)
        self._shares = promotions[::-1]

    @classmethod
    def open(cls, path: Path, *, threads: int = 1) -> "Predictor":
        """Read a brain's file. Raises WrongBrain if it does not predict moves, InvalidBrain if it is damaged."""
        card = ModelCard.read(path)
        if not card.predicts_moves:
            raise WrongBrain(
                f"brain `{card.name}` evaluates positions and does not predict moves",
                hint=f"`okapi eval --brain {card.name}` asks for its evaluation",
            )
        try:
            output = card.details()["output"]
            return cls(card, FORMS[output["form"]](card, threads), _promotions(output))
        except InvalidBrain as error:
            raise type(error)(f"brain `{card.name}` cannot be used: {error}", hint=error.hint) from None

    def squares(
        self, positions: Positions, *, elo: ArrayLike | None = None, outcome: ArrayLike | None = None
    ) -> Squares:
        """Probabilities of squares of packed positions, on the board's squares: 20 kB a position.

        `elo` is the mover's rating, `outcome` (1 won, 0.5, 0 lost) the mover's: one for all positions or one for each,
        and without effect on a brain that has no such input. The default `elo` is the one in the card, if any.
        """
        origin = np.zeros((len(positions), 64), np.float32)
        target = np.zeros((len(positions), 64, 64), np.float32)
        for here, some, known in _batches(positions, self._or_usual(elo), outcome):
            logs = self._networks.square_logs(some, known)
            origin[here], target[here] = np.exp(logs.origin), np.exp(logs.target)
        black = positions["turn"] == Color.BLACK.value
        origin[black] = origin[black].reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
        target[black] = target[black].reshape(-1, 8, 8, 8, 8)[:, ::-1, :, ::-1].reshape(-1, 64, 64)
        return Squares(origin, target)

    def targets(
        self,
        positions: Positions,
        origins: NDArray[np.int64],
        *,
        elo: ArrayLike | None = None,
        outcome: ArrayLike | None = None,
    ) -> NDArray[np.float32]:
        """The same of the targets alone, for one origin square of each position: batch x 64."""
        found = np.zeros((len(positions), 64), np.float32)
        black = positions["turn"] == Color.BLACK.value
        squares = origins ^ np.where(black, 56, 0)
        for here, some, known in _batches(positions, self._or_usual(elo), outcome):
            found[here] = np.exp(self._networks.target_logs(some, known, squares[here]))
        found[black] = found[black].reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
        return found

    def probabilities(
        self, positions: Positions, *, elo: ArrayLike | None = None, outcome: ArrayLike | None = None
    ) -> MoveProbabilities:
        """The legal moves of packed positions with their probabilities. See squares() for the arguments."""
        parts = [
            self._probabilities(some, known) for _, some, known in _batches(positions, self._or_usual(elo), outcome)
        ]
        return MoveProbabilities.joined(parts)

    def moves(
        self, positions: Positions, *, elo: ArrayLike | None = None, outcome: ArrayLike | None = None
    ) -> list[list[tuple[Move, float]]]:
        """The same as lists of moves with their probabilities, one for each position."""
        found = self.probabilities(positions, elo=elo, outcome=outcome)
        moves = [Move.from_bits(bits) for bits in found.moves.tolist()]
        both = list(zip(moves, found.probabilities.tolist(), strict=True))
        return [both[begin:end] for begin, end in pairwise(found.starts.tolist())]

    def _or_usual(self, elo: ArrayLike | None) -> ArrayLike | None:
        return self._elo if elo is None else elo

    def _probabilities(self, positions: Positions, known: Known) -> MoveProbabilities:
        if isinstance(self._networks, MoveNetwork):
            return self._networks.probabilities(positions)
        legal = legal_moves(positions)
        rows = legal.rows
        turned = np.where(positions["turn"][rows] == Color.BLACK.value, 56, 0)
        origin, target = (squares ^ turned for squares in move_squares(legal.bits))
        logs = self._networks.move_logs(positions, known, SquarePairs(rows, origin, target))
        return move_probabilities(legal, logs, self._shares)


def _usual_elo(card: ModelCard) -> float | None:
    """The default rating in the card of a brain that predicts one player."""
    try:
        elo = None if "elo" not in card.metadata else float(card.metadata["elo"])
    except ValueError:
        elo = math.nan
    if elo is not None and not math.isfinite(elo):
        raise InvalidBrain("the `elo` in its card is not a rating")
    return elo


def _batches(
    positions: Positions, elo: ArrayLike | None, outcome: ArrayLike | None
) -> Iterator[tuple[slice, Positions, Known]]:
    """Slices of the positions, with their inputs."""
    known = Known(elo=elo, outcome=TO_WIN if outcome is None else outcome)
    for begin in range(0, len(positions), AT_ONCE):
        here = slice(begin, begin + AT_ONCE)
        yield here, positions[here], known.at(here)


def _promotions(output: dict[str, Any]) -> tuple[float, ...]:
    shares = output.get("promotions", ONLY_QUEENS)
    right = isinstance(shares, list | tuple) and len(shares) == 4
    if (
        not right
        or not all(isinstance(n, int | float) and n >= 0 for n in shares)
        or not math.isclose(sum(shares), 1, abs_tol=1e-3)
    ):
        raise InvalidBrain(
            "the `promotions` in its card are not four shares that sum to 1",
            hint="they are the shares of promotions to a queen, rook, bishop and knight",
        )
    return tuple(map(float, shares))


@dataclass(frozen=True, slots=True)
class Pairs:
    """The likeliest pairs of squares of many positions, likeliest first."""

    pairs: NDArray[np.int64]
    """64 * from + to, the board's squares: a row for each position."""
    probabilities: NDArray[np.float32]
    """Of each pair."""
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
    return Pairs(
        order,
        np.take_along_axis(products, order, axis=1),
        np.take_along_axis(legal, order, axis=1),
        np.clip(1 - np.where(legal, products, 0).sum(axis=1), 0, 1),
    )
