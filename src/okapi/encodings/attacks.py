"""Who attacks what, for a batch of boards at once: rank x file, one row for each position."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Kind
from okapi.encodings.boards import EMPTY, Codes, Mask, code

__all__ = ["DIAGONAL", "JUMPS", "STRAIGHT", "Attackers", "Step", "along", "attackers", "first_seen", "neighbours"]

Step = tuple[int, int]
"""Ranks up, files to the right."""

STRAIGHT: Final[dict[str, Step]] = {"East": (0, 1), "West": (0, -1), "North": (1, 0), "South": (-1, 0)}
DIAGONAL: Final[dict[str, Step]] = {
    "North-East": (1, 1),
    "North-West": (1, -1),
    "South-East": (-1, 1),
    "South-West": (-1, -1),
}
SLIDING: Final = {
    Kind.BISHOP: tuple(DIAGONAL.values()),
    Kind.ROOK: tuple(STRAIGHT.values()),
    Kind.QUEEN: (*STRAIGHT.values(), *DIAGONAL.values()),
}
JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPPING: Final = {
    Kind.KNIGHT: JUMPS,
    Kind.KING: SLIDING[Kind.QUEEN],
}


def neighbours(values: NDArray[Any], step: Step, beyond: int = 0) -> NDArray[Any]:
    """What each square finds one step away; `beyond` where that is off the board."""
    up, right = step
    found = np.full_like(values, beyond)
    found[:, _inside(-up), _inside(-right)] = values[:, _inside(up), _inside(right)]
    return found


def _inside(step: int) -> slice:
    """The ranks or files that are on the board, seen from one that is `step` before them."""
    return slice(max(step, 0), 8 + min(step, 0))


def along(values: NDArray[Any], occupied: Mask, step: Step) -> NDArray[Any]:
    """The sum over the squares in one direction, to the edge or to and including the first piece, for each square."""
    total = np.zeros_like(values)
    for _ in range(7):
        total = neighbours(values + total * ~occupied, step)
    return total


def first_seen(codes: Codes) -> dict[Step, Codes]:
    """The first piece in each of the eight directions, for each square."""
    return {step: _first_seen(codes, codes == EMPTY, step) for step in SLIDING[Kind.QUEEN]}


def _first_seen(codes: Codes, empty: Mask, step: Step) -> Codes:
    seen = np.full_like(codes, EMPTY)
    for _ in range(7):
        seen = neighbours(np.where(empty, seen, codes), step, EMPTY)
    return seen


@dataclass(frozen=True, slots=True)
class Attackers:
    """One side's attackers of each square."""

    count: NDArray[np.int8]
    least: NDArray[np.int16]
    """The worth of the least valuable; NOBODY where there is none."""

    NOBODY = 30_000


def attackers(codes: Codes, views: dict[Step, Codes], color: Color, worth: dict[Kind, int]) -> Attackers:
    """Pieces that could take on a square if the rules let them; those behind another piece do not count.

    `views` is what first_seen() says.
    """
    count = np.zeros(codes.shape, np.int8)
    least = np.full(codes.shape, Attackers.NOBODY, np.int16)
    below = -1 if color is Color.WHITE else 1
    for kind in Kind:
        piece = code(color, kind)
        if kind in SLIDING:
            from_there = [views[step] == piece for step in SLIDING[kind]]
        else:
            steps = ((below, -1), (below, 1)) if kind is Kind.PAWN else STEPPING[kind]
            from_there = [neighbours(codes, step, EMPTY) == piece for step in steps]
        of_this_kind = np.sum(from_there, axis=0, dtype=np.int8)
        count += of_this_kind
        least[(of_this_kind > 0) & (least > worth[kind])] = worth[kind]
    return Attackers(count, least)
