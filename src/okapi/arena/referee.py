"""One game: asks, watches the clocks, knows the rules, and says who won and why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter, time
from typing import Final

from okapi.arena.adjudication import Adjudication, Adjudicator
from okapi.arena.control import Clocks, Control
from okapi.arena.played import Fault, Pairing, Played, Thought, Underway, Warned
from okapi.arena.seat import Seat
from okapi.core import Color, Position, Value
from okapi.errors import PlayerCheated, PlayerCrashed, PlayerFailed, PlayerResigned, PlayerSilent
from okapi.formats.syzygy import Tables
from okapi.players.dialect import Reply

__all__ = ["Referee"]

GRACE_S: Final = 1.0
"""How long we still listen to a player that has lost on time, to know how late it was and whether it lives."""

FAULTS: Final = {PlayerCrashed: Fault.CRASH, PlayerCheated: Fault.ILLEGAL, PlayerSilent: Fault.STALL}


@dataclass(frozen=True)
class Ending:
    """How a game ended."""

    result: str
    reason: str
    fault: Fault | None = None
    broken: bool = False
    """The loser can no longer be relied upon: it has to be started again."""


@dataclass
class Referee:
    """Plays games by the same rules."""

    control: Control
    adjudication: Adjudication = field(default_factory=Adjudication)
    chess960: bool = False
    max_plies: int = 0
    """Games that are longer have no result; 0: all are played to their end."""
    lines: bool = False
    """Keep the line that was expected at each move."""
    on_move: Callable[[Underway], object] | None = None
    """Told of the game after each move."""

    def __post_init__(self) -> None:
        path = self.adjudication.tablebase
        self._tables = None if path is None else Tables(path)

    def play(self, pairing: Pairing, seats: Mapping[Color, Seat], seeds: Mapping[Color, int]) -> Played:
        """Play one game. Whatever the players do, it ends with a result; UsageError if it could never be played."""
        game = _Game(pairing, Position.from_fen(pairing.fen))
        begun, when = perf_counter(), time()
        ending = self._seated(seats, seeds) or self._play(game, seats)
        loser = {"1-0": Color.BLACK, "0-1": Color.WHITE}.get(ending.result)
        for side, seat in seats.items():
            seat.over(ending.result, ending.reason, failed=ending.broken and side is loser)
        return Played(
            pairing,
            ending.result,
            ending.reason,
            ending.fault,
            tuple(game.moves),
            tuple(game.thoughts),
            tuple(game.warnings),
            perf_counter() - begun,
            when,
        )

    def _seated(self, seats: Mapping[Color, Seat], seeds: Mapping[Color, int]) -> Ending | None:
        for side, seat in seats.items():
            try:
                seat.begin(self.chess960, seeds[side])
            except PlayerFailed as error:
                return _failed(side, error)
        return None

    def _play(self, game: "_Game", seats: Mapping[Color, Seat]) -> Ending:
        position, clocks = game.position, Clocks(self.control)
        adjudicator = Adjudicator(self.adjudication, self._tables)
        while (reason := position.ending()) is None:
            side = position.turn
            allowed = clocks.allowed(side)
            patience = allowed + GRACE_S if self.control.timed else self.control.stall_s
            try:
                reply = seats[side].answer(position, clocks.limits(side), patience)
            except PlayerSilent as error:
                if not self.control.timed:
                    return _failed(side, error)
                return Ending(_lost(side), f"{side.name.capitalize()} lost on time: no answer", Fault.TIME, True)
            except PlayerFailed as error:
                return _failed(side, error)
            late = reply.seconds - reply.queued - allowed
            if late > 0:
                over = (late + self.control.margin_s) * 1000
                return Ending(_lost(side), f"{side.name.capitalize()} lost on time by {over:.0f} ms", Fault.TIME)
            clocks.press(side, reply.seconds)
            value = game.note(reply, self.chess960, self.lines)
            if self.on_move is not None:
                self.on_move(Underway(game.pairing, tuple(game.moves), game.thoughts[-1]))
            verdict = adjudicator.judge(position, value) if position.ending() is None else None
            if verdict is not None:
                return Ending(*verdict)
            if len(game.moves) == self.max_plies and position.ending() is None:
                return Ending("*", "adjudication: too long")
        return Ending(position.result(), reason)


class _Game:
    """A game that is being played, and its score sheet."""

    def __init__(self, pairing: Pairing, start: Position) -> None:
        self.pairing = pairing
        self.position = start
        self.moves: list[str] = []
        self.thoughts: list[Thought] = []
        self.warnings: list[Warned] = []
        self._players = {Color.WHITE: pairing.white, Color.BLACK: pairing.black}

    def note(self, reply: Reply, chess960: bool, lines: bool) -> Value | None:
        """Play the move; what its player thinks of it."""
        side = self.position.turn
        line = reply.lines[0].moves if lines and reply.lines else ()
        text = tuple(self.position.uci(move, chess960) for move in line)
        self.moves.append(self.position.uci(reply.move, chess960))
        self.position.play(reply.move)
        value = reply.lines[0].value if reply.lines else None
        self.thoughts.append(
            Thought(
                None if value is None or value.mate is not None else value.centipawns,
                None if value is None else value.mate,
                reply.lines[0].depth if reply.lines else 0,
                reply.nodes,
                reply.seconds,
                text,
            )
        )
        self.warnings += [Warned(self._players[side], warning) for warning in reply.warnings]
        return value


def _failed(side: Color, error: PlayerFailed) -> Ending:
    """The end of a game that a player could not play on."""
    if isinstance(error, PlayerResigned):
        return Ending(_lost(side), f"{side.name.capitalize()} resigned")
    return Ending(_lost(side), str(error), FAULTS.get(type(error), Fault.CRASH), broken=True)


def _lost(side: Color) -> str:
    return "0-1" if side is Color.WHITE else "1-0"
