"""How much a move gave away, in the opinion of a strong player: the Δcp of sabatelli2018."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Final, Literal

from okapi.core import Limits, Move, Position, Value
from okapi.players import Player

__all__ = ["BALANCED_CP", "Judge", "Judgement", "summary", "tell"]

WORST_CP: Final = 1_000
"""More is not told apart: the paper writes 10 pawns for a move that gets mated, too."""

MATE_CP: Final = 10_000

BALANCED_CP: Final = 150
"""Up to here the paper calls a position balanced."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Two moves compared by a judge."""

    best: Move
    """The better one: the best of those that the suite asks for or, where it asks for none, the judge's own."""
    value: Value
    """What the position after it is worth, for the one who moves."""
    played: Value
    """The same, after the move that was played."""
    delta: int
    """Centipawns that were given away; negative, if the suite was wrong."""


class Judge:
    """A strong player, and how long it may think about each move."""

    def __init__(self, player: Player, limits: Limits) -> None:
        self.player = player
        self.limits = limits

    def compare(self, position: Position, played: Move, best: Iterable[Move] = ()) -> Judgement:
        """Value the positions after the best move and after the one that was played; both are the same: no difference.

        >>> from okapi.players import AlphaBeta
        >>> judge = Judge(AlphaBeta("material"), Limits(depth=3))
        >>> position = Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        >>> judge.compare(position, position.move("e5"), [position.move("exd5")]).delta
        1000
        """
        named = list(best) or [self._choose(position)]
        values = {move: self.value(position, move) for move in dict.fromkeys([*named, played])}
        top = played if played in named else max(named, key=lambda move: _centipawns(values[move]))
        delta = _centipawns(values[top]) - _centipawns(values[played])
        return Judgement(top, values[top], values[played], max(-WORST_CP, min(WORST_CP, delta)))

    def value(self, position: Position, move: Move) -> Value:
        """What a move is worth to the one who plays it."""
        after = position.after(move)
        if after.is_checkmate():
            return Value.from_mate(1, position.turn)
        if after.ending() is not None:
            return Value(0.5, position.turn)
        self._forget()
        return self.player.choose(after, self.limits).value.for_side(position.turn)

    def stop(self) -> None:
        """Stop thinking. From any thread."""
        tell(self.player, "stop")

    def close(self) -> None:
        """Let the player go."""
        tell(self.player, "close")

    def _choose(self, position: Position) -> Move:
        self._forget()
        return self.player.choose(position.copy(), self.limits).move

    def _forget(self) -> None:
        tell(self.player, "new_game")


def summary(deltas: list[int]) -> dict[str, Any]:
    """What many moves gave away.

    >>> summary([0, 80, 0, 1000])
    {'mean': 270.0, 'median': 40.0, 'balanced': 3, 'positions': 4}
    """
    return {
        "mean": round(fmean(deltas), 1) if deltas else 0.0,
        "median": round(median(deltas), 1) if deltas else 0.0,
        "balanced": sum(delta <= BALANCED_CP for delta in deltas),
        "positions": len(deltas),
    }


def _centipawns(value: Value) -> int:
    if value.mate is None:
        return max(-MATE_CP, min(MATE_CP, value.centipawns))
    return MATE_CP if value.mate > 0 else -MATE_CP


def tell(player: Player, what: Literal["stop", "new_game", "close"]) -> None:
    """Tell a player to stop, to forget or to leave; not every player knows how, or needs to."""
    method = getattr(player, what, None)
    if method is not None:
        method()
