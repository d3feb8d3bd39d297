"""How likely a win, a draw and a loss are."""

from dataclasses import dataclass

from okapi.core import Color, Value

__all__ = ["Wdl"]


@dataclass(frozen=True, slots=True)
class Wdl:
    """The shares of games that `side` wins, draws and loses from here: what UCI_ShowWDL tells, in parts of one.

    >>> Wdl.of(Value(0.75, Color.WHITE))
    Wdl(win=0.625, draw=0.25, loss=0.125, side=Color.WHITE)
    """

    win: float
    draw: float
    loss: float
    side: Color

    @classmethod
    def of(cls, value: Value) -> "Wdl":
        """A value as shares. The more even the position, the more games are drawn; half of them at most."""
        draw = min(value.expected, 1.0 - value.expected)
        win = value.expected - draw / 2
        return cls(win, draw, 1.0 - win - draw, value.side)
