"""Analyse: positions and games, looked at by a brain or a program, with a report of the whole game."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from okapi.analysis.report import Study
from okapi.analysis.report.threats import find_threat
from okapi.core import Decision, Game, Limits, Line, Position
from okapi.errors import OkapiError, UsageError
from okapi.formats.chess960 import chess960_start
from okapi.formats.eco import opening
from okapi.web.inquiry import Deputy, Inquiry, Program, Steps
from okapi.web.messages import LONGEST, Between, Fen, Many, MoveText, Nothing, Text
from okapi.web.panel import Answer, Desk, Panel, answers
from okapi.web.reporting import EFFORTS, write_report
from okapi.web.setup import LONGEST_GAME
from okapi.web.thinking import Chair, Errand, Mind, News, Search
from okapi.web.tree import Tree, move_view, read_text, write_tree
from okapi.web.views import choices, line_view, news_view, position_view

__all__ = ["Analyse"]

A_WHILE: Final = Limits(movetime_ms=60_000)
"""How long a position is looked at unless somebody wants more."""

LONGEST_REPORT: Final = 600
"""Plies. A study keeps every position with all that led there; no game between masters was as long."""

THREAT: Final = Limits(movetime_ms=250)

FIRST_STEP_MS: Final = 250
"""A program is asked for so long first, then for twice as long again and again."""

LONGEST_STEP_MS: Final = 8000

Speaker = Annotated[str, Text(200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A FEN or a PGN."""

    text: Annotated[str, Text(LONGEST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Which of the Chess960 starts?"""

    number: Annotated[int, Between(0, 959)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A position, with the moves that led there."""

    start: Fen
    moves: Annotated[tuple[MoveText, ...], Many(LONGEST_GAME)] = ()

    def game(self) -> Game:
        """The game so far; every move is checked."""
        return Game.of(list(self.moves), Position.from_fen(self.start))


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(Place):
    """Who shall look there, and at what."""

    speaker: Speaker
    lines: Annotated[int, Between(0, 5)] = 3
    """None: nobody thinks."""
    endless: bool = False
    threat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Place):
    """A move from there, as two squares or in SAN."""

    move: MoveText


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Place):
    """A report to be written, and by whom."""

    speaker: Speaker
    effort: Literal["quick", "normal", "deep"] = "normal"
    number: Annotated[int, Between(0, 2**53)] = 0
    """Comes back with every view, so that the page knows which report it is."""


