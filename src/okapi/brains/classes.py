"""The classes of a network that sorts positions: their borders in centipawns, and how likely each is.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from dataclasses import dataclass
from typing import Any

from okapi.brains.opinion import Opinions
from okapi.core import Color

__all__ = ["ClassShare", "class_shares"]


@dataclass(frozen=True, slots=True)
class ClassShare:
    """One class."""

    low: float | None
    high: float | None
    """Its borders, in centipawns; nothing where it is open, or the brain does not tell."""
    probability: float

    def as_json(self) -> dict[str, Any]:
        """For programs and pages."""
        return {"low": self.low, "high": self.high, "probability": round(self.probability, 5)}


def class_shares(opinions: Opinions, row: int, turn: Color, side: Color) -> tuple[ClassShare, ...]:
    """The classes that a brain saw for one position, where `turn` is to move, the worst for `side` first.

    Nothing where a brain has no classes.

    >>> import numpy as np
    >>> output = {"form": "classes", "view": "white", "values": [0.1, 0.5, 0.8], "edges": [-150, 50]}
    >>> seen = Opinions(np.array([0.7]), np.array([[0.1, 0.2, 0.7]], np.float32), output)
    >>> [(share.low, share.high) for share in class_shares(seen, 0, Color.BLACK, Color.BLACK)]
    [(None, -50), (-50, 150), (150, None)]
    """
    if opinions.classes is None:
        return ()
    probabilities = opinions.classes[row].tolist()
    edges = list(opinions.output.get("edges", ()))
    if len(edges) != len(probabilities) - 1:
        edges = [None] * (len(probabilities) - 1)
    seen_by = Color.WHITE if opinions.output.get("view") == "white" else turn
    if side is not seen_by:
        probabilities.reverse()
        edges = [None if edge is None else -edge for edge in reversed(edges)]
    return tuple(map(ClassShare, [None, *edges], [*edges, None], probabilities))
