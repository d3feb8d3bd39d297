"""A player held back: a number of nodes for each move, drawn as singh2015 drew it for Sunfish."""

import math
from random import Random as Dice

from okapi.core import Decision, Limits, Position
from okapi.errors import UsageError
from okapi.players.player import Player

__all__ = ["Draw", "Limited"]


class Draw:
    """Numbers of nodes, spread evenly on a log scale: as often between 10 and 100 as between 100 and 1000.

    >>> draw = Draw(10, 1000, seed=1)
    >>> [draw.next() for _ in range(5)]
    [19, 495, 337, 32, 98]
    """

    def __init__(self, low: int, high: int, *, seed: int | None = None) -> None:
        if not 1 <= low <= high:
            raise UsageError(f"nodes from {low} to {high} cannot be drawn", hint="write nodes=10-1000")
        self._bounds = math.log(low), math.log(high)
        self._dice = Dice(seed)

    def next(self) -> int:
        """The nodes for one move."""
        return round(math.exp(self._dice.uniform(*self._bounds)))


class Limited:
    """Another player, who gets a drawn number of nodes for each move and no other limit."""

    def __init__(self, player: Player, draw: Draw) -> None:
        self.player = player
        self._draw = draw

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only the moves to choose among count."""
        return self.player.choose(position, Limits(nodes=self._draw.next(), only=limits.only))

    def close(self) -> None:
        """Let the other one go."""
        close = getattr(self.player, "close", None)
        if close is not None:
            close()
