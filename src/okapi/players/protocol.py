"""What UCI and XBoard have in common: an engine is asked for a move, and replies with a move and its lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from okapi.core import Color, Limits, Line, Move, Position, Value
from okapi.errors import InvalidMove, OkapiError, PlayerCheated, PlayerSilent, UsageError, did_you_mean
from okapi.players.process import EngineProcess


@dataclass(frozen=True, slots=True)
class Reply:
    move: Move
    lines: tuple[Line, ...]
    """Best first; empty if it sent none."""
    nodes: int
    seconds: float
    queued: float
    """Seconds of these in which the answer was there, but this thread waited for a processor."""
    warnings: tuple[str, ...] = ()
    """What is wrong with the reply, though the move is legal."""


class EngineProtocol:
    """A protocol, seen from the program that asks."""

    stop_command: str

    def __init__(self, process: EngineProcess) -> None:
        self.name, self._process, self._chess960 = process.name, process, False
        self.options: dict[str, str] = {}
        """The options that the program declared: name, and type with the rest."""

    @property
    def reusable(self) -> bool:
        return True

    def handshake(self, deadline: float) -> None:
        """Start the protocol; raises PlayerCrashed or PlayerSilent."""

    def configure(self, options: Mapping[str, str | int | bool]) -> None:
        """Set options; UsageError for unknown ones."""

    def new_game(self, chess960: bool) -> None:
        raise NotImplementedError

    def ask(self, position: Position, limits: Limits, timeout: float) -> Reply:
        """Ask for a move; wait at most `timeout` seconds."""
        raise NotImplementedError

    def stop(self) -> None:
        self._process.send(self.stop_command)

    def game_over(self, result: str, reason: str) -> None:
        """Tell the program the result, if the protocol has that."""

    def _declared(self, option: str) -> str:
        """An option's name as the program wrote it; UsageError for an unknown one."""
        known = {name.lower(): name for name in self.options}
        if option.lower() not in known:
            raise UsageError(f"{self.name} has no option `{option}`", hint=did_you_mean(option, self.options))
        return known[option.lower()]

    def _receive(self, deadline: float, asked: str) -> str:
        line = self._process.receive(deadline)
        if line is None:
            raise PlayerSilent(f"{self.name} did not answer `{asked}`")
        return line

    def _reply(self, begun: float, move: Move, lines: Sequence[Line], nodes: int, wrong: Sequence[str] = ()) -> Reply:
        """The reply that has just arrived to what was asked at `begun`."""
        noticed = list(wrong)
        if not lines or lines[0].moves[0] != move:
            noticed.append("plays another move than its line begins with" if lines else "no score")
        seconds = self._process.arrived - begun
        return Reply(move, tuple(lines), nodes, seconds, self._process.queued, tuple(noticed))


def loss_of(side: Color) -> str:
    """The result of a game that `side` loses."""
    return "0-1" if side is Color.WHITE else "1-0"


def legal_move(name: str, position: Position, text: str) -> Move:
    """The move that an engine sent; PlayerCheated if it is not legal."""
    try:
        return position.move(text)
    except InvalidMove:
        raise PlayerCheated(f"{name} answered {text[:40]!r}, which is no move, in {position.fen()}") from None
    except OkapiError:
        raise PlayerCheated(f"{name} played the illegal move {text[:40]} in {position.fen()}") from None


def parse_line(position: Position, words: Sequence[str], value: Value, depth: int, played: Move) -> tuple[Line, str]:
    """The principal variation as far as it is legal, else the played move; and a warning if something is wrong."""
    ahead, moves, warning = position.copy(), list[Move](), ""
    for word in words:
        if moves and ahead.ending() is not None:
            warning = "line goes on after the end of the game"
            break
        try:
            moves.append(ahead.play(word))
        except OkapiError:
            warning = "illegal move in its line"
            break
    return Line(tuple(moves) or (played,), value, depth), warning
