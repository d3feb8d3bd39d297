"""Legal moves with their probabilities: masking, as singh2015 does it (section 3.3).

What networks say about squares becomes what they say about moves: nothing where no piece stands that can move, nothing
where that piece cannot go; the product of the two, shared out over the legal moves.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core.packed import LegalMoves
from okapi.encodings import move_squares

__all__ = ["Likely", "likely"]

Floats = NDArray[np.float32]

PROMOTION: Final = 1
CASTLING: Final = 3
"""Types of moves, in the two highest bits of Move.bits."""


@dataclass(frozen=True, slots=True)
class Likely:
    """The legal moves of many positions, each position's likeliest first."""

    starts: NDArray[np.int64]
    """Where the moves of each position begin; one more, where the last ones end."""
    moves: NDArray[np.uint16]
    """Move.bits."""
    probabilities: Floats
    """Of each move; those of a position sum to 1."""

    def of(self, row: int) -> tuple[NDArray[np.uint16], Floats]:
        """Moves and probabilities of one position."""
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
    def joined(parts: Sequence["Likely"]) -> "Likely":
        """The same for the positions of all parts, one part after the other."""
        counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.starts) for part in parts)])
        return Likely(
            np.cumsum(counts),
            np.concatenate([np.zeros(0, np.uint16), *(part.moves for part in parts)]),
            np.concatenate([np.zeros(0, np.float32), *(part.probabilities for part in parts)]),
        )


def likely(legal: LegalMoves, logs: Floats, shares: ArrayLike) -> Likely:
    """Legal moves by the logarithms of what is said about their squares; `shares` of a knight, bishop, rook and queen.

    >>> from okapi.core.packed import legal_moves
    >>> from okapi.core.packed import pack_fens
    >>> legal = legal_moves(pack_fens(["8/P6k/8/8/8/8/8/7K w - - 0 1"]))
    >>> likely(legal, np.zeros(len(legal.bits), np.float32), [0.02, 0, 0.08, 0.9]).probabilities.round(3)
    array([0.25 , 0.25 , 0.25 , 0.225, 0.02 , 0.005, 0.   ], dtype=float32)
    """
    if not len(legal.bits):
        return Likely(legal.starts, legal.bits, np.zeros(0, np.float32))
    rows = legal.rows
    starts = legal.starts[:-1][np.diff(legal.starts) > 0]
    counts = np.diff([*starts, len(rows)])
    highest = np.repeat(np.maximum.reduceat(logs, starts), counts)
    weights = np.exp(logs - highest, dtype=np.float64) * _parts(legal, rows, shares)
    probabilities = weights / np.repeat(np.add.reduceat(weights, starts), counts)
    order = np.lexsort((-probabilities, rows))
    return Likely(legal.starts, legal.bits[order], probabilities[order].astype(np.float32))


def _parts(legal: LegalMoves, rows: NDArray[np.int64], shares: ArrayLike) -> NDArray[np.float64]:
    """How much of what is said about a pair of squares is said about each move."""
    types = legal.bits >> 14
    parts = np.where(types == PROMOTION, np.asarray(shares, np.float64)[legal.bits >> 12 & 3], 1.0)
    if (types == CASTLING).any():
        # A king of Chess960 may castle to a square that it can also step on: two moves, one pair of squares.
        origin, target = move_squares(legal.bits)
        plain = types != PROMOTION
        pairs = ((rows * 64 + origin) * 64 + target)[plain]
        _, which, times = np.unique(pairs, return_inverse=True, return_counts=True)
        parts[plain] /= times[which]
    return parts
