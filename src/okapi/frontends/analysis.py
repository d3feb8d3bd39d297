"""Looking at whole games: what each move was worth, and which were mistakes."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from okapi.core import Color, Decision, Game, Limits, Move, Position, Value
from okapi.players import Player

__all__ = ["MARKS", "Judged", "Summary", "judge", "summarise"]

MARKS: Final = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
"""A move that throws away so much expected score deserves this mark."""

NAGS: Final = {"?!": "$6", "?": "$2", "??": "$4"}
"""The marks as PGN writes them."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One move of a game, and what was better."""

    ply: int
    number: int
    """Of the move, as on a score sheet."""
    side: Color
    move: Move
    san: str
    value: Value
    """After the move, for the side that played it."""
    best: Move
    best_san: str
    loss: float
    """Expected score that the move gave away."""
    nodes: int

    @property
    def mark(self) -> str:
        """?!, ?, ?? or nothing."""
        return next((mark for least, mark in MARKS if self.loss >= least), "")


@dataclass(frozen=True, slots=True)
class Summary:
    """How one side played."""

    moves: int
    inaccuracies: int
    mistakes: int
    blunders: int
    accuracy: float
    """0 to 100, by lichess' formula for a move, averaged."""


def judge(game: Game, player: Player, limits: Limits) -> Iterator[Judged]:
    """Look at every position of a game and say of every move what it was worth."""
    position = game.start.copy()
    decision = _decide(position, player, limits)
    for ply, move in enumerate(game.moves):
        if not isinstance(decision, Decision):
            return  # moves after the end of the game
        number, side, san = position.fullmove_number, position.turn, position.san(move)
        best_san = position.san(decision.move)
        position.play(move)
        following = _decide(position, player, limits)
        value = (following.value if isinstance(following, Decision) else following).for_side(side)
        loss = 0.0 if move == decision.move else max(0.0, decision.value.expected - value.expected)
        yield Judged(ply, number, side, move, san, value, decision.move, best_san, loss, decision.nodes)
        decision = following


def _decide(position: Position, player: Player, limits: Limits) -> Decision | Value:
    """What the player thinks or, where the game is over, what the rules say."""
    if position.is_checkmate():
        return Value.from_mate(0, position.turn)
    if position.is_stalemate():
        return Value(0.5, position.turn)
    return player.choose(position, limits)


def summarise(judged: list[Judged], side: Color) -> Summary:
    """How one side played."""
    own = [move for move in judged if move.side is side]
    marks = [move.mark for move in own]
    accuracy = sum(_accuracy(move.loss) for move in own) / len(own) if own else 100.0
    return Summary(len(own), marks.count("?!"), marks.count("?"), marks.count("??"), accuracy)


def _accuracy(loss: float) -> float:
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * loss) - 3.1669))
