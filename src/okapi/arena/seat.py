"""Where a player sits in the arena: started when needed, timed, and started again after it failed."""

from time import perf_counter
from typing import Final, Protocol

from okapi.core import Limits, Line, Position
from okapi.errors import OkapiError, PlayerCheated, PlayerCrashed, PlayerFailed
from okapi.players import AlphaBeta, Engine, Player, parse_player
from okapi.players.dialect import Reply
from okapi.players.engine import DIALECTS
from okapi.players.limited import Draw
from okapi.players.spec import Leash, engine_options, kind_of, leash_of, throws_dice

__all__ = ["EngineSeat", "LimitedSeat", "PlayerSeat", "Seat", "is_engine", "seat_for"]

STARTUP_S: Final = 10.0
AGAIN_S: Final = 2.0
"""For a program to say what it is; the second is for one that never did before."""


class Seat(Protocol):
    """A player at the board."""

    def begin(self, chess960: bool, seed: int) -> None:
        """Get ready for a game: PlayerFailed."""
        ...

    def answer(self, position: Position, limits: Limits, patience: float) -> Reply:
        """Choose a move within `patience` seconds: PlayerFailed."""
        ...

    def over(self, result: str, reason: str, failed: bool) -> None:
        """The game has ended; `failed` if it did because of this player."""
        ...

    def close(self) -> None:
        """Leave."""
        ...


def is_engine(spec: str) -> bool:
    """Is this player another program?"""
    return kind_of(spec)[0] in DIALECTS


def seat_for(spec: str) -> Seat:
    """A seat for the player that a specification stands for."""
    leash = leash_of(spec)
    if leash is not None:
        return LimitedSeat(seat_for(leash.player), leash)
    return EngineSeat(spec) if is_engine(spec) else PlayerSeat(spec)


class EngineSeat:
    """Another program, in a process of its own."""

    def __init__(self, spec: str) -> None:
        self._dialect, rest = kind_of(spec)
        self._command, self._options = engine_options(rest)
        self._engine: Engine | None = None
        self._patience = STARTUP_S

    def begin(self, chess960: bool, seed: int) -> None:
        """Start the program, unless it still runs from the last game."""
        if self._engine is None:
            try:
                self._engine = Engine(
                    self._command, options=self._options, dialect=self._dialect, startup_seconds=self._patience
                )
            except PlayerFailed:
                self._patience = AGAIN_S
                raise
            self._patience = STARTUP_S
        self._engine.new_game(chess960)

    def answer(self, position: Position, limits: Limits, patience: float) -> Reply:
        """Ask the program."""
        if self._engine is None:
            raise PlayerCrashed(f"{self._command} is not running")
        return self._engine.ask(position, limits, patience)

    def over(self, result: str, reason: str, failed: bool) -> None:
        """Tell it the result; one that failed is ended, and started again for its next game."""
        if self._engine is None:
            return
        try:
            if failed:
                self._engine.kill()
            elif self._engine.reusable:
                self._engine.game_over(result, reason)
                return
            else:
                self._engine.close()
        except PlayerFailed:
            self._engine.kill()
        self._engine = None

    def close(self) -> None:
        """End the program."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None


class PlayerSeat:
    """A player inside this process."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._throws_dice = throws_dice(spec)
        self._player: Player | None = None

    def begin(self, chess960: bool, seed: int) -> None:
        """Forget the last game, so that a game depends on nothing but its number."""
        if self._player is None or self._throws_dice:
            self._player = parse_player(self._spec, seed=seed) if self._throws_dice else parse_player(self._spec)
        elif isinstance(self._player, AlphaBeta):
            self._player.new_game()

    def answer(self, position: Position, limits: Limits, patience: float) -> Reply:
        """Let it choose. Nobody can interrupt it: one that hangs here hangs this process."""
        assert self._player is not None
        begun = perf_counter()
        try:
            decision = self._player.choose(position, limits)
        except OkapiError:
            raise
        except Exception as error:
            raise PlayerCrashed(f"{self._spec} failed: {type(error).__name__}: {error}") from error
        seconds = perf_counter() - begun
        if not position.is_legal(decision.move):
            raise PlayerCheated(f"{self._spec} played the illegal move {decision.move} in {position.fen()}")
        lines = decision.lines or ((Line(decision.line, decision.value, decision.depth),) if decision.nodes else ())
        return Reply(decision.move, lines[:1], decision.nodes, seconds, 0.0)

    def over(self, result: str, reason: str, failed: bool) -> None:
        """One that failed is made anew for its next game."""
        if failed:
            self._player = None

    def close(self) -> None:
        """Nothing is left behind."""
        self._player = None


class LimitedSeat:
    """Somebody who gets a drawn number of nodes for each move, and no other limit than patience."""

    def __init__(self, seat: Seat, leash: Leash) -> None:
        self._seat = seat
        self._leash = leash

    def begin(self, chess960: bool, seed: int) -> None:
        """Get ready; the numbers belong to the game, whoever plays it."""
        self._draw = Draw(self._leash.low, self._leash.high, seed=seed ^ (self._leash.seed or 0))
        self._seat.begin(chess960, seed)

    def answer(self, position: Position, limits: Limits, patience: float) -> Reply:
        """Draw, and let the other one choose."""
        return self._seat.answer(position, Limits(nodes=self._draw.next(), only=limits.only), patience)

    def over(self, result: str, reason: str, failed: bool) -> None:
        """Pass it on."""
        self._seat.over(result, reason, failed)

    def close(self) -> None:
        """Leave."""
        self._seat.close()
