"""Kinds of positions: small predicates with names, answered for thousands of packed positions at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Kind
from okapi.core.traits import Trait, traits
from okapi.encodings.attacks import Attackers, attackers, first_seen
from okapi.encodings.boards import EMPTY, Codes, Mask, code, king_squares, seen_by_mover

__all__ = ["KINDS", "PositionKind", "Scene", "kinds_of"]

MOVER, OTHER = Color.WHITE, Color.BLACK
"""Boards are seen by the mover, as if White were always to move."""

WORTH: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 100}
PIECES: Final = (Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)

OPENING, ENDGAME = 11, 6
"""Pieces of both sides, pawns and kings apart, of 14: from so many on it is the opening, up to so many the endgame."""

UNDER_FIRE: Final = 3
"""Attacked squares around a king."""

FEW: Final = 7
"""Men, kings included, that endgame tables reach."""

AT_A_TIME: Final = 1 << 14


class Scene:
    """Some positions, with whatever predicates ask of them, worked out once. Mover below, as if White."""

    def __init__(self, positions: NDArray[np.void]) -> None:
        self.codes: Codes = seen_by_mover(positions)
        self.in_check: Mask = (traits(positions) & Trait.IN_CHECK) != 0

    def count(self, side: Color, *kinds: Kind) -> NDArray[np.int64]:
        """How many of these that side has."""
        return np.asarray(np.isin(self.codes, [code(side, kind) for kind in kinds]).sum(axis=1))

    @cached_property
    def pieces(self) -> NDArray[np.int64]:
        """Of both sides, pawns and kings apart."""
        return self.count(MOVER, *PIECES) + self.count(OTHER, *PIECES)

    @cached_property
    def lead(self) -> NDArray[np.int64]:
        """Material that the mover is ahead, 1 3 3 5 9."""
        lead = np.zeros(len(self.codes), np.int64)
        for kind in (Kind.PAWN, *PIECES):
            lead += WORTH[kind] * (self.count(MOVER, kind) - self.count(OTHER, kind))
        return lead

    @cached_property
    def attackers(self) -> Mapping[Color, Attackers]:
        """Who attacks what, for both sides."""
        boards = self.codes.reshape(-1, 8, 8)
        views = first_seen(boards)
        return {side: attackers(boards, views, side, WORTH) for side in Color}

    def hangs(self, side: Color) -> Mask:
        """Has that side a man that is attacked, and is undefended or worth more than the attacker?"""
        boards = self.codes.reshape(-1, 8, 8)
        theirs, ours = self.attackers[side.other], self.attackers[side]
        found = np.zeros(len(boards), np.bool_)
        for kind in (Kind.PAWN, *PIECES):
            loose = (theirs.count > 0) & ((ours.count == 0) | (theirs.least < WORTH[kind]))
            found |= ((boards == code(side, kind)) & loose).any(axis=(1, 2))
        return found

    def king_under_fire(self, side: Color) -> Mask:
        """Are several squares around that side's king attacked?"""
        king = king_squares(self.codes, side)
        squares = np.arange(64)
        ranks = np.abs(squares // 8 - (king // 8)[:, np.newaxis])
        files = np.abs(squares % 8 - (king % 8)[:, np.newaxis])
        around = np.maximum(ranks, files) == 1
        attacked = self.attackers[side.other].count.reshape(-1, 64) > 0
        return np.asarray((around & attacked).sum(axis=1) >= UNDER_FIRE)

    def far_passed_pawn(self) -> Mask:
        """Has anybody a passed pawn that has two steps to go, or one?"""
        return self._far_passed_pawn(MOVER) | self._far_passed_pawn(OTHER)

    def _far_passed_pawn(self, side: Color) -> Mask:
        boards = self.codes.reshape(-1, 8, 8)
        boards = boards if side is MOVER else boards[:, ::-1, :]  # either way the pawns walk up
        ours, theirs = boards == code(side, Kind.PAWN), boards == code(side.other, Kind.PAWN)
        stops = theirs.copy()
        stops[:, :, 1:] |= theirs[:, :, :-1]
        stops[:, :, :-1] |= theirs[:, :, 1:]
        ahead = np.flip(np.logical_or.accumulate(np.flip(stops, axis=1), axis=1), axis=1)  # here, or further up
        return np.asarray((ours[:, 5] & ~ahead[:, 6]).any(axis=1) | (ours[:, 6] & ~ahead[:, 7]).any(axis=1))

    def only(self, *kinds: Kind) -> Mask:
        """Are there none but kings, pawns and these?"""
        allowed = [code(side, kind) for side in Color for kind in (Kind.KING, Kind.PAWN, *kinds)]
        return np.asarray(np.isin(self.codes, [EMPTY, *allowed]).all(axis=1))

    def opposite_bishops(self) -> Mask:
        """Has each side one bishop, on squares of different colours?"""
        squares = np.arange(64)
        dark = (squares // 8 + squares % 8) % 2 == 0
        ours, theirs = (self.codes == code(side, Kind.BISHOP) for side in (MOVER, OTHER))
        single = (ours.sum(axis=1) == 1) & (theirs.sum(axis=1) == 1)
        return np.asarray(single & ((ours & dark).any(axis=1) != (theirs & dark).any(axis=1)))

    def opposite_wings(self) -> Mask:
        """Stands one king on the files a to c, the other on f to h?"""
        ours, theirs = (king_squares(self.codes, side) % 8 for side in (MOVER, OTHER))
        return ((ours <= 2) & (theirs >= 5)) | ((ours >= 5) & (theirs <= 2))


@dataclass(frozen=True, slots=True)
class PositionKind:
    """A kind of position: what it is called, and who is one."""

    name: str
    group: str
    """What it is about: kinds of one group are told together."""
    test: Callable[[Scene], Mask]


ALL: Final = (
    PositionKind("opening", "phase", lambda s: s.pieces >= OPENING),
    PositionKind("middlegame", "phase", lambda s: (s.pieces > ENDGAME) & (s.pieces < OPENING)),
    PositionKind("endgame", "phase", lambda s: s.pieces <= ENDGAME),
    PositionKind("mover a piece or more behind", "material", lambda s: s.lead <= -3),
    PositionKind("mover a pawn or two behind", "material", lambda s: (s.lead < 0) & (s.lead > -3)),
    PositionKind("material level", "material", lambda s: s.lead == 0),
    PositionKind("mover a pawn or two ahead", "material", lambda s: (s.lead > 0) & (s.lead < 3)),
    PositionKind("mover a piece or more ahead", "material", lambda s: s.lead >= 3),
    PositionKind("in check", "tension", lambda s: s.in_check),
    PositionKind("something to take", "tension", lambda s: s.hangs(OTHER)),
    PositionKind("something to save", "tension", lambda s: s.hangs(MOVER)),
    PositionKind("quiet", "tension", lambda s: ~(s.in_check | s.hangs(OTHER) | s.hangs(MOVER))),
    PositionKind("mover's king under fire", "kings", lambda s: s.king_under_fire(MOVER)),
    PositionKind("opponent's king under fire", "kings", lambda s: s.king_under_fire(OTHER)),
    PositionKind("kings on opposite wings", "kings", Scene.opposite_wings),
    PositionKind("queens off", "men", lambda s: s.count(MOVER, Kind.QUEEN) + s.count(OTHER, Kind.QUEEN) == 0),
    PositionKind("opposite bishops", "men", Scene.opposite_bishops),
    PositionKind("pawn ending", "men", lambda s: s.only()),
    PositionKind("rook ending", "men", lambda s: s.only(Kind.ROOK) & ~s.only()),
    PositionKind("far passed pawn", "men", Scene.far_passed_pawn),
    PositionKind("seven men or fewer", "men", lambda s: (s.codes != EMPTY).sum(axis=1) <= FEW),
)
KINDS: Final = {kind.name: kind for kind in ALL}
"""By name; `something to take` and `to save` are attacked men that are undefended or worth more than the attacker."""


def kinds_of(positions: NDArray[np.void]) -> dict[str, Mask]:
    """Of each kind in KINDS, which positions are of it. A position may be of many.

    >>> from okapi.core.packed import pack_fens
    >>> found = kinds_of(pack_fens(["4k3/8/3P4/8/8/8/8/4K3 w - - 0 1"]))
    >>> [name for name, are in found.items() if are[0] and KINDS[name].group == "men"]
    ['queens off', 'pawn ending', 'far passed pawn', 'seven men or fewer']
    """
    found = {name: np.zeros(len(positions), np.bool_) for name in KINDS}
    for start in range(0, len(positions), AT_A_TIME):
        part = slice(start, start + AT_A_TIME)
        scene = Scene(positions[part])
        for name, kind in KINDS.items():
            found[name][part] = kind.test(scene)
    return found
