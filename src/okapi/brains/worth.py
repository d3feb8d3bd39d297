"""What each piece on its square is worth to its side, in a brain's eyes: what its opinion loses without the piece.

Nothing is estimated: the brain is asked about the position, and about the same position without the piece. Kings stay.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Evaluator, Kind, Piece, Position, Square
from okapi.core.exercises import judge
from okapi.core.packed import NO_SQUARE, pack
from okapi.core.traits import Trait, traits
from okapi.encodings.boards import EMPTY, code, piece_codes

__all__ = ["KINDS", "PieceWorth", "WorthMap", "Worths", "taken_off", "worths"]

Numbers = NDArray[np.int64]

KINDS: Final = (Kind.PAWN, Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)
"""What can be taken off."""

USUAL: Final = dict(zip(KINDS, (1, 3, 3, 5, 9), strict=True))
KINGS: Final = (code(Color.WHITE, Kind.KING), code(Color.BLACK, Kind.KING))
MOST_MEN: Final = 32
AT_A_TIME: Final = 64
"""Positions between two words about how far it is: with all that they lack, a batch for any network."""


@dataclass(frozen=True, slots=True)
class PieceWorth:
    """One piece, and what it is worth to its side."""

    square: Square
    piece: Piece
    centipawns: int | None
    """Nothing where it may not be taken off: the king behind it could be captured at once."""


@dataclass(frozen=True, slots=True)
class Worths:
    """A position in a brain's eyes, piece by piece."""

    centipawns: int
    """What the whole position is worth to White."""
    pieces: tuple[PieceWorth, ...]
    """From a1 to h8."""

    def total(self, side: Color) -> int:
        """What a side's pieces are worth together. They need not add up to the opinion: pieces work with each other."""
        return sum(found.centipawns or 0 for found in self.pieces if found.piece.color is side)

    def usual(self, kind: Kind) -> float:
        """What a piece of that kind would be worth, were all that stand here worth as much as now, but 1 3 3 5 9."""
        known = [found for found in self.pieces if found.centipawns is not None]
        usual = sum(USUAL[found.piece.kind] for found in known)
        return USUAL[kind] * sum(found.centipawns or 0 for found in known) / usual if known else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Lacking:
    """Positions, each without one of the men it had."""

    positions: NDArray[np.void]
    origin: Numbers
    """The number of the position that each was made from."""
    squares: Numbers
    codes: NDArray[np.uint8]
    """Who stood there: see okapi.encodings.boards."""
    legal: NDArray[np.bool_]
    """May chess have this position? Not where the side that has just moved is in check then."""


@dataclass(frozen=True, slots=True, eq=False)
class WorthMap:
    """What pieces are worth on each square, on average over many positions: KINDS x 64, squares as the owner counts."""

    sums: NDArray[np.float64]
    counts: Numbers

    @classmethod
    def of(
        cls, evaluator: Evaluator, positions: NDArray[np.void], heard: Callable[[float], None] = lambda part: None
    ) -> Self:
        """Take every piece off every position; `heard` is told how much is done, 0 to 1."""
        found = cls(np.zeros((len(KINDS), 64)), np.zeros((len(KINDS), 64), np.int64))
        for begin in range(0, len(positions), AT_A_TIME):
            heard(begin / len(positions))
            found = found.plus(cls._of_some(evaluator, positions[begin : begin + AT_A_TIME]))
        return found

    def plus(self, other: Self) -> Self:
        """All that both have seen."""
        return replace(self, sums=self.sums + other.sums, counts=self.counts + other.counts)

    def mean(self, fewest: int = 1) -> NDArray[np.float64]:
        """The worth of each kind on each square; not a number where fewer such pieces were seen."""
        return np.where(self.counts >= fewest, self.sums / np.maximum(self.counts, 1), np.nan)

    def kinds(self) -> dict[Kind, float]:
        """The worth of each kind, wherever it stands; kinds that were never seen are left out."""
        seen = zip(KINDS, self.sums.sum(axis=1), self.counts.sum(axis=1), strict=True)
        return {kind: float(total / count) for kind, total, count in seen if count}

    @classmethod
    def _of_some(cls, evaluator: Evaluator, positions: NDArray[np.void]) -> Self:
        lacking, losses = _losses(evaluator, positions)
        flipped = np.where(lacking.codes & 1 == Color.BLACK.value, 56, 0)
        place = 64 * (lacking.codes >> 1).astype(np.int64) + (lacking.squares ^ flipped)
        place, losses = place[lacking.legal], losses[lacking.legal]
        size = 64 * len(KINDS)
        sums = np.asarray(np.bincount(place, losses, size), np.float64)
        return cls(sums.reshape(-1, 64), np.bincount(place, minlength=size).reshape(-1, 64))


