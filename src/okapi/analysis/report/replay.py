"""A line played out: its positions, what is taken on the way, and what that comes to when the dust has settled."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from okapi.core import Color, Kind, Move, Position

__all__ = ["PAWNS", "Replay", "is_settled", "pawns", "sans"]

PAWNS: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}
"""What a piece is worth."""

HORIZON: Final = 8
"""Plies. What is won later is not won by the first move."""


@dataclass(frozen=True)
class Replay:
    """A line and the positions it goes through. `attacker` is the side that begins."""

    moves: tuple[Move, ...]
    positions: tuple[Position, ...]
    """One more than moves: before each, and after the last."""
    cause: tuple[Position, Move] | None = None
    """The move that led to the line, and the position before it, if the line is what punishes it."""

    @classmethod
    def of(cls, start: Position, moves: Iterable[Move], cause: tuple[Position, Move] | None = None) -> "Replay":
        """Play a line, as far as its moves are legal."""
        position, played, positions = start.copy(), [], [start.copy()]
        for move in moves:
            if not position.try_play(move):
                break
            played.append(move)
            positions.append(position.copy())
        return cls(tuple(played), tuple(positions), cause)

    @property
    def attacker(self) -> Color:
        """The side that moves first."""
        return self.positions[0].turn

    def moved(self, ply: int) -> Kind:
        """What moves at `ply`, before it promotes."""
        piece = self.positions[ply].at(self.moves[ply].from_square)
        assert piece is not None
        return piece.kind

    def taken(self, ply: int) -> Kind | None:
        """What is taken at `ply`."""
        position, move = self.positions[ply], self.moves[ply]
        if not position.is_capture(move):
            return None
        piece = position.at(move.to_square)
        return Kind.PAWN if piece is None else piece.kind

    @cached_property
    def settled(self) -> int:
        """Moves until the last position, not too far off, in which there is nothing to take; 0 if there is none."""
        plies = range(min(len(self.moves), HORIZON), 0, -1)
        return next((ply for ply in plies if is_settled(self.positions[ply])), 0)

    @cached_property
    def gain(self) -> int:
        """Pawns that the attacker has won by then, and keeps as far as the line goes."""
        later = (ply for ply in range(self.settled + 1, len(self.moves) + 1) if is_settled(self.positions[ply]))
        return min(self.gain_after(ply) for ply in (self.settled, *later))

    def gain_after(self, plies: int) -> int:
        """Pawns that the attacker has won after so many moves, settled or not."""
        return pawns(self.positions[plies], self.attacker) - pawns(self.positions[0], self.attacker)

    def spoils(self, side: Color) -> Counter[Kind]:
        """What `side` has taken by then."""
        plies = range(self.settled)
        kinds = (self.taken(ply) for ply in plies if self.positions[ply].turn is side)
        return Counter(kind for kind in kinds if kind is not None)

    def san(self, ply: int) -> str:
        """The move at `ply` as people write it."""
        return self.positions[ply].san(self.moves[ply])


def pawns(position: Position, side: Color) -> int:
    """How many pawns' worth of material `side` is ahead."""
    return sum(PAWNS[piece.kind] * (1 if piece.color is side else -1) for _, piece in position.pieces())


def is_settled(position: Position) -> bool:
    """Is the side to move out of check, and has it nothing to win by taking?

    >>> is_settled(Position.start()), is_settled(Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"))
    (True, False)
    """
    if position.is_checkmate():
        return True
    if position.is_check():
        return False
    return not any(position.is_capture(move) and position.exchange(move) > 0 for move in position.legal_moves())


def sans(start: Position, moves: Iterable[Move]) -> list[str]:
    """A line as people write it."""
    replay = Replay.of(start, moves)
    return [replay.san(ply) for ply in range(len(replay.moves))]
