"""One game: players, clocks, rules and adjudication."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter, time
from typing import Final, TypeAlias

from okapi.arena.games import Fault, MoveInfo, MoveWarning, OngoingGame, Pairing, PlayedGame
from okapi.arena.settings import AdjudicationRules, GameSettings, GivenPlayer
from okapi.arena.time_control import Clocks
from okapi.core import Color, Evaluator, Limits, Line, Position, Value
from okapi.errors import OkapiError, PlayerCheated, PlayerCrashed, PlayerFailed, PlayerResigned, PlayerSilent
from okapi.formats.syzygy import Tables
from okapi.players import AlphaBeta, Engine, Player, PythonPlayer, parse_player
from okapi.players.player import NodeSampler
from okapi.players.protocol import Reply, loss_of
from okapi.players.spec import LimitedSpec, is_engine, limited_spec, needs_seed, start_engine

STARTUP_S: Final = 10.0
RESTART_S: Final = 2.0
"""Time for a program to answer the handshake; the second is for a program that failed to before."""


class PlayerSlot:
    """A player in a game: started when needed, and started again after a failure."""

    def new_game(self, chess960: bool, seed: int) -> None:
        """Prepare for a game; raises PlayerFailed."""

    def choose(self, position: Position, limits: Limits, timeout: float) -> Reply:
        """Choose a move within `timeout` seconds; raises PlayerFailed."""
        raise NotImplementedError

    def end_game(self, result: str, reason: str, failed: bool) -> None:
        """The game is over; a player that `failed` is made again for its next game."""
        if failed:
            self.close()

    def close(self) -> None: ...


def make_slot(spec: GivenPlayer) -> PlayerSlot:
    if isinstance(spec, Evaluator):
        return InProcessSlot(AlphaBeta(evaluate=spec))
    if not isinstance(spec, str):
        return InProcessSlot(spec)
    limited = limited_spec(spec)
    if limited is not None:
        return LimitedSlot(make_slot(limited.player), limited)
    return ProgramSlot(spec) if is_engine(spec) else InProcessSlot(spec)


class ProgramSlot(PlayerSlot):
    def __init__(self, spec: str) -> None:
        self._spec, self._startup_s = spec, STARTUP_S
        self._engine: Engine | None = None

    def new_game(self, chess960: bool, seed: int) -> None:
        """Start the program, unless it still runs."""
        if self._engine is None:
            timeout, self._startup_s = self._startup_s, RESTART_S
            self._engine = start_engine(self._spec, startup_seconds=timeout)
            self._startup_s = STARTUP_S
        self._engine.new_game(chess960)

    def choose(self, position: Position, limits: Limits, timeout: float) -> Reply:
        assert self._engine is not None
        return self._engine.ask(position, limits, timeout)

    def end_game(self, result: str, reason: str, failed: bool) -> None:
        """Tell the program the result; end it if it failed or cannot play another game."""
        if self._engine is None:
            return
        try:
            if not failed and self._engine.reusable:
                self._engine.game_over(result, reason)
                return
        except PlayerFailed:
            failed = True
        if failed:
            self._engine.kill()
        self.close()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


class InProcessSlot(PlayerSlot):
    def __init__(self, spec: str | Player) -> None:
        self._spec = spec
        self._needs_seed = isinstance(spec, str) and needs_seed(spec)
        self._player: Player | None = None

    def new_game(self, chess960: bool, seed: int) -> None:
        """Reset the player: a game depends on its number alone."""
        if not isinstance(self._spec, str):
            self._player = self._spec
        elif self._player is None or self._needs_seed:
            self._player = parse_player(self._spec, seed=seed) if self._needs_seed else parse_player(self._spec)
        if isinstance(self._player, AlphaBeta | PythonPlayer):
            self._player.new_game()

    def choose(self, position: Position, limits: Limits, timeout: float) -> Reply:
        """Let the player choose. It cannot be interrupted: a player that hangs stops this process."""
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

    def close(self) -> None:
        self._player = None


class LimitedSlot(PlayerSlot):
    """A player that gets a random number of nodes for each move, and no other limit."""

    def __init__(self, slot: PlayerSlot, limited: LimitedSpec) -> None:
        self._slot = slot
        self._leash = limited

    def new_game(self, chess960: bool, seed: int) -> None:
        """The numbers of nodes depend on the game, not on the worker."""
        self._sampler = NodeSampler(self._leash.low, self._leash.high, seed=seed ^ (self._leash.seed or 0))
        self._slot.new_game(chess960, seed)

    def choose(self, position: Position, limits: Limits, timeout: float) -> Reply:
        return self._slot.choose(position, Limits(nodes=self._sampler.next(), only=limits.only), timeout)

    def end_game(self, result: str, reason: str, failed: bool) -> None:
        self._slot.end_game(result, reason, failed)

    def close(self) -> None:
        self._slot.close()


@dataclass
class Adjudicator:
    """Decides whether one game is over before the rules say so."""

    rules: AdjudicationRules
    tables: Tables | None = None
    """Opened here, not in the core: otherwise the search would use them, too."""
    _decided: int = field(default=0, init=False)
    _level: int = field(default=0, init=False)

    def adjudicate(self, position: Position, value: Value | None) -> tuple[str, str] | None:
        """Result and reason, if the game ends in `position`; `value` is the evaluation of the player that moved."""
        return self._by_tables(position) or self._by_evaluations(position, value)

    def _by_tables(self, position: Position) -> tuple[str, str] | None:
        """The tables' result. It is exact only after a capture or pawn move, when the fifty-move counter is 0."""
        verdict = self.tables.verdict(position) if self.tables and position.halfmove_clock == 0 else None
        if verdict is None:
            return None
        mover = (verdict == 2) - (verdict == -2)  # a win that the fifty-move rule makes a draw is ±1
        return RESULTS[mover if position.turn is Color.WHITE else -mover], "adjudication: tablebase"

    def _by_evaluations(self, position: Position, value: Value | None) -> tuple[str, str] | None:
        """The result on which both players' evaluations agree for some moves."""
        if value is None:
            self._decided = self._level = 0
            return None
        rules, white = self.rules, value.for_side(Color.WHITE).centipawns
        ahead = 0 if rules.resign_score is None or abs(white) < rules.resign_score else 1 if white > 0 else -1
        self._decided = self._decided + ahead if self._decided * ahead > 0 else ahead
        if ahead and abs(self._decided) >= 2 * rules.resign_moves:
            return RESULTS[ahead], "adjudication: both see it decided"
        late = position.fullmove_number - (position.turn is Color.WHITE) >= rules.draw_after
        level = late and rules.draw_score is not None and abs(white) <= rules.draw_score and position.halfmove_clock > 0
        self._level = self._level + 1 if level else 0
        agreed = level and self._level >= 2 * rules.draw_moves
        return (RESULTS[0], "adjudication: both see it drawn") if agreed else None


