"""
The six features that chapter 6 leaves out, as weights beside the others: beyond the thesis.

Of the queen, column type, row and column; of the bishop, the pawns that obstruct it: how many, how many ahead, and what
they weigh by Tables 7 and 8. With the pawn, whose weight is given, these are 35. Bounds and divisors are ours: like
those of Table 15 where a factor is there or not, and a part of the most there can be where it is counted.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from okapi.brains.writing import brain_file
from okapi.optimize.genes import FloatArray, Genes
from okapi.papers.vazquez2012.twenty_eight import GENES, Expression

__all__ = ["GENES_35", "Expression35"]

MORE: Final = {
    "queen_column_type": (-50.0, 50.0, 1.0),
    "queen_row": (-100.0, 100.0, 8.0),
    "queen_column": (-100.0, 100.0, 8.0),
    "bishop_pawn_mobility": (-100.0, 100.0, 8.0),
    "bishop_pawns_ahead": (-100.0, 100.0, 8.0),
    "bishop_pawn_weight": (-100.0, 100.0, 60.0),
}
"""Lowest and highest weight, and how much of the factor earns it."""

_LOW, _HIGH, _DIVISORS = np.array(list(MORE.values())).T

GENES_35: Final = Genes((*GENES.names, *MORE), np.concatenate([GENES.low, _LOW]), np.concatenate([GENES.high, _HIGH]))


class Expression35(Expression):
    """Turns genes into a linear-35 brain."""

    def __init__(self, scale: str) -> None:
        super().__init__(scale)
        self.divisors = np.concatenate([self.divisors, _DIVISORS.astype(np.float32)])

    def __call__(self, genes: FloatArray, card: Mapping[str, str]) -> bytes:
        """The file of a brain."""
        weights = np.array([100.0, *genes], np.float32)
        kind = {"kind": "linear-35", "encoding": "factors-35"}
        return brain_file({**card, **kind}, {"weights": weights, "divisors": self.divisors})
