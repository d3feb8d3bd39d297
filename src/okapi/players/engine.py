"""Another program, spoken to in UCI; python-chess does the talking."""

import shlex
from types import TracebackType
from typing import Self

import chess
import chess.engine

from okapi.core import Clock, Decision, Limits, Line, Position, Value
from okapi.core.explain import over
from okapi.core.interop import to_chess_move
from okapi.errors import OkapiError, PlayerFailed

__all__ = ["Engine"]


class Engine:
    """A UCI program as a player. Close it, or use it in a `with`."""

    def __init__(
        self,
        command: str | list[str],
        *,
        options: dict[str, str | int | bool] | None = None,
        multipv: int = 1,
        startup_seconds: float = 10.0,
    ) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else command
        self.multipv = multipv
        try:
            self._engine = chess.engine.SimpleEngine.popen_uci(self.command, timeout=startup_seconds)
            self._engine.configure(options or {})
        except (OSError, IndexError) as error:
            raise PlayerFailed(
                f"`{command}` cannot be started: {error}", hint="give the path of a UCI engine"
            ) from None
        except (chess.engine.EngineError, TimeoutError) as error:
            raise PlayerFailed(f"`{command}` does not speak UCI: {error or 'no answer'}") from None
        self.name = str(self._engine.id.get("name", self.command[0]))
        """As the program calls itself."""

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Ask the program. PlayerFailed if it crashes, hangs or cheats."""
        if not position.legal_moves():
            raise over(position)
        board = position.to_chess()
        only = [to_chess_move(move) for move in limits.only] or None
        try:
            return self._ask(position, board, _limit(limits), only)
        except (chess.engine.EngineError, TimeoutError, OkapiError) as error:
            raise PlayerFailed(f"{self.name} failed in {position.fen()}: {error or 'no answer'}") from None

    def _ask(
        self, position: Position, board: chess.Board, limit: chess.engine.Limit, only: list[chess.Move] | None
    ) -> Decision:
        everything = chess.engine.INFO_ALL
        if self.multipv > 1:
            infos = self._engine.analyse(board, limit, multipv=self.multipv, root_moves=only, info=everything)
        else:
            played = self._engine.play(board, limit, root_moves=only, info=everything)
            if played.move is None:
                raise PlayerFailed("it played no move")
            infos = [played.info]
            if played.info.get("pv", [None])[0] != played.move:
                infos = [{**played.info, "pv": [played.move]}]
        lines = tuple(_line(position, info) for info in infos if info.get("pv"))
        if not lines:
            raise PlayerFailed("it answered without a line")
        best = lines[0]
        return Decision(best.moves[0], best.value, best.moves, infos[0].get("nodes", 0), best.depth, lines)

    def close(self) -> None:
        """Tell the program to quit."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _limit(limits: Limits) -> chess.engine.Limit:
    def seconds(milliseconds: int | None) -> float | None:
        return None if milliseconds is None else milliseconds / 1000

    def clock(clock: Clock | None) -> tuple[float | None, float | None]:
        return (None, None) if clock is None else (clock.time_ms / 1000, clock.increment_ms / 1000)

    white, white_increment = clock(limits.white)
    black, black_increment = clock(limits.black)
    return chess.engine.Limit(
        depth=limits.depth,
        nodes=limits.nodes,
        time=seconds(limits.movetime_ms),
        mate=limits.mate,
        white_clock=white,
        white_inc=white_increment,
        black_clock=black,
        black_inc=black_increment,
        remaining_moves=limits.moves_to_go,
    )


def _line(position: Position, info: chess.engine.InfoDict) -> Line:
    ahead = position.copy()
    moves = tuple(ahead.play(move.uci()) for move in info["pv"])
    score = info.get("score")
    if score is None:
        return Line(moves, Value(0.5, position.turn), info.get("depth", 0))
    relative = score.pov(chess.WHITE if position.turn.name == "WHITE" else chess.BLACK)
    mate, centipawns = relative.mate(), relative.score()
    value = (
        Value.from_mate(mate, position.turn)
        if mate is not None
        else Value.from_centipawns(centipawns or 0, position.turn)
    )
    return Line(moves, value, info.get("depth", 0))