RESULTS: Final = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
"""By who is ahead: White, nobody, Black."""

GRACE_S: Final = 1.0
"""Time to wait for a player that has lost on time, to learn how late it is and whether it still runs."""

OnMove: TypeAlias = Callable[[OngoingGame], object]
"""Gets a game after each of its moves."""

FAULT_OF_ERROR: Final = {PlayerCrashed: Fault.CRASH, PlayerCheated: Fault.ILLEGAL, PlayerSilent: Fault.STALL}


@dataclass(frozen=True)
class GameEnding:
    result: str
    reason: str
    fault: Fault | None = None
    broken: bool = False
    """The loser must be started again."""
    traceback: str = ""


class Referee:
    def __init__(self, settings: GameSettings, on_move: OnMove = lambda game: None) -> None:
        self._settings, self._control, self._on_move = settings, settings.control, on_move
        self._tables = None if settings.adjudication.tablebase is None else Tables(settings.adjudication.tablebase)

    def play(self, pairing: Pairing, slots: Mapping[Color, PlayerSlot], seeds: Mapping[Color, int]) -> PlayedGame:
        """Play one game. It has a result, whatever the players do; UsageError if a player cannot play it at all."""
        game = _Game(pairing, Position.from_fen(pairing.fen))
        begun, when = perf_counter(), time()
        ending = self._play(game, slots, seeds)
        loser = {"1-0": Color.BLACK, "0-1": Color.WHITE}.get(ending.result)
        for side, slot in slots.items():
            slot.end_game(ending.result, ending.reason, failed=ending.broken and side is loser)
        outcome = ending.result, ending.reason, ending.fault
        course = tuple(game.moves), tuple(game.infos), tuple(game.warnings)
        return PlayedGame(pairing, *outcome, *course, perf_counter() - begun, when, ending.traceback)

    def _play(self, game: "_Game", slots: Mapping[Color, PlayerSlot], seeds: Mapping[Color, int]) -> GameEnding:
        for side, slot in slots.items():
            try:
                slot.new_game(self._settings.chess960, seeds[side])
            except PlayerFailed as error:
                return _failed(side, error)
        position, clocks = game.position, Clocks(self._control)
        adjudicator = Adjudicator(self._settings.adjudication, self._tables)
        while (reason := position.ending()) is None:
            side = position.turn
            allowed = clocks.allowed(side)
            timeout = allowed + GRACE_S if self._control.timed else self._control.stall_s
            try:
                reply = slots[side].choose(position, clocks.limits(side), timeout)
            except PlayerSilent as error:
                if not self._control.timed:
                    return _failed(side, error)
                return GameEnding(loss_of(side), f"{side.name.capitalize()} lost on time: no answer", Fault.TIME, True)
            except PlayerFailed as error:
                return _failed(side, error)
            late = reply.seconds - reply.queued - allowed
            if late > 0:
                over = (late + self._control.margin_s) * 1000
                return GameEnding(loss_of(side), f"{side.name.capitalize()} lost on time by {over:.0f} ms", Fault.TIME)
            clocks.press(side, reply.seconds)
            value = game.note(reply, self._settings.chess960, self._settings.lines)
            self._on_move(OngoingGame(game.pairing, tuple(game.moves), game.infos[-1]))
            verdict = adjudicator.adjudicate(position, value) if position.ending() is None else None
            if verdict is not None:
                return GameEnding(*verdict)
            if len(game.moves) == self._settings.max_plies and position.ending() is None:
                return GameEnding("*", "adjudication: too long")
        return GameEnding(position.result(), reason)


