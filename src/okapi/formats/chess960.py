"""The 960 starts of Chess960 by their usual numbers."""

import chess

from okapi.core import Position

__all__ = ["chess960_start"]


def chess960_start(number: int) -> Position:
    """The start of that number, 0 to 959; 518 is the start of standard chess.

    >>> chess960_start(518) == Position.start(), chess960_start(0).fen()[:8]
    (True, 'bbqnnrkr')
    """
    return Position.from_fen(chess.Board.from_chess960_pos(number).shredder_fen())
