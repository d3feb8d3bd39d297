"""Positions to compare evaluators on, and kinds of positions: predicates on thousands of packed positions at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Evaluator, InProcessMatch, Kind, Limits, MatchPlayer, RawBrain
from okapi.core.game import random_openings
from okapi.core.match import Adjudication
from okapi.core.packed import NO_VALUE, SAMPLE, Trait, traits
from okapi.core.samples import Rows
from okapi.data.samples import is_sample_file
from okapi.data.sources import STORE_SUFFIX, open_source, positions_of_game, read_positions
from okapi.encodings import boards
from okapi.encodings.boards import EMPTY, Attackers, Mask, code, king_squares
from okapi.errors import InvalidText
from okapi.formats.samples import SkippedSamples

MOVER, OTHER = Color.WHITE, Color.BLACK  # boards are seen from the mover, as if White were to move
WORTH: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 100}
PIECES: Final = (Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)
OPENING, ENDGAME = 11, 6  # pieces of both sides, of 14: from so many it is the opening, up to so many the endgame
UNDER_FIRE: Final = 3  # attacked squares around a king
FEW: Final = 7  # men, kings included, that endgame tables reach
AT_A_TIME: Final = 1 << 14


class PositionBatch:
    """Some positions, with what predicates need of them, computed once. The board is seen from the mover, as White."""

    def __init__(self, positions: NDArray[np.void]) -> None:
        self.codes = boards.seen_by_mover(positions)
        self.boards = self.codes.reshape(-1, 8, 8)
        self.in_check: Mask = (traits(positions) & Trait.IN_CHECK) != 0

    def count(self, side: Color, *kinds: Kind) -> NDArray[np.int64]:
        return np.asarray(np.isin(self.codes, [code(side, kind) for kind in kinds]).sum(axis=1))

    @cached_property
    def pieces(self) -> NDArray[np.int64]:
        """Pieces of both sides, without pawns and kings."""
        return self.count(MOVER, *PIECES) + self.count(OTHER, *PIECES)

    @cached_property
    def lead(self) -> NDArray[np.int64]:
        """Material by which the mover leads, 1 3 3 5 9."""
        each = (WORTH[kind] * (self.count(MOVER, kind) - self.count(OTHER, kind)) for kind in (Kind.PAWN, *PIECES))
        return np.sum(list(each), axis=0)  # type: ignore[no-any-return]

    @cached_property
    def attackers(self) -> Mapping[Color, Attackers]:
        views = boards.first_seen(self.boards)
        return {side: boards.attackers(self.boards, views, side, WORTH) for side in Color}

    def hangs(self, side: Color) -> Mask:
        """Has that side a piece that is attacked, and is undefended or worth more than the attacker?"""
        theirs, ours = self.attackers[side.other], self.attackers[side]
        found = np.zeros(len(self.boards), np.bool_)
        for kind in (Kind.PAWN, *PIECES):
            loose = (theirs.count > 0) & ((ours.count == 0) | (theirs.least < WORTH[kind]))
            found |= ((self.boards == code(side, kind)) & loose).any(axis=(1, 2))
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

    def far_passed_pawn(self, side: Color) -> Mask:
        """Has that side a passed pawn that is one or two steps from promotion?"""
        upwards = self.boards if side is MOVER else self.boards[:, ::-1, :]
        ours, theirs = (upwards == code(each, Kind.PAWN) for each in (side, side.other))
        stops = theirs.copy()
        stops[:, :, 1:] |= theirs[:, :, :-1]
        stops[:, :, :-1] |= theirs[:, :, 1:]
        ahead = np.flip(np.logical_or.accumulate(np.flip(stops, axis=1), axis=1), axis=1)  # on this rank or above
        return np.asarray((ours[:, 5] & ~ahead[:, 6]).any(axis=1) | (ours[:, 6] & ~ahead[:, 7]).any(axis=1))

    def only(self, *kinds: Kind) -> Mask:
        """Are there only kings, pawns and these?"""
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
        """Is one king on the files a to c, the other on f to h?"""
        ours, theirs = (king_squares(self.codes, side) % 8 for side in (MOVER, OTHER))
        return ((ours <= 2) & (theirs >= 5)) | ((ours >= 5) & (theirs <= 2))


@dataclass(frozen=True, slots=True)
class PositionKind:
    name: str
    group: str  # kinds of one group are shown together
    test: Callable[[PositionBatch], Mask]


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
    PositionKind("kings on opposite wings", "kings", PositionBatch.opposite_wings),
    PositionKind("queens off", "men", lambda s: s.count(MOVER, Kind.QUEEN) + s.count(OTHER, Kind.QUEEN) == 0),
    PositionKind("opposite bishops", "men", PositionBatch.opposite_bishops),
    PositionKind("pawn ending", "men", lambda s: s.only()),
    PositionKind("rook ending", "men", lambda s: s.only(Kind.ROOK) & ~s.only()),
    PositionKind("far passed pawn", "men", lambda s: s.far_passed_pawn(MOVER) | s.far_passed_pawn(OTHER)),
    PositionKind("seven men or fewer", "men", lambda s: (s.codes != EMPTY).sum(axis=1) <= FEW),
)
KINDS: Final = {kind.name: kind for kind in ALL}
"""By name; `something to take` and `to save` are attacked men that are undefended or worth more than the attacker."""


def kinds_of(positions: NDArray[np.void]) -> dict[str, Mask]:
    """For each kind in KINDS, a mask of the positions. A position may be of several kinds."""
    found = {name: np.zeros(len(positions), np.bool_) for name in KINDS}
    for start in range(0, len(positions), AT_A_TIME):
        part = slice(start, start + AT_A_TIME)
        scene = PositionBatch(positions[part])
        for name, kind in KINDS.items():
            found[name][part] = kind.test(scene)
    return found


# --- Positions of a file, or of games that Okapi plays against itself -------------------------------------------------

SEED: Final = 1  # the same file, or none, gives the same positions
DEPTH: Final = 2
LONGEST: Final = 100  # the ply at which its own games are drawn: they must be fast, not good
PLIES: Final = 6  # random moves at the start of a game
A_GAME: Final = 60  # about the number of positions of a game
OVER: Final = Trait.CHECKMATE | Trait.STALEMATE | Trait.INSUFFICIENT | Trait.BROKEN


def sample_positions(
    path: Path | str, most: int, skipped: SkippedSamples, on_progress: Callable[[float], None], *, valued: bool = False
) -> Rows:
    """A random sample of a file's positions, always the same. `valued`: only positions with a value of a teacher."""
    path = Path(path)
    if path.suffix == STORE_SUFFIX or is_sample_file(path):
        # Files with random access: twice as many rows as wanted, because some do not qualify.
        source = open_source(path)
        numbers = np.random.default_rng(SEED).permutation(len(source))[: 2 * most]
        rows = _random_rows(_judgeable(source.take(np.sort(numbers)), valued=valued), most)
    else:
        rows = _read_sample(path, most, skipped, on_progress, valued=valued)
    if not len(rows):
        lacks = "positions with a teacher's value" if valued else "positions to judge"
        raise InvalidText(f"{path.name} has no {lacks}", hint="`okapi samples show` shows what a file holds")
    return rows