@dataclass
class _Game:
    pairing: Pairing
    position: Position
    moves: list[str] = field(default_factory=list)
    infos: list[MoveInfo] = field(default_factory=list)
    warnings: list[MoveWarning] = field(default_factory=list)

    def note(self, reply: Reply, chess960: bool, lines: bool) -> Value | None:
        """Play the move; returns its player's evaluation."""
        player = self.pairing.player(self.position.turn)
        best = reply.lines[0] if reply.lines else None
        value, depth, line = (None, 0, ()) if best is None else (best.value, best.depth, best.moves)
        text = tuple(self.position.uci(move, chess960) for move in line) if lines else ()
        self.moves.append(self.position.uci(reply.move, chess960))
        self.position.play(reply.move)
        self.infos.append(MoveInfo.of(value, depth, reply.nodes, reply.seconds, text))
        self.warnings += [MoveWarning(player, warning) for warning in reply.warnings]
        return value


def _failed(side: Color, error: PlayerFailed) -> GameEnding:
    if isinstance(error, PlayerResigned):
        return GameEnding(loss_of(side), f"{side.name.capitalize()} resigned")
    fault = FAULT_OF_ERROR.get(type(error), Fault.CRASH)
    return GameEnding(loss_of(side), str(error), fault, broken=True, traceback=error.traceback)
