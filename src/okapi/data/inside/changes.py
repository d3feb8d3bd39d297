"""What changed from one brain to the next, such as from a generation to the one after it."""

from dataclasses import dataclass

import numpy as np

from okapi.brains import default_name, evaluator, passport
from okapi.brains.output import expected_scores
from okapi.brains.worth import KINDS, WorthMap
from okapi.core import Kind
from okapi.core.exercises import judge
from okapi.core.samples import Rows
from okapi.data.disagreement import Compared, Judge, compare
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
    seen: int

    @property
    def by(self) -> float:
        """What it is worth more."""
        return self.now - self.before


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What came out."""

    compared: Compared
    """Their opinions: in all, by kind of position, and where they are furthest apart. The newer brain is first."""
    before: WorthMap
    now: WorthMap

    def squares(self, count: int) -> list[Change]:
        """Pieces on squares whose worth changed most, up or down."""
        before, now = self.before.mean(FEWEST), self.now.mean(FEWEST)
        by = np.nan_to_num(np.abs(now - before), nan=-1.0).ravel()
        found = []
        for place in np.argsort(-by, kind="stable")[:count].tolist():
            kind, square = divmod(place, 64)
            if by[place] > 0:
                old, new = float(before[kind, square]), float(now[kind, square])
                found.append(Change(KINDS[kind], SQUARES[square], old, new, int(self.now.counts[kind, square])))
        return found


def changes(before: str | None, now: str | None, rows: Rows, *, worst: int, worths: int) -> Changes:
    """Ask two brains about the same positions, and about some `worths` of them what their pieces are worth."""
    positions = rows["position"]
    names = [passport(brain or default_name()).name for brain in (now, before)]
    if names[0] == names[1]:
        names = [f"{names[0]}, now", f"{names[1]}, before"]
    judges, maps = [], []
    for name, brain in zip(names, (now, before), strict=True):
        mind = evaluator(brain)
        judges.append(Judge(name, expected_scores(judge([mind], positions)[0])))
        maps.append(WorthMap.of(mind, positions[:: -(-len(positions) // worths)]))
    return Changes(compare(rows, judges, worst=worst), before=maps[1], now=maps[0])
