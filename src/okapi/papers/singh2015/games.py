"""Whom the networks watch: players of --games, or Okapi itself; and what each game is for."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.data.store import Store
from okapi.errors import NotFound, UsageError
from okapi.papers.experiment import ExperimentContext
from okapi.papers.games import game_store
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION, read_array, write_array
from okapi.recipes.config import Size
from okapi.recipes.tournaments import TournamentSplit, split_by_tournament

__all__ = ["Games", "gathered"]

SPLITS: Final[dict[Size, TournamentSplit]] = {
    "tiny": TournamentSplit(validation=0.1, test=0.2),
    "quick": TournamentSplit(validation=0.02, test=0.05),
    "full": TournamentSplit(apart=("Carlsen,M", "Paehtz,E", "Farago,S", "Sukhareva,E")),
}
"""At full size all games of four players of very different ratings are left out, for `okapi train personal`."""

PARTS: Final = "parts"
"""The array in a course's folder that says what each game of the store is for."""

MOST: Final[dict[Size, int]] = {"tiny": 200, "quick": 6_000, "full": 0}
"""Games that are watched, those with the lowest hashes; 0: all."""


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """A store, and what each of its games is for."""

    store: Store
    parts: NDArray[np.uint8]

    def of(self, part: int) -> NDArray[np.int64]:
        """The numbers of the games of one part."""
        return np.flatnonzero(self.parts == part)


def gathered(lab: ExperimentContext, course: Path) -> Games:
    """Split as the course was that lies there; else by tournament, or by game where there are too few tournaments."""
    course.mkdir(parents=True, exist_ok=True)
    store = game_store(lab)
    try:
        parts = read_array(course, PARTS)
    except NotFound:
        split = replace(SPLITS[lab.size], salt=lab.seed)
        parts = _enough(split_by_tournament(store, split), store.hashes(), MOST[lab.size], split)
        write_array(course, PARTS, parts)
    if len(parts) != len(store):
        hint = "give the games that it was made of"
        raise UsageError(f"the course in `{course}` is of {len(parts):,} games, not of {len(store):,}", hint=hint)
    return Games(store, parts)


def _enough(
    parts: NDArray[np.uint8], hashes: NDArray[np.uint64], most: int, split: TournamentSplit
) -> NDArray[np.uint8]:
    """Not too many games, and some for each purpose."""
    usable = np.flatnonzero(parts != NONE)
    by_hash = usable[np.argsort(hashes[usable], kind="stable")]
    chosen = by_hash[: most or None]
    parts = np.where(np.isin(np.arange(len(parts)), chosen), parts, NONE).astype(np.uint8)
    if not {TRAIN, VALIDATION, TEST} <= set(parts.tolist()):
        held = [max(1, round(share * len(chosen))) for share in (split.test, split.validation)]
        parts[chosen] = TRAIN
        parts[chosen[: held[0]]], parts[chosen[held[0] : sum(held)]] = TEST, VALIDATION
    return parts
