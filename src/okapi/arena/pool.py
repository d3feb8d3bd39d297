"""Who met whom, and how it ended."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from okapi.arena.likelihood import Array
from okapi.errors import NotRatable

__all__ = ["Pool"]


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Games of many players, counted. Two players who met have two entries, one for each of them with White.

    >>> pool = Pool.of([("Okapi", "Giraffe", 1), ("Giraffe", "Okapi", 0.5)])
    >>> pool.names, pool.wins.tolist(), pool.draws.tolist(), pool.losses.tolist()
    (('Giraffe', 'Okapi'), [0.0, 1.0], [1.0, 0.0], [0.0, 0.0])
    """

    names: tuple[str, ...]
    white: NDArray[np.intp]
    """Index of the player with White, for each entry."""
    black: NDArray[np.intp]
    wins: Array
    """Games that White won."""
    draws: Array
    losses: Array

    @classmethod
    def of(cls, games: Iterable[tuple[str, str, float]]) -> Self:
        """Count games, told as White, Black and White's points (0, ½, 1)."""
        counted = Counter(games)
        names = tuple(sorted({name for white, black, _ in counted for name in (white, black)}))
        number = {name: index for index, name in enumerate(names)}
        met = sorted({pair for white, black, _ in counted for pair in ((white, black), (black, white))})
        entry = {pair: index for index, pair in enumerate(met)}
        counts = np.zeros((3, len(met)))
        for (white, black, points), times in counted.items():
            if white == black:
                raise NotRatable(f"{white} plays against itself", hint="give the two players different names")
            counts[round(2 - 2 * points), entry[white, black]] += times
        return cls(
            names,
            np.array([number[white] for white, _ in met], dtype=np.intp),
            np.array([number[black] for _, black in met], dtype=np.intp),
            *counts,
        )

    def of_players(self, for_white: Array, for_black: Array) -> Array:
        """Sum a quantity of the entries for each player: one value as White, another as Black."""
        size = len(self.names)
        return np.bincount(self.white, for_white, size).astype(float) + np.bincount(self.black, for_black, size)

    @property
    def games(self) -> Array:
        """Games of each entry."""
        return self.wins + self.draws + self.losses

    @property
    def games_of_players(self) -> Array:
        """Games of each player."""
        return self.of_players(self.games, self.games)

    def virtual_draws(self, prior: float) -> Array:
        """Bayeselo's prior: draws that nobody played, for each entry.

        Half of `prior` draws come from each player, shared among the opponents as its games are; they are returned by
        the opponents' halves, so that a player has about `prior` of them. They keep ratings finite and, where games are
        few, close together.
        """
        number = {pair: index for index, pair in enumerate(zip(self.white, self.black, strict=True))}
        back = np.array([number[black, white] for white, black in number], dtype=np.intp)
        both = self.games + self.games[back]
        share: Array = both / self.games_of_players[self.white] + both / self.games_of_players[self.black]
        return prior / 4 * share

    def parts(self) -> list[list[str]]:
        """The groups of players that are linked by games, largest first."""
        links = self._links(self.games)
        left, found = set(range(len(self.names))), []
        while left:
            group = _reached(min(left), links)
            left -= group
            found.append([self.names[index] for index in sorted(group)])
        return sorted(found, key=len, reverse=True)

    def unbounded(self) -> list[str]:
        """Players of a group that never gave a point away, or never got one, against the rest. Empty if there is none.

        Without a prior their ratings would be infinite.
        """
        took = self._links(self.wins + self.draws, self.losses + self.draws)
        gave = self._links(self.losses + self.draws, self.wins + self.draws)
        everybody = set(range(len(self.names)))
        for links in (took, gave):
            group = _reached(0, links)
            rest = everybody - group
            if rest:
                return [self.names[index] for index in sorted(rest if len(rest) < len(group) else group)]
        return []

    def _links(self, forwards: Array, backwards: Array | None = None) -> dict[int, set[int]]:
        """Who leads to whom: White to Black where `forwards` is not zero, Black to White where `backwards` is not."""
        found: dict[int, set[int]] = {index: set() for index in range(len(self.names))}
        there = zip(self.white, self.black, forwards, forwards if backwards is None else backwards, strict=True)
        for white, black, to_black, to_white in there:
            if to_black:
                found[int(white)].add(int(black))
            if to_white:
                found[int(black)].add(int(white))
        return found


def _reached(start: int, links: Mapping[int, set[int]]) -> set[int]:
    """All that can be reached from `start`."""
    found, edge = {start}, [start]
    while edge:
        following = links[edge.pop()] - found
        found |= following
        edge.extend(following)
    return found
