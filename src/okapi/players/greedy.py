"""The smallest player with an opinion."""

from dataclasses import dataclass

from okapi.core import Decision, Limits, Position, Value
from okapi.core.explain import over
from okapi.players.player import Evaluate

__all__ = ["Greedy"]


@dataclass(frozen=True)
class Greedy:
    """Looks one move ahead and takes the move that leaves the opponent worst off.

    >>> from okapi.brains import evaluator
    >>> player = Greedy(evaluator("material"))
    >>> position = Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    >>> position.san(player.choose(position, Limits()).move)
    'exd5'
    """

    evaluate: Evaluate

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only the moves to choose among count."""
        moves = list(limits.only) or position.legal_moves()
        if not moves:
            raise over(position)
        values = list(self.evaluate([position.after(move) for move in moves]))
        best = min(range(len(moves)), key=lambda i: values[i])  # the opponent's value: smaller is better
        return Decision(moves[best], Value(1.0 - values[best], position.turn), (moves[best],), len(moves), 1)
