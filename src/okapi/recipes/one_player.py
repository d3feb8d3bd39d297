"""One player among the many of a game store: which games are his, and which moves."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color
from okapi.data.store import Store
from okapi.errors import InvalidText, NotFound, did_you_mean
from okapi.recipes.played_moves import PlayedMoves

__all__ = ["busiest", "games_by", "moves_by"]

UNNAMED: Final = ("", "?")
"""How PGN writes that nobody knows who played."""


def busiest(store: Store) -> str:
    """The player with the most games: InvalidText where nobody has a name."""
    counts = _counts(store)
    if not counts:
        raise InvalidText(
            f"the games of `{store.path}` do not say who played", hint="they need the tags White and Black"
        )
    return max(counts, key=lambda name: counts[name])


def games_by(store: Store, player: str) -> NDArray[np.int64]:
    """The numbers of a player's games, the oldest first; those of one day as they stand in the file. NotFound."""
    mine = _played_by(store, player, "White") | _played_by(store, player, "Black")
    mine &= store.plies() > 0
    if not mine.any():
        counts = _counts(store)
        hint = did_you_mean(player, counts) if counts else "the games do not say who played"
        raise NotFound(f"nobody is called `{player}` in {len(store):,} games", hint=hint)
    found = np.flatnonzero(mine)
    return found[np.argsort(store.columns().date[found], kind="stable")]


def moves_by(store: Store, player: str, games: NDArray[np.int64]) -> PlayedMoves:
    """What the player did in these games."""
    sides = []
    for tag, side in (("White", Color.WHITE), ("Black", Color.BLACK)):
        sides.append(PlayedMoves.played(store, games[_played_by(store, player, tag)[games]], side))
    return PlayedMoves.joined(sides)


def _counts(store: Store) -> dict[str, int]:
    """How many games each player has."""
    counts: dict[str, int] = {}
    for tag in ("White", "Black"):
        names = store.texts(tag)
        some = np.bincount(names.index[names.index >= 0], minlength=len(names.values))
        for name, count in zip(names.values, some.tolist(), strict=True):
            counts[name] = counts.get(name, 0) + count
    return {name: count for name, count in counts.items() if name not in UNNAMED}


def _played_by(store: Store, player: str, tag: str) -> NDArray[np.bool_]:
    """The games in which somebody of that name has this side."""
    names = store.texts(tag)
    found: NDArray[np.bool_] = names.index == (names.values.index(player) if player in names.values else -2)
    return found
