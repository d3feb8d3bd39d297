"""What a brain that predicts moves says about positions, asked in batches, for `okapi moves`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.prediction import Predictor, Squares
from okapi.brains.unmasked import likeliest_pairs
from okapi.core import Kind, Position
from okapi.core.packed import pack
from okapi.encodings import SQUARES, move_squares

__all__ = ["Prediction", "Question"]

AT_A_TIME: Final = 256
"""Positions that networks see together."""

DIGITS: Final = 6
MOST_PAIRS: Final = 100
"""Without rules all 4096 pairs of squares have some probability; nobody asks for more than these unless by number."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """Of one position."""

    position: Position
    moves: list[tuple[str, float]]
    """In UCI, likeliest first, with their probabilities."""
    illegal: tuple[str, ...] = ()
    """Those of them that are, where no rule was laid over what networks say."""
    illegal_share: float | None = None
    """How much probability is given to moves that are illegal; None where rules were laid over it."""
    squares: Squares | None = None
    """Of this position alone, if asked for."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        said: dict[str, Any] = {"moves": self.moves, "fen": self.position.fen()}
        if self.illegal_share is not None:
            said |= {"illegal": self.illegal, "illegal_share": round(self.illegal_share, DIGITS)}
        if self.squares is not None:
            own = [square.index for square, piece in self.position.pieces() if piece.color is self.position.turn]
            said["from"] = _named(self.squares.origin[0])
            said["to"] = {SQUARES[square]: _named(self.squares.target[0, square]) for square in own}
        return said

    def origin(self) -> list[float]:
        """How likely the piece that moves comes from each square, a1 first: by all moves, or as the networks say."""
        if self.squares is not None:
            return [float(share) for share in self.squares.origin[0]]
        shares = dict.fromkeys(SQUARES, 0.0)
        for move, share in self.moves:
            shares[move[:2]] += share
        return list(shares.values())

    def written(self, move: str) -> str:
        """A move as people write it."""
        return f"{move}?" if move in self.illegal else self.position.san(self.position.move(move))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a brain is asked about every position."""

    elo: int | None = None
    top: int | None = None
    """Only so many moves."""
    unmasked: bool = False
    squares: bool = False

    def put(self, asked: Predictor, positions: Iterable[Position]) -> Iterator[Prediction]:
        """One answer for each position."""
        left = iter(positions)
        while some := list(islice(left, AT_A_TIME)):
            packed = pack(some)
            said = asked.squares(packed, elo=self.elo) if self.squares or self.unmasked else None
            found = self._pairs(some, packed, said) if self.unmasked and said else self._legal(asked, some, packed)
            for row, prediction in enumerate(found):
                if self.squares and said:
                    here = slice(row, row + 1)
                    yield replace(prediction, squares=Squares(said.origin[here], said.target[here]))
                else:
                    yield prediction

    def _legal(self, asked: Predictor, positions: list[Position], packed: NDArray[np.void]) -> Iterator[Prediction]:
        for position, moves in zip(positions, asked.moves(packed, elo=self.elo), strict=True):
            yield Prediction(
                position, [(position.uci(move), round(share, DIGITS)) for move, share in moves[: self.top]]
            )

    def _pairs(self, positions: list[Position], packed: NDArray[np.void], said: Squares) -> Iterator[Prediction]:
        found = likeliest_pairs(packed, said, min(self.top or MOST_PAIRS, 64 * 64 - 1))
        for row, position in enumerate(positions):
            names = _names(position)
            listed = [
                (names.get(pair, SQUARES[pair // 64] + SQUARES[pair % 64]), round(share, DIGITS))
                for pair, share in zip(found.pairs[row].tolist(), found.probabilities[row].tolist(), strict=True)
            ]
            illegal = tuple(move for (move, _), legal in zip(listed, found.legal[row], strict=True) if not legal)
            yield Prediction(position, listed, illegal, float(found.illegal_share[row]))


def _names(position: Position) -> dict[int, str]:
    """The legal moves in UCI by their pairs of squares; of the four promotions, the queen."""
    moves = [move for move in position.legal_moves() if move.promotion in (None, Kind.QUEEN)]
    origin, target = move_squares([move.bits for move in moves])
    return dict(zip((64 * origin + target).tolist(), map(position.uci, moves), strict=True))


def _named(shares: NDArray[np.float32]) -> dict[str, float]:
    return {name: round(share, DIGITS) for name, share in zip(SQUARES, shares.tolist(), strict=True)}
