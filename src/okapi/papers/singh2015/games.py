"""Whom the networks watch: players of --games, or Okapi itself; and what each game is for."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import load
from okapi.core import Color, Duel, Duellist, Evaluator, Game, Limits, Position, random_openings
from okapi.data.store import Store, StoreWriter
from okapi.errors import NotFound, UsageError
from okapi.papers.arrays import NONE, TEST, TRAIN, VALIDATION, read_array, write_array
from okapi.papers.lab import Lab
from okapi.papers.labelled.library import Library
from okapi.papers.order import Size
from okapi.papers.tournaments import Split, split_by_tournament

__all__ = ["Games", "gathered"]

SPLITS: Final[dict[Size, Split]] = {
    "tiny": Split(validation=0.1, test=0.2),
    "quick": Split(validation=0.02, test=0.05),
    "full": Split(apart=("Carlsen,M", "Paehtz,E", "Farago,S", "Sukhareva,E")),
}
"""At full size all games of four players of very different ratings are left out, for `okapi train personal`."""

PARTS: Final = "parts"
"""The array in a course's folder that says what each game of the store is for."""

MOST: Final[dict[Size, int]] = {"tiny": 200, "quick": 6_000, "full": 0}
"""Games that are watched, those with the lowest hashes; 0: all."""

MADE_HERE: Final[dict[Size, int]] = {"tiny": 40, "quick": 400, "full": 2_000}
"""Games that Okapi plays where none are given."""

PLAYER: Final = "okapi-28"
NODES: Final = 200
SEED: Final = 2015
"""Who plays them, how much it thinks about a move, and whence the random moves come that they begin with."""

RATINGS: Final = range(2000, 2800, 100)
"""What its players are said to be rated, in turn: so that there are bands, in which nobody plays differently."""


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """A store, and what each of its games is for."""

    store: Store
    parts: NDArray[np.uint8]

    def of(self, part: int) -> NDArray[np.int64]:
        """The numbers of the games of one part."""
        return np.flatnonzero(self.parts == part)


def gathered(lab: Lab, course: Path) -> Games:
    """Split as the course was that lies there; else by tournament, or by game where there are too few tournaments."""
    course.mkdir(parents=True, exist_ok=True)
    if lab.games is None:
        store = _made_here(lab.folder / "games.okapi", lab.size, lab.crew.hands)
    else:
        store = Library.open(lab.games, lab.folder, lab.tell).store
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


def _enough(parts: NDArray[np.uint8], hashes: NDArray[np.uint64], most: int, split: Split) -> NDArray[np.uint8]:
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


def _made_here(path: Path, size: Size, threads: int) -> Store:
    """Always the same games, however many threads play."""
    if path.exists():
        return Store.open(path)
    player = Duellist(Evaluator.from_brain(load(PLAYER)), Limits(nodes=NODES))
    starts = random_openings(MADE_HERE[size], seed=SEED)
    duel = Duel(player, player, [(start, Color.WHITE) for start in starts], threads=threads)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with StoreWriter.open(part) as writer:
        for bout in duel.raw():
            moves = (*starts[bout.number].history(), *bout.moves)
            elo = str(RATINGS[bout.number % len(RATINGS)])
            writer.add(Game(Position.start(), moves, bout.result, tags={"WhiteElo": elo, "BlackElo": elo}))
    part.replace(path)
    return Store.open(path)
