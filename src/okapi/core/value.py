"""The value of a position: an expected score for one side."""

from dataclasses import dataclass
from typing import Self

from okapi.core._core import Color, centipawns_of, expected_score


@dataclass(frozen=True, slots=True)
class Value:
    """Expected score for one side: 0 loses, ½ draws, 1 wins.

    >>> value = Value.from_centipawns(100, Color.WHITE)
    >>> round(value.expected, 2), round(value.seen_by(Color.BLACK), 2)
    (0.64, 0.36)
    """

    expected: float
    side: Color
    mate: int | None = None
    """Moves until `side` mates, or, if negative, is mated; nothing if no mate is in sight."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.expected <= 1.0:
            raise ValueError(f"an expected score is between 0 and 1, not {self.expected}")

    def seen_by(self, side: Color) -> float:
        return self.expected if side is self.side else 1.0 - self.expected

    def turned(self) -> "Value":
        """The same value for the other side."""
        return Value(1.0 - self.expected, self.side.other, None if self.mate is None else -self.mate)

    def for_side(self, side: Color) -> "Value":
        """The same value for `side`."""
        return self if side is self.side else self.turned()

    @property
    def centipawns(self) -> int:
        """For UCI and people: hundredths of a pawn for `side`, within ± 20000."""
        return centipawns_of(self.expected)

    @property
    def win_draw_loss(self) -> tuple[float, float, float]:
        """Probabilities for `side`, as in `okapi-uci`: a draw as likely as the worse side's expected score.

        >>> Value(0.5, Color.WHITE).win_draw_loss, Value(0.75, Color.WHITE).win_draw_loss
        ((0.25, 0.5, 0.25), (0.625, 0.25, 0.125))
        """
        draw = min(self.expected, 1.0 - self.expected)
        win = self.expected - draw / 2
        return win, draw, 1.0 - win - draw

    @classmethod
    def from_centipawns(cls, centipawns: int, side: Color) -> Self:
        """For UCI and teachers only. Counts 400 centipawns like 400 Elo: ten to one."""
        return cls(expected_score(centipawns), side)

    @classmethod
    def from_mate(cls, moves: int, side: Color) -> Self:
        """`side` mates in so many moves or, if negative, is mated; 0: is mated already."""
        return cls(1.0 if moves > 0 else 0.0, side, moves)

    def __str__(self) -> str:
        """As people write it: +0.35, #3, #-2, for the value's own side.

        >>> print(Value.from_centipawns(35, Color.WHITE), Value.from_mate(-2, Color.BLACK))
        +0.35 #-2
        """
        return f"#{self.mate}" if self.mate is not None else f"{self.centipawns / 100:+.2f}"
