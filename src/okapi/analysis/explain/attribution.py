"""Attribution: what each piece on its square contributes to an evaluation, and what changed between two brains.

The evaluation of the position is compared with that of the same position without the piece. Kings stay.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.compare import Comparison, EvaluatorValues, compare
from okapi.brains import card, default_name, evaluator
from okapi.brains.output import expected_scores
from okapi.core import Color, Evaluator, Kind, Piece, Position, Square
from okapi.core.evaluation import evaluate
from okapi.core.packed import NO_SQUARE, Trait, pack, traits
from okapi.core.samples import Rows
from okapi.encodings.boards import EMPTY, SQUARES, code, piece_codes

__all__ = [
    "PIECE_KINDS",
    "AttributionMap",
    "BrainChanges",
    "PieceAttribution",
    "PositionAttribution",
    "SquareChange",
    "attribute_pieces",
    "brain_changes",
    "without_each_piece",
]

Numbers = NDArray[np.int64]

PIECE_KINDS: Final = (Kind.PAWN, Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)
"""What can be taken off."""

USUAL: Final = dict(zip(PIECE_KINDS, (1, 3, 3, 5, 9), strict=True))
KINGS: Final = (code(Color.WHITE, Kind.KING), code(Color.BLACK, Kind.KING))
MOST_MEN: Final = 32
AT_A_TIME: Final = 64
"""Positions between two words about how far it is: with all that they lack, a batch for any network."""


@dataclass(frozen=True, slots=True)
class PieceAttribution:
    """One piece, and what it is worth to its side."""

    square: Square
    piece: Piece
    centipawns: int | None
    """Nothing where it may not be taken off: the king behind it could be captured at once."""


@dataclass(frozen=True, slots=True)
class PositionAttribution:
    """A position in a brain's eyes, piece by piece."""

    centipawns: int
    """What the whole position is worth to White."""
    pieces: tuple[PieceAttribution, ...]
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
class WithoutPiece:
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
class AttributionMap:
    """What pieces are worth on each square, on average over many positions: KINDS x 64, squares as the owner counts."""

    sums: NDArray[np.float64]
    counts: Numbers

    @classmethod
    def of(
        cls, evaluator: Evaluator, positions: NDArray[np.void], on_progress: Callable[[float], None] = lambda part: None
    ) -> Self:
        """Take every piece off every position; `heard` is told how much is done, 0 to 1."""
        found = cls(np.zeros((len(PIECE_KINDS), 64)), np.zeros((len(PIECE_KINDS), 64), np.int64))
        for begin in range(0, len(positions), AT_A_TIME):
            on_progress(begin / len(positions))
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
        seen = zip(PIECE_KINDS, self.sums.sum(axis=1), self.counts.sum(axis=1), strict=True)
        return {kind: float(total / count) for kind, total, count in seen if count}

    @classmethod
    def _of_some(cls, evaluator: Evaluator, positions: NDArray[np.void]) -> Self:
        lacking, losses = _losses(evaluator, positions)
        flipped = np.where(lacking.codes & 1 == Color.BLACK.value, 56, 0)
        place = 64 * (lacking.codes >> 1).astype(np.int64) + (lacking.squares ^ flipped)
        place, losses = place[lacking.legal], losses[lacking.legal]
        size = 64 * len(PIECE_KINDS)
        sums = np.asarray(np.bincount(place, losses, size), np.float64)
        return cls(sums.reshape(-1, 64), np.bincount(place, minlength=size).reshape(-1, 64))


def attribute_pieces(evaluator: Evaluator, position: Position) -> PositionAttribution:
    """What each piece of a position is worth to its side.

    >>> from okapi.brains import evaluator
    >>> found = attribute_pieces(evaluator("material"), Position.from_fen("4k3/pp6/8/8/8/8/8/4KR2 b - - 0 1"))
    >>> [(str(worth.square), str(worth.piece), worth.centipawns) for worth in found.pieces]
    [('f1', 'R', 500), ('a7', 'p', 100), ('b7', 'p', 100)]
    """
    positions = pack([position])
    lacking, losses = _losses(evaluator, positions)
    pieces = tuple(
        PieceAttribution(Square.at(square), Piece(Color(whose & 1), Kind(whose >> 1)), loss if legal else None)
        for square, whose, loss, legal in zip(
            lacking.squares.tolist(), lacking.codes.tolist(), losses.tolist(), lacking.legal.tolist(), strict=True
        )
    )
    sign = 1 if position.turn is Color.WHITE else -1
    return PositionAttribution(sign * int(evaluate([evaluator], positions)[0, 0]), pieces)


