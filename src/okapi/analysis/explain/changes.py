"""What changed from one brain to the next, such as from a generation to the one after it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from okapi.analysis.disagreement import Compared, Judge, compare
from okapi.brains import card, default_name, evaluator
from okapi.brains.output import expected_scores
from okapi.brains.worth import KINDS, WorthMap
from okapi.core import Kind
from okapi.core.exercises import judge
from okapi.core.samples import Rows
from okapi.encodings.boards import SQUARES

__all__ = ["Change", "Changes", "changes"]

FEWEST = 8
"""Pieces that must have been seen on a square, before anything is said about it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A kind of piece on a square, as its owner counts squares, and what it was worth and is worth: centipawns."""

    kind: Kind
    square: str
    before: float
    now: float
    beyond: float
    """By how much more it changed than its kind did on all squares."""
    seen: int


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What came out."""

    compared: Compared
    """Their opinions: in all, by kind of position, and where they are furthest apart. The newer brain is first."""
    before: WorthMap
    now: WorthMap

    def kinds(self) -> list[tuple[Kind, float, float]]:
        """Kinds of pieces, and what they were worth and are worth wherever they stand: centipawns."""
        before, now = self.before.kinds(), self.now.kinds()
        return [(kind, before[kind], now[kind]) for kind in KINDS if kind in before]

    def squares(self, count: int) -> list[Change]:
        """Pieces on squares whose worth changed most, up or down, beyond what their kind changed everywhere."""
        before, now = self.before.mean(FEWEST), self.now.mean(FEWEST)
        everywhere = {kind: new - old for kind, old, new in self.kinds()}
        beyond = now - before - np.array([everywhere.get(kind, 0.0) for kind in KINDS])[:, np.newaxis]
        most = np.nan_to_num(np.abs(beyond), nan=-1.0).ravel()
        places = [divmod(place, 64) for place in np.argsort(-most, kind="stable")[:count].tolist() if most[place] > 0]
        return [
            Change(
                KINDS[kind],
                SQUARES[square],
                float(before[kind, square]),
                float(now[kind, square]),
                float(beyond[kind, square]),
                int(self.now.counts[kind, square]),
            )
            for kind, square in places
        ]


def changes(
    before: str | None,
    now: str | None,
    rows: Rows,
    *,
    worst: int,
    worths: int,
    heard: Callable[[float], None] = lambda part: None,
) -> Changes:
    """Ask two brains about the same positions, and about some `worths` of them what their pieces are worth.

    `heard` is told how much is done, 0 to 1.
    """
    positions = rows["position"]
    names = [card(brain or default_name()).name for brain in (now, before)]
    if names[0] == names[1]:
        names = [f"{names[0]}, now", f"{names[1]}, before"]
    judges: list[Judge] = []
    maps: list[WorthMap] = []
    for name, brain in zip(names, (now, before), strict=True):
        mind = evaluator(brain)
        judges.append(Judge(name, expected_scores(judge([mind], positions)[0])))
        some = positions[:: -(-len(positions) // worths)]
        maps.append(WorthMap.of(mind, some, _half(heard, len(maps))))
    return Changes(compare(rows, judges, worst=worst), before=maps[1], now=maps[0])


def _half(heard: Callable[[float], None], number: int) -> Callable[[float], None]:
    """How far the first or second half is, as part of the whole."""
    return lambda part: heard((number + part) / 2)
