"""Analyse: positions and games, analysed by a brain or a program, with a report of the whole game."""

import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from okapi.analysis.report import GameAnalysis, JudgedMove, quicker
from okapi.analysis.report.sentences import find_threat
from okapi.core import Color, Game, Limits, Line, Position
from okapi.errors import OkapiError, UsageError
from okapi.formats.eco import opening
from okapi.formats.epd import chess960_start
from okapi.web.game import LONGEST_GAME
from okapi.web.game_tree import Tree, move_view, read_text, write_tree
from okapi.web.jobs import AnalysisJob, PooledEngine, ProgramPlayer, SearchJob, SearchUpdate, Steps
from okapi.web.messages import Between, Fen, Many, MoveText, Number, PgnText, Text
from okapi.web.panel import Answer, JobPanel, action
from okapi.web.views import line_view, picked, position_view, read_move, side_name, update_view, value_view

# How closely every position is looked at; what seems a mistake, four times as closely.
EFFORTS: Final = {"quick": Limits(nodes=20_000), "normal": Limits(nodes=100_000), "deep": Limits(nodes=1_000_000)}
FIRST_LOOK: Final = 1 / 8  # what the quick first pass costs, in parts of the second
CHECK: Final = 8.0  # the cost of analysing a mistake again: before and after it, four times as long each
SUSPECTS: Final = 0.15  # the share of moves that seem mistakes at first, for the estimate of the time left
EVERY_S: Final = 0.2
A_WHILE: Final = Limits(movetime_ms=60_000)  # how long a position is analysed by default
LONGEST_REPORT: Final = 600  # plies: a study keeps every position; no game between masters was as long
THREAT: Final = Limits(movetime_ms=250)
FIRST_STEP_MS: Final = 250  # a program is asked for so long first, then for twice as long again and again
LONGEST_STEP_MS: Final = 8000
EngineName = Annotated[str, Text(200)]
Moves = Annotated[tuple[MoveText, ...], Many(LONGEST_GAME)]  # those that led from a start to a position


def write_report(study: GameAnalysis, limits: Limits) -> Steps:
    """Analyse a game, quickly first, and yield the report so far five times a second; the whole one has no phase."""
    begun = shown = time.monotonic()
    done = share = 0.0
    whole = (1 + FIRST_LOOK + CHECK * SUSPECTS) * (len(study.game.moves) + 1)
    positions = [Position.from_fen(position.fen(shredder=True)) for position, _ in study.game.positions()]

    def view(phase: str) -> dict[str, Any]:
        nonlocal share
        report = study.report()
        share = max(share, min(1.0, done / whole))
        return {
            "by": report.by,
            "phase": phase,
            "share": round(share, 3),
            "left_s": round((time.monotonic() - begun) / max(share, 0.01) * (1 - share)),
            "opening": None if report.opening is None else asdict(report.opening),
            "values": [value_view(value) for value in report.values],
            "moves": [_judged_view(positions[move.ply], move) for move in report.moves if move.mark or move.note],
            "summary": {side_name(side): asdict(report.summary(side)) for side in Color},
        }

    for cost, phase in _phases(study, limits):
        done += cost
        if not cost:  # every position was analysed: the rest is looking at mistakes again
            whole = done + CHECK * sum(bool(move.mark or move.note) for move in study.moves())
        if not cost or time.monotonic() >= shown + EVERY_S:
            shown = time.monotonic()
            yield view(phase)
    yield view("")


def _phases(study: GameAnalysis, limits: Limits) -> Iterator[tuple[float, str]]:
    """Analyse a game; what each step has cost, nothing when all positions were analysed, and what goes on."""
    for asked, cost, phase in ((quicker(limits), FIRST_LOOK, "first look"), (limits, 1.0, "closer look")):
        for _ in study.deepen(asked):
            yield cost, phase
    yield 0.0, "looking again at mistakes"
    for move in study.check(limits):
        yield CHECK, f"looking again: {move.name}"


def _judged_view(position: Position, move: JudgedMove) -> dict[str, Any]:
    """A move with a mark or note, with the better line and the refutation."""
    best, reply = Line(move.best_line[:8], move.before), Line(move.reply_line[:8], move.value)
    return {
        **picked(move, "ply", "name", "mark", "note", "sentence", "better", loss=3),
        "side": side_name(move.side),
        "best": line_view(position, best),
        "reply": line_view(position.after(move.move), reply),
    }


class Analyse(JobPanel):
    """One position at a time is analysed; beside that, one report is written."""

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
            self.tell("analyse.failed", number=number)
            self.complain(error)

        steps = write_report(GameAnalysis(game, player, by), limits)
        job = AnalysisJob(self, steps, end_step=player.stop, on_failed=failed, on_done=lambda _: self.leave("report"))
        job.on_update = lambda view: self.tell("analyse.report", number=number, report=view)
        self.run_job("report", job, self.state.jobs)
        return {"by": by}

    @action
    def cancel(self) -> None:
        self.stop_jobs("report")
        self.leave("report")

    @action
    def pgn(self, tree: Tree) -> Answer:
        return {"pgn": write_tree(tree)}

    def _look(self, position: Position, engine: str, lines: int, limits: Limits) -> None:
        asked = {"engine": engine, "fen": position.fen()}

        def tell(news: SearchUpdate | dict[str, Any]) -> None:
            self.tell("analyse.lines", **asked, **(news if isinstance(news, dict) else update_view(position, news)))

        job: SearchJob | AnalysisJob
        if self._is_player(engine):
            program = self._program("live", engine, position, lines)
            predicts = self.state.gives_no_values(engine)
            steps = _likely_moves(program, position, lines) if predicts else _ask_ever_longer(program, position, limits)
            job, pool = AnalysisJob(self, steps, end_step=program.stop, on_update=tell), self.state.programs
        else:
            slot = self.engine("live", engine)
            job, pool = SearchJob(self, slot, position, limits, multipv=lines, on_update=tell), self.state.pool
        job.on_done, job.on_failed = lambda _: self.tell("analyse.done", **asked), self.complain
        self.run_job("live", job, pool)

    def _seek_threat(self, position: Position, engine: str) -> None:
        player = self._player("threat", engine, position)

        def steps() -> Steps:
            threat = find_threat(position, player, THREAT)
            if threat is None:
                yield {"sentence": "", "line": None}
            else:
                passed = position.copy()
                passed.pass_turn()
                sentence = f"{passed.turn.name.capitalize()} {threat.sentence}"
                yield {"sentence": sentence, "line": line_view(passed, threat.line)}

        def tell(view: dict[str, Any]) -> None:
            self.tell("analyse.threat", engine=engine, fen=position.fen(), **view)

        job = AnalysisJob(self, steps(), end_step=player.stop, on_update=tell, on_failed=self.complain)
        self.run_job("threat", job, self.state.jobs)

    def _known(self, engine: str) -> str:
        return engine if engine in self.state.engines else self.state.known(engine)

    def _is_player(self, engine: str) -> bool:
        """Is it a program, or a brain that predicts moves? The others evaluate positions for a search of our own."""
        return engine in self.state.engines or self.state.predicts_moves(engine)

    def _player(self, purpose: str, engine: str, position: Position) -> PooledEngine | ProgramPlayer:
        if self._is_player(engine):
            return self._program(purpose, engine, position, 1)
        return PooledEngine(self, self.state.pool, self.engine(purpose, engine))

    def _program(self, purpose: str, name: str, position: Position, lines: int) -> ProgramPlayer:
        return ProgramPlayer(self.player(purpose, name, None, None, position.is_chess960(), lines))


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