def without_each_piece(positions: NDArray[np.void]) -> WithoutPiece:
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
    return WithoutPiece(lacking, origin, square, codes, legal)


def _losses(evaluator: Evaluator, positions: NDArray[np.void]) -> tuple[WithoutPiece, NDArray[np.int32]]:
    """Every position without each man, and what his side loses with him."""
    lacking = without_each_piece(positions)
    whole = evaluate([evaluator], positions)[0, lacking.origin]
    without = whole.copy()
    without[lacking.legal] = evaluate([evaluator], lacking.positions[lacking.legal])[0]
    is_movers = lacking.codes & 1 == lacking.positions["turn"]
    return lacking, np.where(is_movers, whole - without, without - whole)


def _is_legal(positions: NDArray[np.void]) -> NDArray[np.bool_]:
    return np.asarray((traits(positions) & Trait.BROKEN) == 0, np.bool_)


# --- Changes from one brain to the next -------------------------------------------------------------------------------


FEWEST = 8
"""Pieces that must have been seen on a square, before anything is said about it."""


@dataclass(frozen=True, slots=True)
class SquareChange:
    """A kind of piece on a square, as its owner counts squares, and what it was worth and is worth: centipawns."""

    kind: Kind
    square: str
    before: float
    now: float
    beyond: float
    """By how much more it changed than its kind did on all squares."""
    seen: int


@dataclass(frozen=True, slots=True, eq=False)
class BrainChanges:
    """What came out."""

    compared: Comparison
    """Their opinions: in all, by kind of position, and where they are furthest apart. The newer brain is first."""
    before: AttributionMap
    now: AttributionMap

    def kinds(self) -> list[tuple[Kind, float, float]]:
        """Kinds of pieces, and what they were worth and are worth wherever they stand: centipawns."""
        before, now = self.before.kinds(), self.now.kinds()
        return [(kind, before[kind], now[kind]) for kind in PIECE_KINDS if kind in before]

    def squares(self, count: int) -> list[SquareChange]:
        """Pieces on squares whose worth changed most, up or down, beyond what their kind changed everywhere."""
        before, now = self.before.mean(FEWEST), self.now.mean(FEWEST)
        everywhere = {kind: new - old for kind, old, new in self.kinds()}
        beyond = now - before - np.array([everywhere.get(kind, 0.0) for kind in PIECE_KINDS])[:, np.newaxis]
        most = np.nan_to_num(np.abs(beyond), nan=-1.0).ravel()
        places = [divmod(place, 64) for place in np.argsort(-most, kind="stable")[:count].tolist() if most[place] > 0]
        return [
            SquareChange(
                PIECE_KINDS[kind],
                SQUARES[square],
                float(before[kind, square]),
                float(now[kind, square]),
                float(beyond[kind, square]),
                int(self.now.counts[kind, square]),
            )
            for kind, square in places
        ]


def brain_changes(
    before: str | None,
    now: str | None,
    rows: Rows,
    *,
    worst: int,
    attributed: int,
    on_progress: Callable[[float], None] = lambda part: None,
) -> BrainChanges:
    """Ask two brains about the same positions, and about some `attributed` of them what their pieces are worth.

    `heard` is told how much is done, 0 to 1.
    """
    positions = rows["position"]
    names = [card(brain or default_name()).name for brain in (now, before)]
    if names[0] == names[1]:
        names = [f"{names[0]}, now", f"{names[1]}, before"]
    judges: list[EvaluatorValues] = []
    maps: list[AttributionMap] = []
    for name, brain in zip(names, (now, before), strict=True):
        mind = evaluator(brain)
        judges.append(EvaluatorValues(name, expected_scores(evaluate([mind], positions)[0])))
        some = positions[:: -(-len(positions) // attributed)]
        maps.append(AttributionMap.of(mind, some, _half(on_progress, len(maps))))
    return BrainChanges(compare(rows, judges, worst=worst), before=maps[1], now=maps[0])


def _half(on_progress: Callable[[float], None], number: int) -> Callable[[float], None]:
    """How far the first or second half is, as part of the whole."""
    return lambda part: on_progress((number + part) / 2)