def self_play_positions(most: int) -> Rows:
    """Positions of games that Okapi plays against itself from random openings: fast, and always the same."""
    player = MatchPlayer(Evaluator.from_brain(RawBrain.default()), Limits(depth=DEPTH))
    starts = random_openings(max(4, 2 * most // A_GAME), seed=SEED, plies=PLIES)
    pairings, limit = [(start, Color.WHITE) for start in starts], Adjudication(max_plies=LONGEST)
    games = InProcessMatch(player, player, pairings, adjudication=limit)
    rows = np.concatenate([positions_of_game(match_game.number, match_game.game) for match_game in games])
    return _random_rows(_judgeable(rows, valued=False), most)


def quiet_positions(rows: Rows) -> Rows:
    """Those without a hanging piece or a check: InvalidText where there are none."""
    found = rows[kinds_of(rows["position"])["quiet"]]
    if not len(found):
        raise InvalidText("none of these positions is quiet", hint="take more positions")
    return found


def _read_sample(
    path: Path, most: int, skipped: SkippedSamples, on_progress: Callable[[float], None], *, valued: bool
) -> Rows:
    """From other files, read from end to end: the rows with the smallest random numbers."""
    random = np.random.default_rng(SEED)
    kept, drawn = np.zeros(0, SAMPLE), np.zeros(0)
    for chunk in read_positions([path], skipped):
        rows = _judgeable(chunk.rows, valued=valued)
        kept, drawn = np.concatenate([kept, rows]), np.concatenate([drawn, random.random(len(rows))])
        smallest = np.sort(np.argsort(drawn, kind="stable")[:most])
        kept, drawn = kept[smallest], drawn[smallest]
        on_progress(chunk.fraction)
    return kept


def _judgeable(rows: Rows, *, valued: bool) -> Rows:
    """Positions in which the game is not over; `valued`: and which have a value."""
    fits = (traits(rows["position"]) & OVER) == 0
    if valued:
        fits &= rows["value"] != NO_VALUE
    return rows.take(np.flatnonzero(fits))


def _random_rows(rows: Rows, most: int) -> Rows:
    return rows[np.sort(np.random.default_rng(SEED).permutation(len(rows))[:most])]
