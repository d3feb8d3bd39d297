"""Where games begin: positions of a store, or of games that the pupil plays first."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from okapi.core import Evaluator, Position
from okapi.core.packed import pack
from okapi.core.selfplay import NOTHING, play_tdleaf
from okapi.data.store import Store
from okapi.errors import InvalidText

__all__ = ["Drawn", "FromStore", "Starts", "own_games"]

OPENING: Final = 8
"""Random moves with which games of one's own begin."""
LENGTH: Final = 120
"""Plies of such a game, at most."""
THOUGHT: Final = 64
"""Nodes for each of its moves."""
AT_ONCE: Final = 256
"""Games between two looks at Ctrl-C."""


class Starts(Protocol):
    """Positions to begin from."""

    def draw(self, count: int, dice: np.random.Generator) -> NDArray[np.void]:
        """So many, as POSITION."""
        ...


class FromStore:
    """Positions of games: each is as likely as any other."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ends = np.cumsum(store.plies(), dtype=np.int64)
        if not len(self._ends) or not self._ends[-1]:
            raise InvalidText(f"`{store.path}` has no positions", hint="import games into it: okapi games import")

    def __len__(self) -> int:
        return int(self._ends[-1])

    def draw(self, count: int, dice: np.random.Generator) -> NDArray[np.void]:
        """As Starts says."""
        places = dice.integers(len(self), size=count)
        games = np.searchsorted(self._ends, places, side="right")
        before = np.where(games > 0, self._ends[games - 1], 0)
        return self._store.positions(games, places - before)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Positions that are all in memory."""

    positions: NDArray[np.void]

    def __len__(self) -> int:
        return len(self.positions)

    def draw(self, count: int, dice: np.random.Generator) -> NDArray[np.void]:
        """As Starts says."""
        return self.positions[dice.integers(len(self), size=count)]


def own_games(evaluator: Evaluator, games: int, *, seed: int, threads: int = 1) -> Drawn:
    """The positions of games that an evaluator plays against itself after some random moves."""
    start = pack([Position.start()])
    parts = []
    for begin in range(0, games, AT_ONCE):
        played = play_tdleaf(
            evaluator,
            np.repeat(start, min(AT_ONCE, games - begin)),
            plies=LENGTH,
            nodes=THOUGHT,
            seed=seed + begin,
            random_moves=OPENING,
            threads=threads,
        )
        going_on = played.kinds[:, 1:] != NOTHING  # the last ply of a game may be its end: nothing begins there
        parts.append(played.positions[:, :-1][going_on])
    return Drawn(np.concatenate(parts))
