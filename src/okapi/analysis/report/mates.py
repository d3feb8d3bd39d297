"""Mates proven by trying every defence."""

from okapi.core import Move, Position
from okapi.core._core import mate_in_one

__all__ = ["LONGEST_PROOF", "forces_mate", "mates_within"]

LONGEST_PROOF = 3
"""Moves. Longer mates have too many defences to try them all."""


def forces_mate(position: Position, move: Move, moves: int) -> bool:
    """Does `move` mate within so many moves, itself included, whatever is answered?

    >>> position = Position.from_fen("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    >>> forces_mate(position, position.move("Kf7"), 2), forces_mate(position, position.move("Rg7"), 2)
    (True, False)
    """
    after = position.after(move)
    replies = after.legal_moves()
    if not replies:
        return after.is_checkmate()
    return moves > 1 and all(mates_within(after.after(reply), moves - 1) for reply in replies)


def mates_within(position: Position, moves: int) -> bool:
    """Can the side to move force mate within so many moves? Checks are tried first."""
    if moves < 1:
        return False
    if mate_in_one(position) is not None:
        return True
    if moves == 1:
        return False
    tries = sorted(position.legal_moves(), key=lambda move: not position.gives_check(move))
    return any(forces_mate(position, move, moves) for move in tries)
