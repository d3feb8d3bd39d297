"""giraffe-363 and giraffe-363-mover: pieces as a list of slots, how far they reach, who controls each square.

M. Lai, Giraffe: Using Deep Reinforcement Learning to Play Chess, 2015, section 4.1. The thesis counts 363 features and
does not list them; docs/reference/encodings.md says where each comes from. Boards are as White sees them, or as the
mover does. The move network also reads 15 features of a move (section 6.1).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Color, Kind, Move, Position
from okapi.core.packed import POSITION, pack
from okapi.encodings import boards
from okapi.encodings.boards import DIAGONAL, EMPTY, JUMPS, SQUARES, STRAIGHT, Codes, Mask, Step, code
from okapi.encodings.encoding import Encoding, Numbers, Positions


@dataclass(frozen=True, slots=True)
class Slot:
    """A potential piece, for a batch of positions."""

    exists: Mask
    square: NDArray[np.int64]  # meaningless where nothing is

    @property
    def file(self) -> NDArray[np.int64]:
        return self.square & 7

    @property
    def rank(self) -> NDArray[np.int64]:
        return self.square >> 3


def slots(codes: Codes, color: Color, kind: Kind) -> list[Slot]:
    """Of two pieces the one further left comes first; a single one takes the slot of its half of the board."""
    pieces = codes == code(color, kind)
    if kind is Kind.PAWN:
        return _pawn_slots(pieces)
    order = _in_order(pieces)
    one = next(order)
    if kind in (Kind.KING, Kind.QUEEN):
        return [one]
    two = next(order)
    swapped = np.where(two.exists, one.file > two.file, one.file >= 4)
    return [
        Slot(np.where(swapped, right.exists, left.exists), np.where(swapped, right.square, left.square))
        for left, right in ((one, two), (two, one))
    ]


def _pawn_slots(pawns: Mask) -> list[Slot]:
    """A pawn takes the slot of its file, or the nearest free one if it is taken."""
    on_files = pawns.reshape(-1, 8, 8)
    lowest = on_files.argmax(axis=1) * 8 + np.arange(8)
    squares = np.where(on_files.any(axis=1), lowest, -1)
    spare = pawns & ~(np.arange(64)[:, np.newaxis] == squares[:, np.newaxis, :]).any(axis=2)
    for slot in _in_order(spare):
        free = squares < 0
        late = slot.exists & free.any(axis=1)
        if not late.any():
            break
        distance = np.abs(np.arange(8) - slot.file[:, np.newaxis])
        nearest = np.where(free, distance, 8).argmin(axis=1)
        squares[late, nearest[late]] = slot.square[late]
    return [Slot(squares[:, n] >= 0, squares[:, n]) for n in range(8)]


def _in_order(pieces: Mask) -> Iterator[Slot]:
    """The pieces of each position, from a1 to h8, then slots in which nothing exists."""
    left = pieces.copy()
    rows = np.arange(len(left))
    while True:
        square = left.argmax(axis=1)
        yield Slot(np.asarray(left.any(axis=1)), square)
        left[rows, square] = False


WORTH: Final = dict(zip(Kind, (100, 325, 325, 500, 975, 1500), strict=True))  # Giraffe's own values
USUAL: Final = {Kind.QUEEN: 1, Kind.ROOK: 2, Kind.BISHOP: 2, Kind.KNIGHT: 2, Kind.PAWN: 8}  # a side begins with so many

REACHES: Final[dict[Kind, dict[str, Step]]] = {
    Kind.QUEEN: STRAIGHT | DIAGONAL,
    Kind.ROOK: STRAIGHT,
    Kind.BISHOP: DIAGONAL,
    Kind.KNIGHT: {},
}

MODALITIES: Final = {"position": slice(0, 19), "pieces": slice(19, 235), "squares": slice(235, 363)}
"""Which features are position-, piece- and square-centric: they meet late in the network (section 4.2)."""

Feature = tuple[str, NDArray[Any]]


@dataclass(frozen=True)
class Batch:
    positions: Positions
    turned: bool = False  # whether boards are turned so that the mover is White

    @cached_property
    def codes(self) -> Codes:
        return boards.seen_by_mover(self.positions) if self.turned else boards.piece_codes(self.positions)

    @cached_property
    def white_to_move(self) -> Mask:
        white = np.asarray(self.positions["turn"] == Color.WHITE.value)
        return np.ones_like(white) if self.turned else white

    def castling_rights(self, color: Color) -> tuple[Mask, Mask]:
        rights = boards.castling_rights(self.positions, color)
        if not self.turned:
            return rights
        exchanged = boards.castling_rights(self.positions, color.other)
        kept = self.positions["turn"] == Color.WHITE.value
        return np.where(kept, rights[0], exchanged[0]), np.where(kept, rights[1], exchanged[1])

    @cached_property
    def attackers(self) -> dict[Color, boards.Attackers]:
        """batch x 8 x 8"""
        codes = self.codes.reshape(-1, 8, 8)
        views = boards.first_seen(codes)
        return {color: boards.attackers(codes, views, color, WORTH) for color in Color}

    @cached_property
    def control(self) -> dict[Color, NDArray[np.float32]]:
        """batch x 64. The cheaper the least valuable attacker, the better a square is controlled."""
        king, found = WORTH[Kind.KING], self.attackers
        worth = {color: np.where(by.count > 0, (1.5 * king - by.least) / (2 * king), 0) for color, by in found.items()}
        return {color: values.reshape(-1, 64).astype(np.float32) for color, values in worth.items()}

    @cached_property
    def reach(self) -> dict[str, NDArray[Any]]:
        """How far a piece could go in each direction, before being stopped by the edge or a piece: batch x 64."""
        everywhere = np.ones((len(self.codes), 8, 8), np.int8)
        return {direction: self._along(everywhere, step) for direction, step in (STRAIGHT | DIAGONAL).items()}

    def safe_moves(self, color: Color, kind: Kind) -> NDArray[Any]:
        """The number of safe squares that a piece would attack: batch x 64.

        Squares that the enemy does not attack, or only with pieces of at least that value while another friend defends.
        """
        friends, enemies = self.attackers[color], self.attackers[color.other]
        safe = (enemies.count == 0) | ((enemies.least >= WORTH[kind]) & (friends.count > 1))
        counted = safe.astype(np.int8)
        found = [self._along(counted, step) for step in REACHES[kind].values()]
        if kind is Kind.KNIGHT:
            found = [boards.neighbours(counted, jump).reshape(-1, 64) for jump in JUMPS]
        return np.asarray(np.sum(found, axis=0, dtype=np.int8))

    def _along(self, values: NDArray[Any], step: Step) -> NDArray[Any]:
        return boards.along(values, self.codes.reshape(-1, 8, 8) != EMPTY, step).reshape(-1, 64)


def features(batch: Batch) -> Iterator[Feature]:
    yield from position_features(batch)
    for kind in (Kind.PAWN, Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT):
        for color in Color:
            yield from piece_features(batch, color, kind)
            if kind is Kind.ROOK:
                yield from castling_features(batch, color, "Rooks: ")
    for square, name in enumerate(SQUARES):
        for color in Color:
            yield f"{name} {color.name.title()} Control", batch.control[color][:, square]


def position_features(batch: Batch) -> Iterator[Feature]:
    """Material Configuration, Side to Move, Castling Rights; and the kings, of which there is always one."""
    for color in Color:
        for kind, usual in USUAL.items():
            yield f"{color.name.title()} {kind.name.title()}s", (batch.codes == code(color, kind)).sum(axis=1) / usual
    yield "Side to Move", batch.white_to_move
    for color in Color:
        (king,) = slots(batch.codes, color, Kind.KING)
        yield f"{color.name.title()} King X", king.file / 7
        yield f"{color.name.title()} King Y", king.rank / 7
        yield from castling_features(batch, color)


def castling_features(batch: Batch, color: Color, prefix: str = "") -> Iterator[Feature]:
    for wing, right in zip(("Short", "Long"), batch.castling_rights(color), strict=True):
        yield f"{prefix}{color.name.title()} {wing} Castle", right


def piece_features(batch: Batch, color: Color, kind: Kind) -> Iterator[Feature]:
    """Piece Lists: existence, coordinates, mobility, and who attacks and defends it. All 0 where no piece is."""
    found: dict[str, NDArray[Any]] = {f"{side.name.title()} Control": batch.control[side] for side in Color}
    if kind is not Kind.PAWN:
        reach = {direction: batch.reach[direction] / 7 for direction in REACHES[kind]}
        found = {**reach, "Safe Moves": batch.safe_moves(color, kind) / 16, **found}
    for number, slot in enumerate(slots(batch.codes, color, kind), start=1):
        name = f"{color.name.title()} {kind.name.title()} {number}"
        yield f"{name} Exists", slot.exists
        yield f"{name} X", np.where(slot.exists, slot.file / 7, 0)
        yield f"{name} Y", np.where(slot.exists, slot.rank / 7, 0)
        for what, board in found.items():
            there = np.take_along_axis(board, slot.square[:, np.newaxis], axis=1)[:, 0]
            yield f"{name} {what}", np.where(slot.exists, there, 0)


def giraffe_363(positions: Positions, *, turned: bool = False) -> Numbers:
    batch = Batch(positions, turned=turned)
    return np.column_stack([values.astype(np.float32) for _, values in features(batch)])


PARTS: Final = tuple(name for name, _ in features(Batch(np.zeros(0, POSITION))))
SUMMARY: Final = "19 features of the position, 216 of its pieces, 128 of its squares"

GIRAFFE_363: Final = Encoding(
    name="giraffe-363",
    source="lai2015 §4.1",
    summary=SUMMARY,
    parts=PARTS,
    in_numpy=giraffe_363,
)

GIRAFFE_363_MOVER: Final = replace(
    GIRAFFE_363,
    name="giraffe-363-mover",
    source="lai2015 §4.1, turned",
    summary=f"{SUMMARY}, as if the mover were White",
    in_numpy=partial(giraffe_363, turned=True),
)
"""A position and the same one with colours exchanged have the same encoding."""


PROMOTIONS: Final = (Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)
PROMOTION: Final = 1  # the type of a promotion, in the two highest bits of Move.bits; the two below are the new kind

MOVE_FEATURES: Final = (
    *(f"Piece Type {kind.name.title()}" for kind in Kind),
    *("From X", "From Y", "To X", "To Y"),
    *(f"Promotion Type {kind.name.title()}" for kind in PROMOTIONS),
    "Rank",
)


def move_features(positions: Positions, moves: ArrayLike, rank: ArrayLike = 0.0) -> NDArray[np.float32]:
    """Piece Type, From and To Square, Promotion Type and Rank of moves given as Move.bits, one for each position.

    `rank` is the share of the legal moves that are likelier: 0 for the best, and for all of them in the first pass.
    """
    bits = np.asarray(moves, np.int64)
    origin, target = boards.move_squares(bits)
    kinds = boards.moving_kinds(positions, origin)
    into = np.where(bits >> 14 == PROMOTION, bits >> 12 & 3, -1)
    columns = [
        *(kinds == kind.value for kind in Kind),
        *((origin & 7) / 7, (origin >> 3) / 7, (target & 7) / 7, (target >> 3) / 7),
        *(into == n for n in range(len(PROMOTIONS))),
        np.broadcast_to(np.asarray(rank), bits.shape),
    ]
    return np.column_stack([column.astype(np.float32) for column in columns])


def encode_moves(position: Position, moves: Sequence[Move] | None = None, rank: ArrayLike = 0.0) -> NDArray[np.float32]:
    """The whole input of the move network for some moves of a position, or all: moves x (363 + 15).

    >>> encode_moves(Position.start()).shape
    (20, 378)
    """
    chosen = position.legal_moves() if moves is None else moves
    packed = pack([position])
    shared = GIRAFFE_363.encode_many(packed).repeat(len(chosen), axis=0)
    own = move_features(packed.repeat(len(chosen)), [move.bits for move in chosen], rank)
    return np.concatenate([shared, own], axis=1)
