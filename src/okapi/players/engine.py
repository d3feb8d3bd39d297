"""Another program as a player."""

import shlex
from collections.abc import Callable, Mapping
from time import perf_counter
from types import TracebackType
from typing import Final, Self

from okapi.core import Color, Decision, Limits, Position, Value
from okapi.core.move_errors import over
from okapi.errors import PlayerCrashed, PlayerFailed, PlayerResigned, PlayerSilent, UsageError
from okapi.players.process import EngineProcess
from okapi.players.protocol import EngineProtocol, Reply
from okapi.players.uci import UciProtocol
from okapi.players.xboard import XboardProtocol

__all__ = ["PROTOCOLS", "Engine"]

PROTOCOLS: Final[dict[str, Callable[[EngineProcess], EngineProtocol]]] = {"uci": UciProtocol, "xboard": XboardProtocol}
"""The languages that programs speak."""

ANSWER_TIMEOUT_S: Final = 60.0
"""How long we wait for a move beyond the time that the limits give."""


class Engine:
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
        """Start the program and set its options; PlayerFailed if it does not understand, UsageError if it has none.

        `thread_stays` is a promise, as in Pipe.
        """
        self.command = shlex.split(command) if isinstance(command, str) else command
        self.options = {**(options or {}), **({"MultiPV": multipv} if multipv > 1 else {})}
        self._pipe = EngineProcess(self.command, thread_stays=thread_stays)
        self._talk = PROTOCOLS[protocol](self._pipe)
        try:
            self._handshake(protocol, startup_seconds)
            self._talk.configure(self.options)
        except BaseException:
            self._pipe.kill()
            raise

    @property
    def name(self) -> str:
        """As the program calls itself."""
        return self._talk.name

    @property
    def pid(self) -> int:
        """Its process, and its process group."""
        return self._pipe.pid

    @property
    def reusable(self) -> bool:
        """Can it play another game, or must it be started again?"""
        return getattr(self._talk, "reusable", True)

    @property
    def pipe(self) -> EngineProcess:
        """For somebody who talks to the program without us."""
        return self._pipe

    def new_game(self, chess960: bool = False) -> None:
        """Forget the last game."""
        self._talk.new_game(chess960)

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Ask the program. PlayerFailed if it crashes, hangs or cheats."""
        if not position.legal_moves():
            raise over(position)
        try:
            reply = self.ask(position, limits, _seconds(limits, position.turn) + ANSWER_TIMEOUT_S)
        except (PlayerResigned, UsageError):
            raise
        except PlayerFailed as error:
            raise type(error)(f"{self.name} failed in {position.fen()}: {error}", hint=error.hint) from None
        return decision_from(reply, position.turn)

    def ask(self, position: Position, limits: Limits, patience: float) -> Reply:
        """The same, with the time it took and what was odd about it; it has `patience` seconds."""
        return self._talk.ask(position, limits, patience)

    def stop(self) -> None:
        """Answer now. From any thread."""
        self._talk.stop()

    def game_over(self, result: str, reason: str) -> None:
        """Tell the program how the game ended, if it wants to know."""
        if isinstance(self._talk, XboardProtocol):
            self._talk.game_over(result, reason)

    def close(self) -> None:
        """Tell the program to quit, and see that it does."""
        self._pipe.close(self._talk.quit_command)

    def kill(self) -> None:
        """End the program at once."""
        self._pipe.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _handshake(self, protocol: str, seconds: float) -> None:
        try:
            self._talk.handshake(perf_counter() + seconds)
        except (PlayerCrashed, PlayerSilent) as error:
            other = "xboard" if protocol == "uci" else "uci"
            raise type(error)(
                f"`{shlex.join(self.command)}` does not speak {'UCI' if protocol == 'uci' else 'XBoard'}: {error}",
                hint=f"if it speaks another language, write {other}:{shlex.join(self.command)}",
            ) from None


def decision_from(reply: Reply, side: Color) -> Decision:
    """A reply as everybody else knows it."""
    if not reply.lines:
        return Decision(reply.move, Value(0.5, side), (reply.move,), reply.nodes)
    best = reply.lines[0]
    line = best.moves if best.moves[0] == reply.move else (reply.move,)
    return Decision(reply.move, best.value, line, reply.nodes, best.depth, reply.lines)


def _seconds(limits: Limits, side: Color) -> float:
    """The time that the limits give; no end where they do not speak of time."""
    clock = limits.clock(side)
    given = limits.movetime_ms if limits.movetime_ms is not None else None if clock is None else clock.time_ms
    return float("inf") if given is None else given / 1000
