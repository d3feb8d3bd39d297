"""Games as the store keeps them, and as everybody else knows them."""

from collections.abc import Sequence
from typing import Final

from okapi.core import _core
from okapi.core._core import Color, Move
from okapi.core.decision import Decision
from okapi.core.game import Game
from okapi.core.packed import NO_VALUE
from okapi.core.value import Value

__all__ = ["centipawns_from_value", "from_record", "to_record", "value_from_centipawns"]

MATE: Final = 32000
"""Mate in n moves is MATE - n centipawns, being mated n - MATE."""
MATE_BOUND: Final = 31000
MOST: Final = 30000
"""Centipawns that are no mate."""
NO_CLOCK: Final = 0xFFFFFFFF
NO_MOVE: Final = Move.none()

IN_THE_RECORD: Final = frozenset({"Result", "FEN", "SetUp"})
"""Tags that say what a record says by itself."""


def centipawns_from_value(value: Value, side: Color) -> int:
    """How a value is stored: centipawns for the side to move.

    >>> centipawns_from_value(Value.from_mate(-3, Color.BLACK), Color.WHITE)
    31997
    """
    value = value.for_side(side)
    if value.mate is None:
        return max(-MOST, min(MOST, value.centipawns))
    return MATE - value.mate if value.mate > 0 else -MATE - value.mate


def value_from_centipawns(centipawns: int, side: Color) -> Value:
    """The way back.

    >>> print(value_from_centipawns(-31998, Color.WHITE), value_from_centipawns(35, Color.WHITE))
    #-2 +0.35
    """
    if abs(centipawns) < MATE_BOUND:
        return Value.from_centipawns(centipawns, side)
    return Value.from_mate(MATE - centipawns if centipawns > 0 else -MATE - centipawns, side)


def to_record(game: Game) -> _core.RawGame:
    """A game as it is stored. Of what was thought, nodes and depth are not kept."""
    values: list[int] = []
    best: list[Move] = []
    lines: list[Sequence[Move]] = []
    if any(game.thoughts):
        side = game.start.turn
        for thought in game.thoughts:
            values.append(NO_VALUE if thought is None else centipawns_from_value(thought.value, side))
            best.append(NO_MOVE if thought is None else thought.move)
            lines.append(() if thought is None else thought.line)
            side = side.other
        values.append(NO_VALUE)
        best.append(NO_MOVE)
        lines.append(())
    # What only repeats the moves that were played is not worth a bit.
    if all(move in (NO_MOVE, played) for move, played in zip(best, (*game.moves, NO_MOVE), strict=False)):
        best = []
    if not any(lines):
        lines = []
    return _core.RawGame(
        tags=[(name, text) for name, text in game.tags.items() if name not in IN_THE_RECORD],
        start=game.start,
        moves=game.moves,
        result=game.result,
        values=values,
        best=best,
        lines=lines,
        clocks=[NO_CLOCK if clock is None else clock for clock in game.clocks],
    )


def from_record(record: _core.RawGame) -> Game:
    """A stored game. Where a value was stored, the player is said to have thought it."""
    moves = tuple(record.moves)
    return Game(
        start=record.start,
        moves=moves,
        result=record.result,
        thoughts=_thoughts(record, moves),
        tags=dict(record.tags),
        clocks=tuple(None if clock == NO_CLOCK else clock for clock in record.clocks),
    )


def _thoughts(record: _core.RawGame, moves: Sequence[Move]) -> tuple[Decision | None, ...]:
    values, best, lines = record.values, record.best, record.lines
    thoughts: list[Decision | None] = []
    side = record.start.turn
    for ply, centipawns in enumerate(values[: len(moves)]):
        if centipawns == NO_VALUE:
            thoughts.append(None)
        else:
            move = best[ply] if best and best[ply] != NO_MOVE else moves[ply]
            line = tuple(lines[ply]) if lines else ()
            thoughts.append(Decision(move, value_from_centipawns(centipawns, side), line, nodes=0))
        side = side.other
    return tuple(thoughts)
