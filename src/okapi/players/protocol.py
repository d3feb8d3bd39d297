"""What UCI and XBoard have in common: an engine is asked for a move, and replies with a move and its lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from okapi.core import Limits, Line, Move, Position, Value
from okapi.errors import InvalidMove, OkapiError, PlayerCheated


@dataclass(frozen=True, slots=True)
class Reply:
    move: Move
    lines: tuple[Line, ...]
    """Best first; empty if it sent none."""
    nodes: int
    seconds: float
    """From `go` to the move."""
    queued: float
    """Seconds of these in which the answer was there, but this thread waited for a processor."""
    warnings: tuple[str, ...] = field(default=())
    """What is wrong with the reply, though the move is legal."""


class EngineProtocol(Protocol):
    """A protocol, seen from the program that asks."""

    name: str
    quit_command: str

    def handshake(self, deadline: float) -> None:
        """Start the protocol; raises PlayerCrashed or PlayerSilent."""
        ...

    def configure(self, options: Mapping[str, str | int | bool]) -> None:
        """Set options; UsageError for unknown ones."""
        ...

    def new_game(self, chess960: bool) -> None: ...

    def ask(self, position: Position, limits: Limits, timeout: float) -> Reply:
        """Ask for a move; wait at most `timeout` seconds."""
        ...

    def stop(self) -> None:
        """Ask for the move at once."""
        ...


def legal_move(name: str, position: Position, text: str) -> Move:
    """The move that an engine sent; PlayerCheated if it is not legal."""
    try:
        return position.move(text)
    except InvalidMove:
        raise PlayerCheated(f"{name} answered {text[:40]!r}, which is no move, in {position.fen()}") from None
    except OkapiError:
        raise PlayerCheated(f"{name} played the illegal move {text[:40]} in {position.fen()}") from None


def parse_line(position: Position, words: Sequence[str], value: Value, depth: int) -> tuple[Line, str]:
    """The principal variation as far as it is legal, and a warning if something is wrong with it."""
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
