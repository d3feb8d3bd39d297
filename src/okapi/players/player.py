"""The seam: anything that chooses a move."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

from okapi.core import Decision, Limits, Position

__all__ = ["Evaluate", "Player"]

Evaluate: TypeAlias = Callable[[list[Position]], Iterable[float]]
"""Many positions in, the expected score of each one's side to move out: 0 lost, ½ drawn, 1 won."""


class Player(Protocol):
    """Anything that can choose a move: a search, a network, another program, a person."""

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose a legal move; GameIsOver where there is none."""
        ...
