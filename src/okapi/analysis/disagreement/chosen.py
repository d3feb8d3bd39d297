"""On which positions judges are compared: some of a file's, or those of games that Okapi plays against itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from okapi.analysis.disagreement.kinds import kinds_of
from okapi.core import Brain, Color, Duel, Duellist, Evaluator, Limits
from okapi.core.duel import Adjudication
from okapi.core.openings import random_openings
from okapi.core.packed import NO_VALUE, SAMPLE
from okapi.core.samples import Rows
from okapi.core.traits import Trait, traits
from okapi.data.samples import is_sample_file
from okapi.data.sources import STORE_SUFFIX, open_source, positions_of_game, read_positions
from okapi.errors import InvalidText
from okapi.formats.samples import Skipped

__all__ = ["chosen_positions", "own_positions", "quiet_ones"]

SEED: Final = 1
"""The same file, or none, gives the same positions."""

DEPTH: Final = 2
LONGEST: Final = 100
"""How far Okapi looks in its own games, and when they are given up as drawn: they are to be quick, not good."""

PLIES: Final = 6
"""Random moves that a game begins with."""

A_GAME: Final = 60
"""About how many positions a game has."""

OVER: Final = Trait.CHECKMATE | Trait.STALEMATE | Trait.INSUFFICIENT | Trait.BROKEN


def chosen_positions(
    path: Path | str, most: int, skipped: Skipped, on_progress: Callable[[float], None], *, valued: bool = False
) -> Rows:
    """So many samples of a file at random, always the same; all, where there are no more. Valued: with a teacher's."""
    path = Path(path)
    if path.suffix == STORE_SUFFIX or is_sample_file(path):
        rows = _taken(path, most, valued=valued)
    else:
        rows = _read(path, most, skipped, on_progress, valued=valued)
    if not len(rows):
        lacks = "positions with a teacher's value" if valued else "positions to judge"
        raise InvalidText(f"{path.name} has no {lacks}", hint="`okapi samples show` tells what a file holds")
    return rows


def own_positions(most: int) -> Rows:
    """Positions of games that Okapi plays against itself, from random openings: quick, and always the same.

    >>> len(own_positions(100))
    100
    """
    player = Duellist(Evaluator.from_brain(Brain.default()), Limits(depth=DEPTH))
    starts = random_openings(max(4, 2 * most // A_GAME), seed=SEED, plies=PLIES)
    games = Duel(
        player, player, [(start, Color.WHITE) for start in starts], adjudication=Adjudication(max_plies=LONGEST)
    )
    rows = np.concatenate([positions_of_game(bout.number, bout.game) for bout in games])
    return _some(_judgeable(rows, valued=False), most)


def quiet_ones(rows: Rows) -> Rows:
    """Those with nothing to take, nothing to save, and no check: InvalidText where there are none."""
    found = rows[kinds_of(rows["position"])["quiet"]]
    if not len(found):
        raise InvalidText("none of these positions is quiet", hint="judge more of them")
    return found


def _taken(path: Path, most: int, *, valued: bool) -> Rows:
    """Of files that can be asked for any row: a few more than are wanted, for those that do not fit."""
    source = open_source(path)
    numbers = np.random.default_rng(SEED).permutation(len(source))[: 2 * most]
    return _some(_judgeable(source.take(np.sort(numbers)), valued=valued), most)


def _read(path: Path, most: int, skipped: Skipped, on_progress: Callable[[float], None], *, valued: bool) -> Rows:
    """Of other files, read from end to end: those with the smallest dice."""
    dice = np.random.default_rng(SEED)
    kept, thrown = np.zeros(0, SAMPLE), np.zeros(0)
    for chunk in read_positions([path], skipped):
        rows = _judgeable(chunk.rows, valued=valued)
        kept, thrown = np.concatenate([kept, rows]), np.concatenate([thrown, dice.random(len(rows))])
        smallest = np.sort(np.argsort(thrown, kind="stable")[:most])
        kept, thrown = kept[smallest], thrown[smallest]
        on_progress(chunk.part)
    return kept


def _judgeable(rows: Rows, *, valued: bool) -> Rows:
    """Those in which the rules have not spoken; valued: and a teacher has."""
    fits = (traits(rows["position"]) & OVER) == 0
    if valued:
        fits &= rows["value"] != NO_VALUE
    return rows.take(np.flatnonzero(fits))


def _some(rows: Rows, most: int) -> Rows:
    return rows[np.sort(np.random.default_rng(SEED).permutation(len(rows))[:most])]
