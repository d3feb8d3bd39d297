"""Analyse: positions and games, analysed by a brain or a program, with a report of the whole game."""

import time
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from okapi.analysis.report import GameAnalysis, JudgedMove, quicker
from okapi.analysis.report.sentences import find_threat
from okapi.core import Color, Decision, Game, Limits, Line, Position
from okapi.errors import OkapiError, UsageError
from okapi.formats.eco import opening
from okapi.formats.epd import chess960_start
from okapi.web.game import LONGEST_GAME
from okapi.web.game_tree import Tree, move_view, read_text, write_tree
from okapi.web.jobs import AnalysisJob, Callbacks, PooledEngine, ProgramPlayer, SearchJob, SearchUpdate, Steps
from okapi.web.messages import Between, Fen, Many, MoveText, Number, PgnText, Text
from okapi.web.panel import Answer, JobPanel, action
from okapi.web.views import line_view, position_view, read_move, side_name, update_view, value_view

EFFORTS: Final = {"quick": Limits(nodes=20_000), "normal": Limits(nodes=100_000), "deep": Limits(nodes=1_000_000)}
"""How closely every position is looked at; what seems a mistake, four times as closely."""

FIRST_LOOK: Final = 1 / 8
"""What the quick first pass costs, in parts of the second."""

CHECK: Final = 8.0
"""The cost of analysing a mistake again: before and after it, four times as long each."""

SUSPECTS: Final = 0.15
"""The share of moves that seem mistakes at first, for the estimate of the time left."""

EVERY_S: Final = 0.2


def write_report(study: GameAnalysis, limits: Limits) -> Steps:
    """Analyse a game, quickly first, and yield the report so far five times a second."""
    progress = _ReportProgress(study)
    for asked, cost, phase in ((quicker(limits), FIRST_LOOK, "first look"), (limits, 1.0, "closer look")):
        for _ in study.deepen(asked):
            progress.done += cost
            if progress.is_due():
                yield progress.view(phase)
    progress.expect(sum(bool(move.mark or move.note) for move in study.moves()))
    yield progress.view("looking again at mistakes")
    for move in study.check(limits):
        progress.done += CHECK
        if progress.is_due():
            yield progress.view(f"looking again: {move.name}")
    yield progress.view("")


class _ReportProgress:
    def __init__(self, study: GameAnalysis) -> None:
        self.study = study
        self.done = 0.0
        self._whole = (1 + FIRST_LOOK + CHECK * SUSPECTS) * (len(study.game.moves) + 1)
        self._share = 0.0
        self._positions = [Position.from_fen(position.fen(shredder=True)) for position, _ in study.game.positions()]
        self._begun = self._shown = time.monotonic()

    def expect(self, suspects: int) -> None:
        """Every position was analysed, and so many moves seem mistakes."""
        self._whole = self.done + CHECK * suspects

    def is_due(self) -> bool:
        if time.monotonic() < self._shown + EVERY_S:
            return False
        self._shown = time.monotonic()
        return True

    def view(self, phase: str) -> dict[str, Any]:
        """The report so far; finished if there is no phase."""
        report = self.study.report()
        share = self._share = max(self._share, min(1.0, self.done / self._whole))
        spent = time.monotonic() - self._begun
        return {
            "by": report.by,
            "phase": phase,
            "share": round(share, 3),
            "left_s": round(spent / max(share, 0.01) * (1 - share)),
            "opening": None if report.opening is None else asdict(report.opening),
            "values": [value_view(value) for value in report.values],
            "moves": [self._move_view(move) for move in report.moves if move.mark or move.note],
            "summary": {side_name(side): asdict(report.summary(side)) for side in Color},
        }

    def _move_view(self, move: JudgedMove) -> dict[str, Any]:
        """A move with a mark or note, with the better line and the refutation."""
        position = self._positions[move.ply]
        return {
            "ply": move.ply,
            "name": move.name,
            "side": side_name(move.side),
            "mark": move.mark,
            "note": move.note,
            "loss": round(move.loss, 3),
            "sentence": move.sentence,
            "better": move.better,
            "best": _line(position, Line(move.best_line, move.before)),
            "reply": _line(position.after(move.move), Line(move.reply_line, move.value)),
        }


