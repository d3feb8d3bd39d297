"""Limits of a search."""

from dataclasses import dataclass, replace
from typing import Self

from okapi.core._core import Color, Move


@dataclass(frozen=True, slots=True)
class Clock:
    """One side's clock.

    >>> Limits(white=Clock(60_000, 500)).clock(Color.WHITE)
    Clock(time_ms=60000, increment_ms=500)
    """

    time_ms: int
    increment_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a search stops: at the first limit that is reached. Without a limit: at stop().

    >>> Limits(nodes=10_000, movetime_ms=500).depth is None
    True
    >>> Limits(depth=0)
    Traceback (most recent call last):
    ValueError: depth is 0: expected 1 or more
    """

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Searched positions."""
    movetime_ms: int | None = None
    """Milliseconds for this move."""
    mate: int | None = None
    """Stop at a mate in so many moves."""
    white: Clock | None = None
    """White's clock; the time manager decides how much of it to use."""
    black: Clock | None = None
    moves_to_go: int | None = None
    """Moves until the next time control."""
    overhead_ms: int = 10
    """Milliseconds lost between the move and the clock stopping."""
    only: tuple[Move, ...] = ()
    """Search only these moves, if any are given."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "movetime_ms", "mate", "moves_to_go"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} is {number}: expected 1 or more")

    @property
    def endless(self) -> bool:
        """Is there no limit at all?"""
        return not any((self.depth, self.nodes, self.movetime_ms, self.mate, self.white, self.black))

    def clock(self, side: Color) -> Clock | None:
        return self.white if side is Color.WHITE else self.black

    def among(self, moves: tuple[Move, ...]) -> Self:
        """The same limits for `moves` alone."""
        return replace(self, only=moves)
