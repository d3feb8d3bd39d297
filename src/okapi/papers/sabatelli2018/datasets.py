"""
The four datasets (section 3.1): what becomes of a value in centipawns, for the side to move.

Mates count as more than any other value: they are in the outer classes, and at the ends of dataset 4.
"""

from typing import Final

from okapi.recipes.targets import Target

__all__ = ["CLIP", "DATASETS", "REGRESSION", "outputs", "target"]

CLIP: Final = 1500
"""Centipawns: dataset 4 goes from -15 to 15 pawns. The paper does not say what its values were divided by."""

LOST: Final = tuple(range(-750, -149, 100))
WON: Final = tuple(range(151, 752, 100))
"""Where classes begin: seven of losing below -1.5 pawns and seven of winning above 1.5, a pawn each. A value on an edge
belongs to the class above it, and 1.5 itself is a draw: so the upper edges lie a centipawn further."""

DRAWN: Final = (-100, -50, 0, 50, 100)
"""What dataset 3 cuts the draws at: six classes from -1.5 to 1.5, half a pawn each; 0 is in the upper half."""

REGRESSION: Final = 4

EDGES: Final = {1: (LOST[-1], WON[0]), 2: (*LOST, *WON), 3: (*LOST, *DRAWN, *WON)}

DATASETS: Final = (*EDGES, REGRESSION)


def target(dataset: int) -> Target:
    """What a network is to say of a position.

    >>> [len(target(dataset).edges) + 1 for dataset in (1, 2, 3)], target(4).high
    ([3, 15, 20], 1500.0)
    """
    return Target.number(-CLIP, CLIP) if dataset == REGRESSION else Target.classes(EDGES[dataset])


def outputs(dataset: int) -> int:
    """How many numbers a network has to answer."""
    return 1 if dataset == REGRESSION else len(EDGES[dataset]) + 1
