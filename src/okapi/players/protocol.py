"""What UCI and XBoard have in common, seen from an Engine: a question, and an answer with its lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from okapi.core import Limits, Line, Move, Position, Value
from okapi.errors import InvalidMove, OkapiError, PlayerCheated

__all__ = ["EngineProtocol", "Reply", "legal_move", "parse_line"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a program answered."""

    move: Move
    lines: tuple[Line, ...]
    """Best first; empty if it did not say what it thought."""
    nodes: int
    seconds: float
    """From the question to the answer."""
    queued: float
    """For how long of that the answer lay there, while we were waiting for a processor."""
    warnings: tuple[str, ...] = field(default=())
    """What is wrong with the answer, though the move is legal."""


class EngineProtocol(Protocol):
    """A way to talk to a program."""

    name: str
    """As the program calls itself."""
    quit_command: str
    """What makes it end."""

    def handshake(self, deadline: float) -> None:
        """Find out whether it understands: PlayerCrashed, PlayerSilent."""
        ...

    def configure(self, options: Mapping[str, str | int | bool]) -> None:
        """Set its options; UsageError if it has no such."""
        ...

    def new_game(self, chess960: bool) -> None:
        """Tell it to forget the last game."""
        ...

    def ask(self, position: Position, limits: Limits, patience: float) -> Reply:
        """Ask for a move; wait no longer than `patience` seconds."""
        ...

    def stop(self) -> None:
        """Ask it to answer now."""
        ...


def legal_move(name: str, position: Position, text: str) -> Move:
    """The move that a program wrote: PlayerCheated if there is none such."""
    try:
        return position.move(text)
    except InvalidMove:
        raise PlayerCheated(f"{name} answered {text[:40]!r}, which is no move, in {position.fen()}") from None
    except OkapiError:
        raise PlayerCheated(f"{name} played the illegal move {text[:40]} in {position.fen()}") from None


def parse_line(position: Position, words: Sequence[str], value: Value, depth: int) -> tuple[Line, str]:
    """The line that a program expects, as far as it makes sense, and what is wrong with it, if anything."""
    ahead = position.copy()
    moves: list[Move] = []
    for word in words:
        if ahead.ending() is not None and ahead.plies > position.plies:
            return Line(tuple(moves), value, depth), "line goes on after the end of the game"
        try:
            moves.append(ahead.play(word))
        except OkapiError:
            return Line(tuple(moves), value, depth), "illegal move in its line"
    return Line(tuple(moves), value, depth), ""
