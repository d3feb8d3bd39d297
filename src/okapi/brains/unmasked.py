"""Pairs of squares that networks would move between, with no rule laid over them.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from okapi.brains.prediction import Squares
from okapi.core.packed import legal_moves
from okapi.encodings import move_squares

__all__ = ["Pairs", "likeliest_pairs"]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The likeliest pairs of squares of many positions, likeliest first."""

    pairs: NDArray[np.int64]
    """64 * from + to, the board's squares: a row for each position."""
    probabilities: NDArray[np.float32]
    """Of each pair."""
    legal: NDArray[np.bool_]
    """Has a legal move these squares?"""
    illegal_share: NDArray[np.float32]
    """Of each position: how much probability is left for what no legal move does."""


def likeliest_pairs(positions: NDArray[np.void], said: Squares, top: int) -> Pairs:
    """The `top` likeliest pairs of each packed position, by what networks say about its squares."""
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
