"""Attribution: what pieces and weights contribute to an evaluation, and what changed between two brains.

The evaluation of the position is compared with that of the same position without the piece. Kings stay.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.compare import EvaluatorComparison, EvaluatorValues, compare
from okapi.brains import ModelCard, card, default_name, evaluator, find
from okapi.brains.files import brain_file, read_tensors
from okapi.brains.output import expected_scores
from okapi.core import Color, Evaluator, Kind, Piece, Position, RawBrain, Square
from okapi.core.evaluation import evaluate
from okapi.core.packed import NO_SQUARE, Trait, pack, traits
from okapi.core.samples import Rows
from okapi.encodings.boards import EMPTY, SQUARES, code, piece_codes

Numbers = NDArray[np.int64]
LINEAR_KINDS: Final = ("material", "linear-5", "linear-28", "linear-35")  # the kinds of brains that are sums of weights
PIECE_KINDS: Final = (Kind.PAWN, Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)  # kinds that can be removed
USUAL: Final = dict(zip(PIECE_KINDS, (1, 3, 3, 5, 9), strict=True))
KINGS: Final = (code(Color.WHITE, Kind.KING), code(Color.BLACK, Kind.KING))
MOST_MEN: Final = 32
AT_A_TIME: Final = 64  # positions between two reports of progress: with one removed piece each, a batch for any network


@dataclass(frozen=True, slots=True)
class PieceAttribution:
    """One piece, and its contribution to the evaluation for its side."""

    square: Square
    piece: Piece
    centipawns: int | None  # None where the position without it is illegal: the king behind it could be captured


@dataclass(frozen=True, slots=True)
class PositionAttribution:
    """The evaluation of a position, and the contribution of each piece."""

    centipawns: int  # the evaluation for White
    pieces: tuple[PieceAttribution, ...]  # from a1 to h8

    def total(self, side: Color) -> int:
        """The sum over a side's pieces. The sums need not add up to the evaluation."""
        return sum(found.centipawns or 0 for found in self.pieces if found.piece.color is side)

    def usual(self, kind: Kind) -> float:
        """The contribution of a piece of that kind, if the sum over all pieces were divided as 1 3 3 5 9."""
        known = [found for found in self.pieces if found.centipawns is not None]
        usual = sum(USUAL[found.piece.kind] for found in known)
        return USUAL[kind] * sum(found.centipawns or 0 for found in known) / usual if known else 0.0


class WithoutPiece(NamedTuple):
    positions: NDArray[np.void]
    origin: Numbers  # the number of the original position
    squares: Numbers
    codes: NDArray[np.uint8]  # the removed piece: see okapi.encodings.boards
    legal: NDArray[np.bool_]  # is the position legal? Not if the side that has just moved is in check


@dataclass(frozen=True, slots=True, eq=False)
class AttributionMap:
    """Mean contributions of pieces on squares, over many positions: PIECE_KINDS x 64, from the side of the owner."""

    sums: NDArray[np.float64]
    counts: Numbers

    @classmethod
    def of(
        cls, evaluator: Evaluator, positions: NDArray[np.void], on_progress: Callable[[float], None] = lambda part: None
    ) -> Self:
        """Remove every piece of every position in turn. `on_progress` is called with the fraction done."""
        size = len(PIECE_KINDS) * 64
        sums, counts = np.zeros(size), np.zeros(size, np.int64)
        for begin in range(0, len(positions), AT_A_TIME):
            on_progress(begin / len(positions))
            lacking, losses = _losses(evaluator, positions[begin : begin + AT_A_TIME])
            flipped = np.where(lacking.codes & 1 == Color.BLACK.value, 56, 0)
            place = 64 * (lacking.codes >> 1).astype(np.int64) + (lacking.squares ^ flipped)
            sums += np.bincount(place[lacking.legal], losses[lacking.legal], size)
            counts += np.bincount(place[lacking.legal], minlength=size)
        return cls(sums.reshape(-1, 64), counts.reshape(-1, 64))

    def mean(self, fewest: int = 1) -> NDArray[np.float64]:
        """The mean of each kind on each square; NaN where fewer pieces were seen."""
        return np.where(self.counts >= fewest, self.sums / np.maximum(self.counts, 1), np.nan)

    def kinds(self) -> dict[Kind, float]:
        """The mean of each kind on all squares; kinds that were never seen are left out."""
        seen = zip(PIECE_KINDS, self.sums.sum(axis=1), self.counts.sum(axis=1), strict=True)
        return {kind: float(total / count) for kind, total, count in seen if count}


def attribute_pieces(evaluator: Evaluator, position: Position) -> PositionAttribution:
    """The contribution of each piece of a position to the evaluation for its side."""
    positions = pack([position])
    lacking, losses = _losses(evaluator, positions)
    columns = (column.tolist() for column in (lacking.squares, lacking.codes, losses, lacking.legal))
    pieces = tuple(
        PieceAttribution(Square.at(square), Piece(Color(whose & 1), Kind(whose >> 1)), loss if legal else None)
        for square, whose, loss, legal in zip(*columns, strict=True)
    )
    sign = 1 if position.turn is Color.WHITE else -1
    return PositionAttribution(sign * int(evaluate([evaluator], positions)[0, 0]), pieces)


