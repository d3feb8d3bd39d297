"""piece-square: the pieces on their squares from each side, the input of the NNUE.

A feature is own or enemy piece, kind and square: 768. Two options: with `mirror` files are mirrored where a side's own
king stands on e to h, so that it is always on a to d; with `buckets` that king's square selects a copy of the 768.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Kind
from okapi.core.packed import RawPieceSquare, rows
from okapi.encodings.boards import EMPTY, SQUARES, Codes, king_squares, opposite, piece_codes
from okapi.encodings.encoding import Encoding, Numbers, Positions
from okapi.errors import UsageError

PLAIN: Final = 768
MAX_ACTIVE: Final = 32

FOUR_BUCKETS: Final = (0, 0, 1, 1, 1, 1, 0, 0) + (2,) * 8 + (3,) * 48  # corner, middle of the rank, second rank, above


@dataclass(frozen=True)
class PieceSquare:
    """The features for one choice of options.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack
    >>> indices = PieceSquare().indices(pack([Position.from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1")]))
    >>> indices[0, :, :3].tolist()                 # both see their own king on e1 and the other on e8; then padding
    [[764, 324, 768], [324, 764, 768]]
    """

    mirror: bool = False
    buckets: tuple[int, ...] = field(default=(0,) * 64)
    """For each square of a side's own king, as that side counts squares: which copy of the features."""

    def __post_init__(self) -> None:
        if len(self.buckets) != 64 or not all(0 <= bucket < 64 for bucket in self.buckets):
            raise UsageError("buckets are 64 numbers from 0 to 63, one for each square of the king")

    @property
    def features(self) -> int:
        return PLAIN * self.copies

    @property
    def name(self) -> str:
        """piece-square, and what is special about it."""
        return "piece-square" + "-mirrored" * self.mirror + f"-{self.copies}" * (self.copies > 1)

    @property
    def copies(self) -> int:
        return 1 + max(self.buckets)

    @cached_property
    def encoding(self) -> Encoding:
        """The dense form: 2 x features, the side to move first, 1 where a piece stands."""
        special = ", mirrored" * self.mirror + f", {self.copies} king buckets" * (self.copies > 1)
        return Encoding(
            name=self.name,
            source="the NNUE",
            summary=f"own and enemy pieces x squares, as each side sees them{special}",
            parts=("mover", "opponent"),
            in_numpy=self.dense_in_numpy,
            in_cpp=self._encode_rows,
        )

    def indices(self, positions: Positions, *, threads: int = 1) -> NDArray[np.int32]:
        """The sparse form: batch x 2 x 32, the side to move first. What is there, padded with `features`."""
        out = np.empty((len(positions), 2, MAX_ACTIVE), np.int32)
        self._native.indices(rows(positions), out, threads)
        return out

    def describe(self, feature: int) -> str:
        """What a feature stands for, as the side that has it counts squares.

        >>> PieceSquare().describe(764)
        'enemy king e8'
        """
        if not 0 <= feature < self.features:
            raise UsageError(f"{self.name} has no feature {feature}", hint=f"there are 0 to {self.features - 1}")
        bucket, plain = divmod(feature, PLAIN)
        piece, square = divmod(plain, 64)
        whose, kind = divmod(piece, 6)
        text = f"{('own', 'enemy')[whose]} {Kind(kind).name.lower()} {SQUARES[square]}"
        return text if self.features == PLAIN else f"{text}, bucket {bucket}"

    def dense_in_numpy(self, positions: Positions) -> Numbers:
        dense = np.zeros((len(positions), 2, self.features + 1), np.uint8)
        np.put_along_axis(dense, self.indices_in_numpy(positions), 1, axis=2)
        return dense[:, :, : self.features]

    def indices_in_numpy(self, positions: Positions) -> NDArray[np.int32]:
        codes = piece_codes(positions)
        white, black = self._seen_by_white(codes), self._seen_by_white(opposite(codes))
        # Black's list has the pieces in White's order, too: from a1 to h8.
        black = black.reshape(-1, 8, 8)[:, ::-1, :].reshape(-1, 64)
        white_moves = (positions["turn"] == Color.WHITE.value)[:, np.newaxis, np.newaxis]
        views = np.where(white_moves, np.stack([white, black], axis=1), np.stack([black, white], axis=1))
        first = np.argsort(views == self.features, axis=2, kind="stable")[:, :, :MAX_ACTIVE]
        return np.take_along_axis(views, first, axis=2).astype(np.int32)

    def _seen_by_white(self, codes: Codes) -> NDArray[Any]:
        """The feature on each square, or padding: batch x 64."""
        king = king_squares(codes, Color.WHITE)
        turned = np.where(self.mirror & (king % 8 >= 4), 7, 0)
        bucket = np.asarray(self.buckets)[king ^ turned]
        enemy, kind = codes & 1, codes >> 1
        square = np.arange(64) ^ turned[:, np.newaxis]
        feature = PLAIN * bucket[:, np.newaxis] + 64 * (6 * enemy.astype(np.int64) + kind) + square
        return np.where(codes == EMPTY, self.features, feature)

    def _encode_rows(self, packed: NDArray[np.uint8], out: Numbers, threads: int) -> None:
        self._native.encode(packed, out, threads)

    def __reduce__(self) -> tuple[type["PieceSquare"], tuple[bool, tuple[int, ...]]]:
        return type(self), (self.mirror, self.buckets)

    @cached_property
    def _native(self) -> RawPieceSquare:
        return RawPieceSquare(self.mirror, list(self.buckets))
