"""The exam: every position of games that nobody learned from, and the move that was played there."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Position
from okapi.core.keys import KeySet, position_keys
from okapi.data.store import Store
from okapi.recipes.played_moves import PlayedMoves, all_plies

__all__ = ["Exam", "first_moves", "occurring"]

AT_ONCE: Final = 1 << 20
"""Positions of training games that are looked at together: 32 MB."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exam(PlayedMoves):
    """Arrays of the same length, one entry for each position."""

    seen: NDArray[np.bool_]
    """Does the position occur in a training game, too?"""

    @classmethod
    def of(cls, store: Store, games: ArrayLike, training: ArrayLike) -> Self:
        """All positions of some games of a store; the training games say which of these somebody saw."""
        played = PlayedMoves.played(store, games)
        columns = {each.name: getattr(played, each.name) for each in fields(PlayedMoves)}
        return cls(**columns, seen=occurring(store, training, played.positions))

    def some(self, count: int, seed: int) -> Self:
        """So many, at random and none twice, in their order; all, where there are no more."""
        chosen = np.random.default_rng(seed).permutation(len(self))[:count]
        return self.take(np.sort(chosen))


def occurring(store: Store, games: ArrayLike, positions: NDArray[np.void]) -> NDArray[np.bool_]:
    """Which of these positions stand somewhere in those games."""
    keys = position_keys(positions)
    wanted, found = KeySet(len(keys)), KeySet()
    wanted.add(keys)
    for part in _parts(store, np.asarray(games, np.int64)):
        there = position_keys(store.positions(*all_plies(store, part)))
        found.add(there[wanted.contains(there)])
    return found.contains(keys)


def first_moves(store: Store, games: ArrayLike) -> dict[str, int]:
    """How often each move began a game that began where games usually begin: all twenty, the most frequent first."""
    chosen = np.asarray(games, np.int64)
    chosen = chosen[store.plies()[chosen] > 0]
    start = Position.start()
    usual = position_keys(store.positions(chosen, 0)) == start.key
    after = position_keys(store.positions(chosen[usual], 1))
    played = {str(move): int((after == start.after(move).key).sum()) for move in start.legal_moves()}
    return dict(sorted(played.items(), key=lambda item: -item[1]))


def _parts(store: Store, games: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Games in parts that have so many positions, or a few more."""
    ends = store.plies()[games].astype(np.int64).cumsum()
    yield from np.split(games, np.searchsorted(ends, np.arange(AT_ONCE, ends[-1] if len(ends) else 0, AT_ONCE)))