def without_each_piece(positions: NDArray[np.void]) -> WithoutPiece:
    """Every position without each of its pieces in turn, except kings."""
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
    # The removed piece may be the pawn that could be taken en passant, or the only one that could take it.
    passed = ~legal & (lacking["en_passant"] != NO_SQUARE)
    lacking["en_passant"][passed] = NO_SQUARE
    legal[passed] = _is_legal(lacking[passed])
    return WithoutPiece(lacking, origin, square, codes, legal)


def _losses(evaluator: Evaluator, positions: NDArray[np.void]) -> tuple[WithoutPiece, NDArray[np.int32]]:
    """Every position without each piece, and what its owner loses by that."""
    lacking = without_each_piece(positions)
    whole = evaluate([evaluator], positions)[0, lacking.origin]
    without = whole.copy()
    without[lacking.legal] = evaluate([evaluator], lacking.positions[lacking.legal])[0]
    is_movers = lacking.codes & 1 == lacking.positions["turn"]
    return lacking, np.where(is_movers, whole - without, without - whole)


def _is_legal(positions: NDArray[np.void]) -> NDArray[np.bool_]:
    return np.asarray((traits(positions) & Trait.BROKEN) == 0, np.bool_)


# --- Changes from one brain to the next -------------------------------------------------------------------------------

FEWEST = 8  # pieces that must have been seen on a square before it is listed


@dataclass(frozen=True, slots=True)
class SquareChange:
    """A kind of piece on a square, seen from its owner: the mean contribution before and now, in centipawns."""

    kind: Kind
    square: str
    before: float
    now: float
    beyond: float  # the change beyond that of its kind on all squares
    seen: int


@dataclass(frozen=True, slots=True, eq=False)
class BrainChanges:
    compared: EvaluatorComparison  # the evaluations; the newer brain is first
    before: AttributionMap
    now: AttributionMap

    def kinds(self) -> list[tuple[Kind, float, float]]:
        """Mean contributions of each kind on all squares, before and now, in centipawns."""
        before, now = self.before.kinds(), self.now.kinds()
        return [(kind, before[kind], now[kind]) for kind in PIECE_KINDS if kind in before]

    def squares(self, count: int) -> list[SquareChange]:
        """Pieces on squares with the largest changes, beyond the change of their kind on all squares."""
        before, now = self.before.mean(FEWEST), self.now.mean(FEWEST)
        everywhere = {kind: new - old for kind, old, new in self.kinds()}
        beyond = now - before - np.array([everywhere.get(kind, 0.0) for kind in PIECE_KINDS])[:, np.newaxis]
        most = np.nan_to_num(np.abs(beyond), nan=-1.0).ravel()
        places = [divmod(place, 64) for place in np.argsort(-most, kind="stable")[:count].tolist() if most[place] > 0]
        columns = (before, now, beyond, self.now.counts)
        return [
            SquareChange(PIECE_KINDS[kind], SQUARES[square], *(column[kind, square].item() for column in columns))
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
    """Compare two brains on the same positions, and the attributions on some `attributed` of them.

    `on_progress` is called with the fraction done, 0 to 1.
    """
    positions = rows["position"]
    names = [card(brain or default_name()).name for brain in (now, before)]
    if names[0] == names[1]:
        names = [f"{names[0]}, now", f"{names[1]}, before"]
    some = positions[:: -(-len(positions) // attributed)]
    newer, older = evaluator(now), evaluator(before)
    values = list(map(EvaluatorValues, names, expected_scores(evaluate([newer, older], positions))))
    after = AttributionMap.of(newer, some, lambda part: on_progress(part / 2))
    earlier = AttributionMap.of(older, some, lambda part: on_progress((1 + part) / 2))
    return BrainChanges(compare(rows, values, worst=worst), before=earlier, now=after)


@dataclass(frozen=True, slots=True)
class Term:
    name: str
    centipawns: int  # for White


@dataclass(frozen=True, slots=True)
class TermAttribution:
    centipawns: int
    terms: tuple[Term, ...]

    @property
    def rest(self) -> int:
        """What no weight contributes: rounding, and the rules for bare endings."""
        return self.centipawns - sum(term.centipawns for term in self.terms)


class Terms:
    """The terms of a linear brain: each is what the evaluation loses if that weight is 0."""

    def __init__(self, brain: str) -> None:
        """A brain by name or path, for which explains() is true."""
        path = find(brain)
        about, tensors = ModelCard.read(path), read_tensors(path)
        self.names = names_of(about)
        self._whole = Evaluator.from_brain(RawBrain.open(str(path)))
        kept = ~np.eye(len(self.names), dtype=np.bool_)
        changed = (brain_file(about.metadata, {**tensors, "weights": tensors["weights"] * others}) for others in kept)
        self._without = [Evaluator.from_brain(RawBrain.from_bytes(content)) for content in changed]

    def __call__(self, position: Position) -> TermAttribution:
        sign = 1 if position.turn is Color.WHITE else -1
        whole = self._whole.centipawns(position)
        shares = (whole - evaluator.centipawns(position) for evaluator in self._without)
        return TermAttribution(sign * whole, tuple(map(Term, self.names, (sign * share for share in shares))))


def explains(card: ModelCard) -> bool:
    return card.kind in LINEAR_KINDS and bool(names_of(card))


def names_of(card: ModelCard) -> list[str]:
    """The names of a brain's weights; none if its card does not list them."""
    settings = card.details().get("settings")
    order = settings.get("order") if isinstance(settings, dict) else None
    known = isinstance(order, list) and (len(order),) == card.tensors.get("weights")
    return [str(name) for name in order] if known and order else []
