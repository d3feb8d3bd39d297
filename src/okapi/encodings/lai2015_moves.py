"""What Giraffe's move network reads beside the position: 15 features of a move (lai2015, section 6.1)."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Kind, Move, Position
from okapi.core.packed import pack
from okapi.encodings.boards import move_squares, moving_kinds
from okapi.encodings.encoding import Positions
from okapi.encodings.lai2015 import GIRAFFE_363

__all__ = ["MOVE_FEATURES", "encode_moves", "move_features"]

PROMOTIONS: Final = (Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)
PROMOTION: Final = 1
"""The type of a promotion, in the two highest bits of Move.bits; the two below say into what."""

MOVE_FEATURES: Final = (
    *(f"Piece Type {kind.name.title()}" for kind in Kind),
    *("From X", "From Y", "To X", "To Y"),
    *(f"Promotion Type {kind.name.title()}" for kind in PROMOTIONS),
    "Rank",
)


def move_features(positions: Positions, moves: ArrayLike, rank: ArrayLike = 0.0) -> NDArray[np.float32]:
    """Piece Type, From Square, To Square, Promotion Type and Rank of moves given as Move.bits, one for each position.

    `rank` is the share of the legal moves that are likelier: 0 for the best, and for all of them in the first pass.
    """
    bits = np.asarray(moves, np.int64)
    origin, target = move_squares(bits)
    kinds = moving_kinds(positions, origin)
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
