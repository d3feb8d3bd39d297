"""The player that everybody has to beat."""

from dataclasses import dataclass, field
from random import Random as Dice

from okapi.core import Decision, Limits, Position, Value
from okapi.core.explain import over

__all__ = ["Random"]


@dataclass
class Random:
    """Plays any legal move; the same seed gives the same game."""

    seed: int | None = None
    _dice: Dice = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._dice = Dice(self.seed)

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Throw the dice."""
        moves = list(limits.only) or position.legal_moves()
        if not moves:
            raise over(position)
        move = self._dice.choice(moves)
        return Decision(move, Value(0.5, position.turn), (move,), 0)