class Analyse(Panel):
    """One position at a time is looked at; beside that, one report is written."""

    name = "analyse"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._live: Search | Inquiry | None = None
        self._threat: Inquiry | None = None
        self._report: Inquiry | None = None
        self._places: dict[str, Mind | Chair] = {}
        """Who sits there for which purpose: live, threat, report."""
        self._programs: dict[str, tuple[str, int, bool]] = {}
        """Which program sits there, asked for how many lines, in Chess960 or not."""

    # --- What the page asks for -------------------------------------------------------------------------------------

    @answers(Written)
    def open(self, message: Written) -> Answer:
        """The game or position that a text stands for."""
        return read_text(message.text)

    @answers(Start)
    def chess960(self, message: Start) -> Answer:
        """One of the 960 starts."""
        return {"fen": chess960_start(message.number).fen()}

    @answers(Look)
    def look(self, message: Look) -> Answer:
        """What can be done in a position, at once; lines and threat come as news."""
        self.rest(Nothing())
        game = message.game()
        position = game.last
        speaker = self._known(message.speaker)
        if position.legal_moves() and message.lines:
            self._live = self._look(position, speaker, message.lines, Limits() if message.endless else A_WHILE)
        if message.threat:
            self._threat = self._seek_threat(position, speaker)
        named = opening(game)
        return {"position": position_view(position), "opening": None if named is None else str(named)}

    @answers(Nothing)
    def rest(self, message: Nothing) -> Answer:
        """Nobody looks at the position any more."""
        for work in (self._live, self._threat):
            if work is not None:
                work.stop()
        self._live = self._threat = None
        return None

    @answers(Step)
    def move(self, message: Step) -> Answer:
        """A move as it is written and what comes of it."""
        position = message.game().last
        return {"move": move_view(0, position, choices(position).get(message.move) or position.move(message.move))}

    @answers(Order)
    def report(self, message: Order) -> Answer:
        """Write a report; it comes as news, growing."""
        game = message.game()
        if not game.moves:
            raise UsageError("there are no moves to report on", hint="open a game, or make some moves")
        if len(game.moves) > LONGEST_REPORT:
            raise UsageError(f"the game is too long for a report: it may have {LONGEST_REPORT // 2} moves")
        self.cancel(Nothing())
        speaker, limits = self._known(message.speaker), EFFORTS[message.effort]
        by = f"{speaker}, {limits.nodes:,} positions for each move"
        player = self._player("report", speaker, game.start)
        self._report = Inquiry(
            self,
            write_report(Study(game, player, by), limits),
            stop=player.stop,
            on_news=lambda view: self.desk.tell("analyse.report", number=message.number, report=view),
            on_done=lambda: self._leave("report"),
            on_failed=lambda error: self._give_up(message.number, error),
        )
        self.house.inquiries.submit(self._report)
        return {"by": by}

    @answers(Nothing)
    def cancel(self, message: Nothing) -> Answer:
        """Write no more."""
        if self._report is not None:
            self._report.stop()
            self._report = None
            self._leave("report")
        return None

    @answers(Tree)
    def pgn(self, tree: Tree) -> Answer:
        """The game with its side lines as PGN."""
        return {"pgn": write_tree(tree)}

    def close(self) -> None:
        """The page has gone."""
        self.rest(Nothing())
        self.cancel(Nothing())
        for purpose in list(self._places):
            self._leave(purpose)

    # --- Looking ----------------------------------------------------------------------------------------------------

    def _look(self, position: Position, speaker: str, lines: int, limits: Limits) -> Search | Inquiry:
        """Let the speaker look at a position and tell the page what it sees."""

        def tell(news: News) -> None:
            view = news_view(position, news)
            self.desk.tell("analyse.lines", speaker=speaker, fen=position.fen(), **view)

        def done(decision: Decision | None = None) -> None:
            self.desk.tell("analyse.done", speaker=speaker, fen=position.fen())

        if not self.house.is_program(speaker):
            search = Search(
                self,
                self._mind("live", speaker),
                position,
                limits,
                multipv=lines,
                on_news=tell,
                on_done=done,
                on_failed=self._say,
            )
            self.house.pool.submit(search)
            return search
        program = self._program("live", speaker, position, lines)
        steps = _ask_ever_longer(program, position, limits)
        inquiry = Inquiry(self, steps, stop=program.stop, on_news=tell, on_done=done, on_failed=self._say)
        self.house.programs.submit(inquiry)
        return inquiry

    def _seek_threat(self, position: Position, speaker: str) -> Inquiry:
        """What would the other side do?"""
        player = self._player("threat", speaker, position)

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
            self.desk.tell("analyse.threat", speaker=speaker, fen=position.fen(), **view)

        inquiry = Inquiry(self, steps(), stop=player.stop, on_news=tell, on_failed=self._say)
        self.house.inquiries.submit(inquiry)
        return inquiry

    def _give_up(self, number: int, error: OkapiError) -> None:
        """The report cannot be written to its end."""
        self.cancel(Nothing())
        self.desk.tell("analyse.failed", number=number)
        self._say(error)

    # --- Who looks --------------------------------------------------------------------------------------------------

    def _known(self, speaker: str) -> str:
        """A brain or a program that is here: NotFound."""
        return speaker if self.house.is_program(speaker) else self.house.known(speaker)

    def _player(self, purpose: str, speaker: str, position: Position) -> Deputy | Program:
        """The speaker as a player that an inquiry can ask."""
        if self.house.is_program(speaker):
            return self._program(purpose, speaker, position, 1)
        return Deputy(self, self.house.pool, self._mind(purpose, speaker))

    def _mind(self, purpose: str, brain: str) -> Mind:
        """A mind that is kept as long as its brain is asked."""
        place = self._places.get(purpose)
        if not isinstance(place, Mind) or place.brain != brain:
            self._leave(purpose)
            place = self._places[purpose] = self.house.mind(brain)
        return place

    def _program(self, purpose: str, name: str, position: Position, lines: int) -> Program:
        """A program for one purpose; another one where other lines or other rules of castling are wanted."""
        chess960 = position.is_chess960()
        if self._programs.get(purpose) != (name, lines, chess960):
            self._leave(purpose)
            self._programs[purpose] = (name, lines, chess960)
            self._places[purpose] = Chair(lambda: self.house.player(name, None, None, chess960=chess960, multipv=lines))
        place = self._places[purpose]
        assert isinstance(place, Chair)
        return Program(place)

    def _leave(self, purpose: str) -> None:
        """Nobody is needed there any more; programs are ended where that may take its time."""
        place = self._places.pop(purpose, None)
        self._programs.pop(purpose, None)
        if isinstance(place, Chair):
            self.house.programs.submit(Errand(self, place.close))

    def _say(self, error: OkapiError) -> None:
        self.desk.tell("error", error=str(error), hint=error.hint)


def _ask_ever_longer(program: Program, position: Position, limits: Limits) -> Steps:
    """A program tells what it sees after each step; it remembers what it saw before."""
    spent_ms, step_ms, nodes = 0, FIRST_STEP_MS, 0
    while limits.movetime_ms is None or spent_ms < limits.movetime_ms:
        decision = program.choose(position, Limits(movetime_ms=step_ms))
        spent_ms, nodes = spent_ms + step_ms, nodes + decision.nodes
        lines = decision.lines or (Line(decision.line, decision.value, decision.depth),)
        yield News(lines, nodes, spent_ms / 1000)
        step_ms = min(2 * step_ms, LONGEST_STEP_MS)
