"""Figures 1 and 2 and Table 1: what Giraffe sees, and which positions are near each other in its eyes."""

from typing import Any, Final

import numpy as np

from okapi.core import Position
from okapi.core.packed import pack_fens
from okapi.encodings import ENCODINGS, inspect
from okapi.encodings.lai2015 import MODALITIES
from okapi.papers.lai2015.published import TABLE_1
from okapi.recipes.lab import Lab

__all__ = ["FIGURE_1", "FIGURE_2", "features"]

FIGURE_1: Final = {
    "left": "r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/1P2PN2/PB1N1PPP/R2QK2R w KQ - 0 1",
    "middle": "r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/BP2PN2/P2N1PPP/R2QK2R w KQ - 0 1",
    "right": "r1bq1rk1/pp3ppp/2n1pn2/2bp2B1/8/1P2PN2/P2N1PPP/R2QK2R w KQ - 0 1",
}
"""A bishop on b2, on a3 beside it, and on g5: the boards of the figure are lost, these are like them."""

FIGURE_2: Final = "r3r1k1/pQ3ppp/1q1pbn2/1np1p3/4P3/P1N2N2/1PP2PPP/1RB2RK1 w - - 0 1"
"""A position of which all lines of Table 1 are true; the figure itself is lost."""

COMPARED: Final = ("bitmap-768", "giraffe-363")


def features(lab: Lab) -> dict[str, Any]:
    """Table 1 of a position, how many features are of what kind, and distances between three boards."""
    table = inspect(Position.from_fen(FIGURE_2))
    boards = pack_fens(list(FIGURE_1.values()))
    return {
        "fen": FIGURE_2,
        "table": table,
        "agree": sum(table.get(name) == value for name, value in TABLE_1.items()),
        "kinds": {name: part.stop - part.start for name, part in MODALITIES.items()},
        "boards": FIGURE_1,
        "apart": {
            name: _distances(ENCODINGS[name].encode_many(boards, np.float32).astype(np.float64)) for name in COMPARED
        },
    }


def _distances(seen: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, float]:
    """From the middle to the left and to the right."""
    left, middle, right = seen
    return {side: round(float(np.linalg.norm(middle - other)), 4) for side, other in (("left", left), ("right", right))}
