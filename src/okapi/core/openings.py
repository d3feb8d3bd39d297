"""Where games between machines begin, so that no two are alike."""

import random

from okapi.core._core import Position

__all__ = ["random_openings"]


def random_openings(count: int, *, seed: int, plies: int = 8) -> list[Position]:
    """So many distinct positions after random moves, none of which is over. The same seed gives the same.

    >>> openings = random_openings(3, seed=1)
    >>> openings == random_openings(3, seed=1), {opening.plies for opening in openings}
    (True, {8})
    """
    dice = random.Random(seed)
    found: dict[int, Position] = {}
    while len(found) < count:
        position = Position.start()
        for _ in range(plies):
            if position.ending() is None:
                position.play_unchecked(dice.choice(position.legal_moves()))
        if position.ending() is None:
            found.setdefault(position.key, position)
    return list(found.values())
