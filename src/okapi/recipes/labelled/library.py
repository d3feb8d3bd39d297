"""
Games in which labelled positions stand, for files that name none.

A position is found by its key in whatever games have it. One that a random move led to stands in no game, but one legal
move away from a position that does: so all that follows from a game's positions by one move is looked up, too.
"""

import shutil
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import Keys, KeySet, position_keys, successors_in
from okapi.data.pgn import import_games
from okapi.data.sources import STORE_SUFFIX
from okapi.data.split import in_chunks
from okapi.data.store import Store
from okapi.errors import NotFound
from okapi.files import digest, file_hash
from okapi.recipes.arrays import read_array, write_array

__all__ = ["Library"]

Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """A collection of games, large enough that most of the labelled positions are likely to stand in it."""

    name: str
    """Of the file, with its hash."""
    store: Store
    folder: Path
    """Where what takes long is kept."""
    tell: Tell

    @classmethod
    def open(cls, path: Path, folder: Path | None, tell: Tell) -> Self:
        """A game store, or a PGN file, which becomes a store in the folder; without one, in a folder for the time."""
        hash_ = file_hash(path)
        where = folder or Path(tempfile.mkdtemp(prefix="okapi-"))
        kept = path if path.suffix == STORE_SUFFIX else where / f"games-{hash_}{STORE_SUFFIX}"
        if kept != path:
            tell(f"{path.name}: its games become a store")
            import_games([path], kept)
        store = Store.open(kept)
        if folder is None:
            weakref.finalize(store, shutil.rmtree, where, ignore_errors=True)
        return cls(f"{path.name} {hash_}", store, where, tell)

    def once(self, what: str, keys: Keys, make: Callable[[], NDArray[Any]], **settings: Any) -> NDArray[Any]:
        """What is made of these games, keys and settings: from the folder, if it was made before."""
        about = {"games": self.name, "keys": blake2b(keys.tobytes(), digest_size=16).hexdigest(), **settings}
        name = f"{what}-{digest(about)}"
        try:
            return read_array(self.folder, name)
        except NotFound:
            write_array(self.folder, name, made := make(), compressed=True)
            return made

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """The first game in which each position stands; -1 where none has it."""
        return self.once("found", keys, lambda: self._find(keys))

    def _find(self, keys: Keys) -> NDArray[np.int64]:
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
            self.tell(f"looking positions up in games: {int(games[-1]) + 1:,} of {total:,}")
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