def _line(position: Position, line: Line) -> dict[str, Any]:
    return line_view(position, Line(line.moves[:8], line.value))


A_WHILE: Final = Limits(movetime_ms=60_000)
"""How long a position is analysed by default."""

LONGEST_REPORT: Final = 600
"""Plies. A study keeps every position with all that led there; no game between masters was as long."""

THREAT: Final = Limits(movetime_ms=250)

FIRST_STEP_MS: Final = 250
"""A program is asked for so long first, then for twice as long again and again."""

LONGEST_STEP_MS: Final = 8000

EngineName = Annotated[str, Text(200)]
Moves = Annotated[tuple[MoveText, ...], Many(LONGEST_GAME)]
"""Those that led from a start to a position."""


class Analyse(JobPanel):
    """One position at a time is analysed; beside that, one report is written."""

    name = "analyse"

    # --- What the page asks for -------------------------------------------------------------------------------------

    @action
    def open(self, text: PgnText) -> Answer:
        return read_text(text)

    @action
    def chess960(self, number: Annotated[int, Between(0, 959)]) -> Answer:
        return {"fen": chess960_start(number).fen()}

    @action
    def look(
        self,
        start: Fen,
        engine: EngineName,
        moves: Moves = (),
        lines: Annotated[int, Between(0, 5)] = 3,
        endless: bool = False,
        threat: bool = False,
    ) -> Answer:
        """The legal moves at once; lines and threat come as news. No `lines`: no search."""
        self.rest()
        game = _game(start, moves)
        position = game.last
        engine = self._known(engine)
        if position.legal_moves() and lines:
            self._look(position, engine, lines, Limits() if endless else A_WHILE)
        if threat and not self.state.gives_no_values(engine):
            self._seek_threat(position, engine)
        named = opening(game)
        return {"position": position_view(position), "opening": None if named is None else str(named)}

    @action
    def rest(self) -> None:
        self.stop_jobs("live", "threat")

    @action
    def move(self, start: Fen, move: MoveText, moves: Moves = ()) -> Answer:
        position = _game(start, moves).last
        return {"move": move_view(0, position, read_move(position, move))}

    @action
    def report(
        self,
        start: Fen,
        engine: EngineName,
        moves: Moves = (),
        effort: Literal["quick", "normal", "deep"] = "normal",
        number: Number = 0,
    ) -> Answer:
        """Write a report; each state of it comes as news."""
        game = _game(start, moves)
        if not game.moves:
            raise UsageError("there are no moves to report on", hint="open a game, or make some moves")
        if len(game.moves) > LONGEST_REPORT:
            raise UsageError(f"the game is too long for a report: it may have {LONGEST_REPORT // 2} moves")
        self.cancel()
        engine, limits = self._known(engine), EFFORTS[effort]
        if self.state.gives_no_values(engine):
            raise UsageError(f"`{engine}` predicts moves and values no position", hint="choose another for a report")
        by = f"{engine}, {limits.nodes:,} positions for each move"
        player = self._player("report", engine, game.start)

        def failed(error: OkapiError) -> None:
            self.cancel()
            self.context.tell("analyse.failed", number=number)
            self.complain(error)

        job = AnalysisJob(
            self,
            write_report(GameAnalysis(game, player, by), limits),
            stop=player.stop,
            on_update=lambda view: self.context.tell("analyse.report", number=number, report=view),
            on_done=lambda: self.slots.leave("report"),
            on_failed=failed,
        )
        self.run_job("report", job, self.state.jobs)
        return {"by": by}

    @action
    def cancel(self) -> None:
        self.stop_jobs("report")
        self.slots.leave("report")

    @action
    def pgn(self, tree: Tree) -> Answer:
        return {"pgn": write_tree(tree)}

    # --- Looking ----------------------------------------------------------------------------------------------------

    def _look(self, position: Position, engine: str, lines: int, limits: Limits) -> None:

        def tell(news: SearchUpdate | dict[str, Any]) -> None:
            view = news if isinstance(news, dict) else update_view(position, news)
            self.context.tell("analyse.lines", engine=engine, fen=position.fen(), **view)

        def done(decision: Decision | None = None) -> None:
            self.context.tell("analyse.done", engine=engine, fen=position.fen())

        told = Callbacks(on_update=tell, on_done=done, on_failed=self.complain)
        if not self._is_player(engine):
            slot = self.slots.engine("live", engine)
            self.run_job("live", SearchJob(self, slot, position, limits, multipv=lines, **told), self.state.pool)
            return
        program = self._program("live", engine, position, lines)
        if self.state.gives_no_values(engine):
            steps = _likely_moves(program, position, lines)
        else:
            steps = _ask_ever_longer(program, position, limits)
        self.run_job("live", AnalysisJob(self, steps, stop=program.stop, **told), self.state.programs)

    def _seek_threat(self, position: Position, engine: str) -> None:
        player = self._player("threat", engine, position)

        def steps() -> Steps:
            threat = find_threat(position, player, THREAT)
            if threat is None:
                yield {"sentence": "", "line": None}
                return
            passed = position.copy()
            passed.pass_turn()
            sentence = f"{passed.turn.name.capitalize()} {threat.sentence}"
            yield {"sentence": sentence, "line": line_view(passed, threat.line)}

        def tell(view: dict[str, Any]) -> None:
            self.context.tell("analyse.threat", engine=engine, fen=position.fen(), **view)

        job = AnalysisJob(self, steps(), stop=player.stop, on_update=tell, on_failed=self.complain)
        self.run_job("threat", job, self.state.jobs)

    # --- Engines ----------------------------------------------------------------------------------------------------

    def _known(self, engine: str) -> str:
        return engine if engine in self.state.engines else self.state.known(engine)

    def _is_player(self, engine: str) -> bool:
        """Is it a program, or a brain that predicts moves? The others evaluate positions for a search of our own."""
        return engine in self.state.engines or self.state.predicts_moves(engine)

    def _player(self, purpose: str, engine: str, position: Position) -> PooledEngine | ProgramPlayer:
        if self._is_player(engine):
            return self._program(purpose, engine, position, 1)
        return PooledEngine(self, self.state.pool, self.slots.engine(purpose, engine))

    def _program(self, purpose: str, name: str, position: Position, lines: int) -> ProgramPlayer:
        chess960 = position.is_chess960()
        return ProgramPlayer(self.slots.player(purpose, name, chess960=chess960, multipv=lines))