def worths(evaluator: Evaluator, position: Position) -> Worths:
    """What each piece of a position is worth to its side.

    >>> from okapi.brains import evaluator
    >>> found = worths(evaluator("material"), Position.from_fen("4k3/pp6/8/8/8/8/8/4KR2 b - - 0 1"))
    >>> [(str(worth.square), str(worth.piece), worth.centipawns) for worth in found.pieces]
    [('f1', 'R', 500), ('a7', 'p', 100), ('b7', 'p', 100)]
    """
    positions = pack([position])
    lacking, losses = _losses(evaluator, positions)
    pieces = tuple(
        PieceWorth(Square.at(square), Piece(Color(whose & 1), Kind(whose >> 1)), loss if legal else None)
        for square, whose, loss, legal in zip(
            lacking.squares.tolist(), lacking.codes.tolist(), losses.tolist(), lacking.legal.tolist(), strict=True
        )
    )
    sign = 1 if position.turn is Color.WHITE else -1
    return Worths(sign * int(judge([evaluator], positions)[0, 0]), pieces)


def taken_off(positions: NDArray[np.void]) -> Lacking:
    """Every position without each of its men in turn, kings apart."""
    bits = np.ascontiguousarray(positions["occupied"]).view(np.uint8).reshape(-1, 8)
    origin, square = np.nonzero(np.unpackbits(bits, axis=1, bitorder="little"))
    place = np.arange(len(origin)) - np.searchsorted(origin, origin)  # of the man, from a1 on
    codes = piece_codes(positions)[origin, square]
    wanted = ~np.isin(codes, [*KINGS, EMPTY])
    origin, square, place, codes = origin[wanted], square[wanted], place[wanted], codes[wanted]
    lacking = positions[origin]
    lacking["occupied"] ^= np.uint64(1) << square.astype(np.uint64)
    halves = np.stack([lacking["pieces"] & 15, lacking["pieces"] >> 4], axis=2).reshape(-1, MOST_MEN)
    behind = np.append(halves[:, 1:], np.zeros((len(halves), 1), np.uint8), axis=1)
    halves = np.where(np.arange(MOST_MEN) < place[:, np.newaxis], halves, behind)
    lacking["pieces"] = halves[:, ::2] | halves[:, 1::2] << 4
    legal = _is_legal(lacking)
    # A pawn that could be taken in passing, or the only one that could take it, may be the one that is gone.
    passed = ~legal & (lacking["en_passant"] != NO_SQUARE)
    lacking["en_passant"][passed] = NO_SQUARE
    legal[passed] = _is_legal(lacking[passed])
    return Lacking(lacking, origin, square, codes, legal)


def _losses(evaluator: Evaluator, positions: NDArray[np.void]) -> tuple[Lacking, NDArray[np.int32]]:
    """Every position without each man, and what his side loses with him."""
    lacking = taken_off(positions)
    whole = judge([evaluator], positions)[0, lacking.origin]
    without = whole.copy()
    without[lacking.legal] = judge([evaluator], lacking.positions[lacking.legal])[0]
    is_movers = lacking.codes & 1 == lacking.positions["turn"]
    return lacking, np.where(is_movers, whole - without, without - whole)


def _is_legal(positions: NDArray[np.void]) -> NDArray[np.bool_]:
    return np.asarray((traits(positions) & Trait.BROKEN) == 0, np.bool_)
