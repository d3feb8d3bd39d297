"""What a player answers."""

from dataclasses import dataclass, field

from okapi.core._core import Move
from okapi.core.value import Value

__all__ = ["Decision", "Line"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of thought: the moves it expects and what they lead to."""

    moves: tuple[Move, ...]
    value: Value
    """For the side to move where the line begins."""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player answers for one position."""

    move: Move
    value: Value
    line: tuple[Move, ...]
    """The play it expects, beginning with `move`. TD-leaf learns from the position at its end."""
    nodes: int
    depth: int = 0
    lines: tuple[Line, ...] = field(default=())
    """The best lines, best first, from players that were asked for several."""
    likely: tuple[tuple[Move, float], ...] = field(default=())
    """Moves with their probabilities, likeliest first, from players that predict what people would play."""