def _game(start: str, moves: tuple[str, ...]) -> Game:
    return Game.of(list(moves), Position.from_fen(start))


def _likely_moves(program: ProgramPlayer, position: Position, lines: int) -> Steps:
    """The likeliest moves, each with its probability in the place of a value."""
    decision = program.choose(position, Limits())
    views = []
    for move, probability in (decision.likely or ((decision.move, 1.0),))[:lines]:
        seen = probability if position.turn is Color.WHITE else 1 - probability
        view = line_view(position, Line((move,), decision.value))
        views.append(view | {"value": {**view["value"], "white": round(seen, 4), "text": f"{100 * probability:.0f} %"}})
    yield {"lines": views, "depth": 0, "nodes": 0, "nps": 0, "seconds": 0, "predicts": True}


def _ask_ever_longer(program: ProgramPlayer, position: Position, limits: Limits) -> Steps:
    """Search again and again, for twice as long; the program keeps its hash table."""
    spent_ms, step_ms, nodes = 0, FIRST_STEP_MS, 0
    while limits.movetime_ms is None or spent_ms < limits.movetime_ms:
        decision = program.choose(position, Limits(movetime_ms=step_ms))
        spent_ms, nodes = spent_ms + step_ms, nodes + decision.nodes
        lines = decision.lines or (Line(decision.line, decision.value, decision.depth),)
        yield SearchUpdate(lines, nodes, spent_ms / 1000)
        step_ms = min(2 * step_ms, LONGEST_STEP_MS)
