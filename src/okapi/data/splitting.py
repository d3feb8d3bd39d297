"""Making a split: every game to its part, and no position of a later part in an earlier one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import Keys, KeySet, position_keys
from okapi.data.split import LAST_PLY, Part, Shares, Split, identity, parts_of
from okapi.data.store import Store

__all__ = ["AFTER_MOVE", "in_chunks", "is_late", "make_split"]

AFTER_MOVE: Final = 10
"""Positions after this move are kept apart. Before it is theory that all games share, and that nobody can leave out."""

CHUNK: Final = 1 << 18
"""Positions at a time."""

MOST_KEYS: Final = 1 << 25
"""Keys that are held at a time: half a gigabyte. Where there are more, the games are gone through several times."""


def make_split(store: Store, shares: Shares, tell: Callable[[float], None] = lambda _: None) -> Split:
    """Split the games of a store. `tell` hears how much is done, 0 to 1."""
    hashes, plies = store.hashes(), store.plies()
    parts = parts_of(hashes, shares)
    held = int((plies[parts >= Part.VALIDATION].astype(np.int64) + 1).sum())
    passes = max(1, -(-held // MOST_KEYS))
    found: list[Keys] = []
    for number in range(passes):
        for share, places in _Pass(store, plies, parts, number, passes, min(held, MOST_KEYS)).left_out():
            found.append(places)
            tell((number + share) / passes)
    left_out = np.sort(np.concatenate(found)) if found else np.zeros(0, np.uint64)
    return Split(shares, identity(hashes), parts, _runs(left_out), _counts(plies, parts, left_out))


def in_chunks(plies: NDArray[Any], games: NDArray[np.int64]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Every position of these games, the last one included, in chunks of whole games: its game and its ply."""
    lengths = plies[games].astype(np.int64) + 1
    ends = lengths.cumsum()
    start = 0
    while start < len(games):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK)))
        some = lengths[start:stop]
        yield np.repeat(games[start:stop], some), np.arange(some.sum()) - np.repeat(some.cumsum() - some, some)
        start = stop


def is_late(positions: NDArray[np.void], plies: NDArray[Any]) -> NDArray[np.bool_]:
    """Which positions stand after move 10, by the moves played or by their number: games may begin elsewhere."""
    return np.asarray((plies >= 2 * AFTER_MOVE) | (positions["fullmove_number"] > AFTER_MOVE))


@dataclass(frozen=True, slots=True)
class _Pass:
    """Once through all games, for those keys that are this pass's."""

    store: Store
    plies: NDArray[np.uint16]
    parts: NDArray[np.uint8]
    number: int
    of: int
    """Passes in all."""
    expected: int
    """Keys to hold."""

    def left_out(self) -> Iterator[tuple[float, Keys]]:
        """Places, game << 32 | ply, of positions that a later part holds; each time with the share that is done.

        Test is left whole, validation leaves out what test holds, training what either holds. Any position may be left
        out, at whatever ply it stands; but only those after move 10 are held.
        """
        held = KeySet(self.expected)
        nothing = np.zeros(0, np.uint64)
        steps = ((Part.TEST, True), (Part.VALIDATION, False), (Part.VALIDATION, True), (Part.TRAIN, False))
        total = sum(int((self.parts == part).sum()) for part, _ in steps)
        done = 0
        for part, holds in steps:
            for of, ply in in_chunks(self.plies, np.flatnonzero(self.parts == part)):
                positions = self.store.positions(of, ply)
                keys = position_keys(positions)
                mine = self._mine(keys)
                done += int((np.diff(of) != 0).sum()) + 1
                if holds:
                    held.add(keys[mine & is_late(positions, ply)])
                    yield done / total, nothing
                else:
                    found = mine & held.contains(keys)
                    yield done / total, of[found].astype(np.uint64) << np.uint64(32) | ply[found].astype(np.uint64)

    def _mine(self, keys: Keys) -> NDArray[np.bool_]:
        if self.of == 1:
            return np.ones(len(keys), np.bool_)
        return np.asarray((keys >> np.uint64(40)) % np.uint64(self.of) == self.number)


def _runs(places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Neighbouring plies of a game as one number; Split.runs says how.

    >>> [hex(run) for run in _runs(np.array([0x100000014, 0x100000015, 0x100000018], np.uint64))]
    ['0x100140001', '0x100180000']
    """
    if not len(places):
        return places
    begins = np.flatnonzero(np.diff(places, prepend=places[:1] - np.uint64(2)) != 1)
    lengths = np.diff(begins, append=len(places)).astype(np.uint64)
    first = places[begins]
    game, ply = first >> np.uint64(32), first & np.uint64(0xFFFF)
    return np.asarray(game << np.uint64(32) | ply << np.uint64(16) | lengths - np.uint64(1))


def _counts(plies: NDArray[Any], parts: NDArray[np.uint8], left_out: Keys) -> dict[str, Any]:
    of = parts[(left_out >> np.uint64(32)).astype(np.int64)]
    counts: dict[str, Any] = {"games": len(parts), "left_out": len(left_out), "positions": {}}
    for part in (Part.TRAIN, Part.VALIDATION, Part.TEST):
        mine = parts == part
        positions = np.minimum(plies[mine].astype(np.int64), LAST_PLY) + 1
        counts[part.name.lower()] = int(mine.sum())
        counts["positions"][part.name.lower()] = int(positions.sum()) - int((of == part).sum())
    return counts
