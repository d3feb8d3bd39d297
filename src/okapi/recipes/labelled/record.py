"""Labelled positions, with what is known of the games that they come from."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import Keys, position_keys
from okapi.recipes.labelled.library import Library

__all__ = ["Labelled"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Labelled:
    """Positions and what a teacher says of them: arrays of one length."""

    name: str
    """Of the file, with its hash; `made here` where Okapi played and labelled."""
    positions: NDArray[np.void]
    """POSITION."""
    values: NDArray[np.int16]
    """Centipawns for the side to move; mates as samples have them."""
    games: NDArray[np.int64] | None
    """A number for each game, -1 where a position's is not known; None: nobody knows any."""
    plies: NDArray[np.int64]
    """Moves played before, in that game; -1: not known."""
    random: NDArray[np.bool_]
    """Did a random move lead here? Then the position stands in no game, but one move away from one."""
    moves: NDArray[np.uint16] | None = None
    """Move.bits of what the teacher would play; 0: it did not say. None where nobody kept them."""
    library: Library | None = None
    """Where the file names no games: those in which its positions were found."""

    def __len__(self) -> int:
        return len(self.positions)

    def keys(self) -> Keys:
        """What tells positions apart."""
        return position_keys(self.positions)

    def take(self, rows: NDArray[Any]) -> Self:
        """Those with these numbers, or for which this is true."""
        return replace(
            self,
            positions=self.positions[rows],
            values=self.values[rows],
            games=None if self.games is None else self.games[rows],
            plies=self.plies[rows],
            random=self.random[rows],
            moves=None if self.moves is None else self.moves[rows],
        )

    def among(self, library: Library, games: NDArray[np.int64]) -> Self:
        """The same, found in the games of a library."""
        return replace(self, library=library, games=games)

    def about(self) -> dict[str, Any]:
        """For settings, cards and pages."""
        told = {"labels": self.name, "positions": len(self), "random": int(self.random.sum()), "games": None}
        if self.games is None:
            return told
        known = self.games[self.games >= 0]
        told["games"] = len(np.unique(known))
        return told if self.library is None else told | {"found": {"in": self.library.name, "positions": len(known)}}
