"""An engine in another process as a player."""

import math
import shlex
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Final

from okapi.core import Decision, Limits, Position, Value
from okapi.core.move_errors import over
from okapi.errors import PlayerCrashed, PlayerFailed, PlayerResigned, PlayerSilent, UsageError
from okapi.files import Closable
from okapi.players.process import EngineProcess
from okapi.players.protocol import EngineProtocol, Reply
from okapi.players.uci import UciProtocol
from okapi.players.xboard import XboardProtocol

PROTOCOLS: Final[dict[str, Callable[[EngineProcess], EngineProtocol]]] = {"uci": UciProtocol, "xboard": XboardProtocol}

ANSWER_TIMEOUT_S: Final = 60.0
"""Time to wait for a move beyond the limits."""


class Engine(Closable):
    """A UCI or XBoard program as a player. Close it, or use it in a `with`."""

    def __init__(
        self,
        command: str | list[str],
        *,
        options: Mapping[str, str | int | bool] | None = None,
        protocol: str = "uci",
        multipv: int = 1,
        startup_seconds: float = 10.0,
        thread_stays: bool = False,
    ) -> None:
        """Start the program and set its options; PlayerFailed if it does not answer, UsageError for unknown options."""
        self.command = shlex.split(command) if isinstance(command, str) else command
        self.options = {**(options or {}), **({"MultiPV": multipv} if multipv > 1 else {})}
        self.process = EngineProcess(self.command, thread_stays=thread_stays)
        """For callers that write to it directly."""
        self._protocol = PROTOCOLS[protocol](self.process)
        try:
            self._handshake(protocol, startup_seconds)
            self._protocol.configure(self.options)
        except BaseException:
            self.process.kill()
            raise

    @property
    def name(self) -> str:
        return self._protocol.name

    @property
    def pid(self) -> int:
        """Its process, and its process group."""
        return self.process.pid

    @property
    def reusable(self) -> bool:
        """Can it play another game without being restarted?"""
        return self._protocol.reusable

    def new_game(self, chess960: bool = False) -> None:
        self._protocol.new_game(chess960)

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Ask the program for a move; PlayerFailed if it crashes, hangs or plays an illegal move."""
        if not position.legal_moves():
            raise over(position)
        try:
            clock = limits.clock(position.turn)
            allowed_ms = limits.movetime_ms or (math.inf if clock is None else clock.time_ms)
            reply = self.ask(position, limits, allowed_ms / 1000 + ANSWER_TIMEOUT_S)
        except (PlayerResigned, UsageError):
            raise
        except PlayerFailed as error:
            raise type(error)(f"{self.name} failed in {position.fen()}: {error}", hint=error.hint) from None
        if not reply.lines:
            return Decision(reply.move, Value(0.5, position.turn), (reply.move,), reply.nodes)
        best = reply.lines[0]
        line = best.moves if best.moves[0] == reply.move else (reply.move,)
        return Decision(reply.move, best.value, line, reply.nodes, best.depth, reply.lines)

    def ask(self, position: Position, limits: Limits, timeout: float) -> Reply:
        """The same within `timeout` seconds, with the time used and warnings."""
        return self._protocol.ask(position, limits, timeout)

    def stop(self) -> None:
        """Stop the search; from any thread."""
        self._protocol.stop()

    def game_over(self, result: str, reason: str) -> None:
        """Tell the program the result, if its protocol has that."""
        self._protocol.game_over(result, reason)

    def close(self) -> None:
        self.process.close()

    def kill(self) -> None:
        self.process.kill()

    def _handshake(self, protocol: str, seconds: float) -> None:
        try:
            self._protocol.handshake(perf_counter() + seconds)
        except (PlayerCrashed, PlayerSilent) as error:
            spoken, other = ("UCI", "xboard") if protocol == "uci" else ("XBoard", "uci")
            command = shlex.join(self.command)
            hint = f"if it speaks another protocol, write {other}:{command}"
            raise type(error)(f"`{command}` does not speak {spoken}: {error}", hint=hint) from None
