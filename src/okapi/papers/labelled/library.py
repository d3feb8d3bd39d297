"""
Games in which labelled positions stand, for files that name none.

A position is found by its key in whatever games have it. One that a random move led to stands in no game, but one legal
move away from a position that does: so all that follows from a game's positions by one move is looked up, too.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import Keys, KeySet, position_keys, successors_in
from okapi.data.ingest import import_games
from okapi.data.positions import STORE
from okapi.data.splitting import in_chunks
from okapi.data.store import Store

__all__ = ["Library"]

Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """A collection of games, large enough that most of the labelled positions are likely to stand in it."""

    name: str
    """Of the file, with its hash."""
    store: Store
    home: tempfile.TemporaryDirectory[str] | None = None
    """Where the store lies, if it lies nowhere else: removed with this."""

    @classmethod
    def open(cls, path: Path, hash_: str, folder: Path | None, tell: Tell) -> Self:
        """A game store, or a PGN file, which becomes a store in a folder, once."""
        name = f"{path.name} {hash_}"
        if path.suffix == STORE:
            return cls(name, Store.open(path))
        tell(f"{path.name}: its games become a store")
        home = tempfile.TemporaryDirectory(prefix="okapi-") if folder is None else None
        kept = (folder or Path(home.name if home else "")) / f"games-{hash_}{STORE}"
        import_games([path], kept)
        return cls(name, Store.open(kept), home)

    def find(self, keys: Keys, tell: Tell) -> NDArray[np.int64]:
        """The first game in which each position stands; -1 where none has it."""
        wanted = KeySet(len(keys))
        wanted.add(keys)
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        first = np.full(len(keys), -1, np.int64)  # in the order of the keys
        total = len(self.store)
        for games, plies in in_chunks(self.store.plies(), np.arange(total)):
            there = position_keys(self.store.positions(games, plies))
            hits = np.flatnonzero(wanted.contains(there))[::-1]  # backwards: of several games the first one stays
            places = np.searchsorted(ordered, there[hits])
            new = first[places] < 0
            first[places[new]] = games[hits[new]]
            tell(f"looking positions up in games: {int(games[-1]) + 1:,} of {total:,}")
        again = np.searchsorted(ordered, ordered)  # the same position in other rows
        found = np.empty_like(first)
        found[order] = first[again]
        return found

    def around(self, games: NDArray[np.int64], wanted: KeySet) -> Keys:
        """Of the wanted keys, those of positions that stand in these games, or one legal move away from them."""
        found = [np.zeros(0, np.uint64)]
        for of, plies in in_chunks(self.store.plies(), games):
            positions = self.store.positions(of, plies)
            there = position_keys(positions)
            found += [there[wanted.contains(there)], np.unique(successors_in(positions, wanted)["key"])]
        return np.unique(np.concatenate(found))
