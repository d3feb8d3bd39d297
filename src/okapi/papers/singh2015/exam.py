"""The exam: every position of games that nobody learned from, and the move that was played there."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Position
from okapi.core.keys import KeySet, position_keys
from okapi.data.store import Store

__all__ = ["Exam", "first_moves", "occurring"]

UNKNOWN_ELO: Final = 2500
"""The mover's, where no game says it."""

AT_ONCE: Final = 1 << 20
"""Positions of training games that are looked at together: 32 MB."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exam:
    """Arrays of the same length, one entry for each position."""

    positions: NDArray[np.void]
    """POSITION."""
    moves: NDArray[np.uint16]
    """Move.bits of what was played."""
    elos: NDArray[np.int32]
    """The mover's."""
    plies: NDArray[np.int32]
    """Moves of both sides that were played before."""
    games: NDArray[np.int64]
    """Numbers of their games."""
    outcomes: NDArray[np.int8]
    """The mover's: 0 lost, 1 drawn, 2 won; -1 unknown."""
    seen: NDArray[np.bool_]
    """Does the position occur in a training game, too?"""

    @classmethod
    def of(cls, store: Store, games: ArrayLike, training: ArrayLike) -> Self:
        """All positions of some games of a store; the training games say which of these somebody saw."""
        chosen = np.asarray(games, np.int64)
        which, plies = _all_plies(store, chosen)
        rows = store.samples(which, plies)
        columns = store.columns()
        if columns.has_best[chosen].any():
            rows["move"] = [move.bits for game in chosen.tolist() for move in store.record(game).moves]
        is_white = rows["position"]["turn"] == 0
        elos = np.where(is_white, columns.white_elo[which], columns.black_elo[which])
        exam = cls(
            positions=np.ascontiguousarray(rows["position"]),
            moves=rows["move"].astype(np.uint16),
            elos=np.where(elos > 0, elos, UNKNOWN_ELO).astype(np.int32),
            plies=plies.astype(np.int32),
            games=which,
            outcomes=rows["result"].astype(np.int8),
            seen=occurring(store, training, rows["position"]),
        )
        return exam.take(exam.moves != 0)

    def __len__(self) -> int:
        return len(self.positions)

    def take(self, which: NDArray[Any]) -> Self:
        """Those with these numbers, or for which this is true."""
        return type(self)(**{each.name: getattr(self, each.name)[which] for each in fields(self)})

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
        there = position_keys(store.positions(*_all_plies(store, part)))
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


def _all_plies(store: Store, games: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every position in which a move was played: its game, and the moves before."""
    plies = store.plies()[games].astype(np.int64)
    return np.repeat(games, plies), np.arange(plies.sum()) - np.repeat(plies.cumsum() - plies, plies)


def _parts(store: Store, games: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Games in parts that have so many positions, or a few more."""
    ends = store.plies()[games].astype(np.int64).cumsum()
    yield from np.split(games, np.searchsorted(ends, np.arange(AT_ONCE, ends[-1] if len(ends) else 0, AT_ONCE)))
