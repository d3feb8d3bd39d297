"""An engine as a teacher: it labels many positions, and is restarted when it fails."""

import math
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Limits
from okapi.core.labelling import LABEL, EngineFailure, LabelRun, label_positions
from okapi.core.packed import NO_VALUE, Trait, traits, unpack
from okapi.core.samples import LINE, MATE
from okapi.errors import PlayerCheated, PlayerFailed, PlayerSilent, UsageError
from okapi.files import Closable
from okapi.players.engine import Engine
from okapi.players.protocol import Reply
from okapi.players.uci import go_command

ATTEMPTS: Final = 2
"""A position is left out after so many failures, each with a restarted engine."""

MAX_FAILURES: Final = 5
"""Positions in a row without a label after which labelling stops."""

AHEAD: Final = 12
"""Positions sent ahead to an engine that reads them in order."""

QUICK_S: Final = 0.05
"""Sending ahead saves nothing for answers that take longer."""

SURELY_S: Final = 0.2
"""A search of this length is long enough to see whether the engine reads during it, also on a busy machine."""

FIRST_NODES: Final = 200_000
MOST_NODES: Final = 8_000_000
"""Nodes of that search: the first try, and the most."""

PROBE_S: Final = 10.0
PROBES: Final = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeacherSettings:
    command: str
    limits: Limits
    options: Mapping[str, str] = field(default_factory=dict)
    lines: int = 1
    wdl: bool = False
    """Ask for win, draw and loss probabilities, too."""
    independent: bool = False
    """Clear the tables before each position, not only before each call of label()."""
    timeout: float = 60.0
    """Seconds beyond the limits after which an engine has hung."""

    @property
    def all_options(self) -> dict[str, str]:
        """The options with MultiPV and UCI_ShowWDL."""
        asked = {"MultiPV": str(self.lines)} if self.lines > 1 else {}
        return {**self.options, **asked, **({"UCI_ShowWDL": "true"} if self.wdl else {})}

    @property
    def whole_timeout(self) -> float:
        return self.timeout + (self.limits.movetime_ms or 0) / 1000


@dataclass(frozen=True, slots=True)
class TeacherLabels:
    answered: NDArray[np.bool_]
    labels: NDArray[np.void]
    """LABEL, one for each position."""
    lines: NDArray[np.void]
    """LINE, `lines` for each position."""
    complaints: tuple[str, ...]


class Teacher(Closable):
    """A running engine that labels positions. Use it in one thread, which has to live as long as the engine."""

    def __init__(self, settings: TeacherSettings, *, ahead: int = 0) -> None:
        """Start the engine; raises PlayerFailed, or UsageError for unknown options."""
        self.settings, self.ahead = settings, ahead
        """`ahead`: positions to send before the last one is answered; see reads_ahead()."""
        self._failed_in_a_row, self._stopped = 0, False
        self._engine: Engine | None = self._start()

    @property
    def name(self) -> str:
        return self._running().name

    def label(self, positions: NDArray[np.void]) -> TeacherLabels:
        """Label an array of POSITION, starting with empty tables. Failures are tried again; PlayerFailed after many."""
        count, complaints, done, attempts = len(positions), list[str](), 0, 0
        labels, lines = np.zeros(count, LABEL), np.zeros((count, self.settings.lines), LINE)
        answered = np.zeros(count, np.bool_)
        while done < count:
            error, run = self._ask(positions[done:])
            if len(run.labels):
                end = done + len(run.labels)
                labels[done:end], lines[done:end], answered[done:end] = run.labels, run.lines, True
                done, attempts, self._failed_in_a_row = end, 0, 0
            if error is None:
                continue
            self._kill()
            if self._stopped:
                raise error
            attempts += 1
            if attempts < ATTEMPTS:
                continue
            complaints.append(f"{unpack(positions[done]).fen()}: {error}")
            done, attempts = done + 1, 0
            self._failed_in_a_row += 1
            if self._failed_in_a_row >= MAX_FAILURES:
                what = f"{MAX_FAILURES} positions in a row got no label; the last time, {error}"
                raise type(error)(what, hint=error.hint)
        return TeacherLabels(answered, labels, lines, tuple(complaints))

    def reads_ahead(self) -> bool:
        """Does the engine queue commands? Tested: positions sent at once and one by one must get the same answers."""
        if sys.platform == "win32" or self.settings.limits.movetime_ms is not None:
            return False
        try:
            return self._queues_commands(self._running(), FIRST_NODES)
        except PlayerFailed:
            self._kill()
            return False

    def stop(self) -> None:
        """Make label() fail soon; from any thread."""
        self._stopped, engine = True, self._engine
        if engine is not None:
            engine.process.kill_from_any_thread()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _start(self) -> Engine:
        return Engine(self.settings.command, options=self.settings.all_options, thread_stays=True)

    def _running(self) -> Engine:
        if self._stopped:
            raise PlayerFailed("the teacher was stopped")
        if self._engine is None:
            self._engine = self._start()
        return self._engine

    def _kill(self) -> None:
        if self._engine is not None:
            self._engine.kill()
        self.close()

    def _ask(self, positions: NDArray[np.void]) -> tuple[PlayerFailed | None, LabelRun]:
        """The labels up to the first failure, and the failure."""
        asked = self.settings
        chess960 = bool((traits(positions) & Trait.CHESS960).any())
        nothing = LabelRun(np.zeros(0, LABEL), np.zeros((0, asked.lines), LINE), EngineFailure.NONE, b"")
        try:
            engine = self._running()
            engine.new_game(chess960)
            if sys.platform == "win32":
                return None, label_slowly(engine, positions, asked)
            run = label_positions(
                engine.process.streams(),
                positions,
                go=go_command(asked.limits),
                lines=asked.lines,
                chess960=chess960,
                forget=asked.independent,
                ahead=self.ahead,
                timeout=asked.whole_timeout,
            )
            return _failure(engine, run), run
        except PlayerFailed as error:
            return error, nothing

    def _queues_commands(self, engine: Engine, nodes: int) -> bool:
        forget = "ucinewgame\n" if self.settings.independent else ""
        searches = [f"go nodes {nodes}", *[go_command(self.settings.limits)] * (len(PROBES) - 1)]
        questions = [f"{forget}position fen {fen}\n{go}" for fen, go in zip(PROBES, searches, strict=True)]
        engine.new_game()
        begun = time.perf_counter()
        one_by_one = _answers(engine, questions[:1], PROBE_S)
        first_s = time.perf_counter() - begun
        one_by_one += [answer for question in questions[1:] for answer in _answers(engine, [question], PROBE_S)]
        others_s = time.perf_counter() - begun - first_s
        if others_s > QUICK_S * (len(questions) - 1):
            return False
        if first_s < SURELY_S:
            return nodes < MOST_NODES and self._queues_commands(engine, 4 * nodes)
        engine.new_game()
        return one_by_one == _answers(engine, questions, PROBE_S)


def _answers(engine: Engine, questions: list[str], timeout: float) -> list[tuple[str, str]]:
    """The move and the nodes of each answer to commands sent at once."""
    engine.process.send("\n".join(questions))
    found, nodes, deadline = list[tuple[str, str]](), "", time.perf_counter() + timeout
    while len(found) < len(questions):
        line = engine.process.receive(deadline)
        if line is None:
            raise PlayerSilent(f"{engine.name} did not answer")
        if line.startswith("bestmove "):
            found.append((line.split()[1], nodes))
        elif line.startswith("info ") and " nodes " in line:
            nodes = line.partition(" nodes ")[2].partition(" ")[0]
    return found


def _failure(engine: Engine, run: LabelRun) -> PlayerFailed | None:
    if run.failure is EngineFailure.CLOSED:
        return engine.process.crash_error(run.message)
    if run.failure is EngineFailure.TIMEOUT:
        return PlayerSilent(f"{engine.name} did not answer")
    cheated = PlayerCheated(f"{engine.name} answered {run.message.decode(errors='replace')[:60]!r}")
    return cheated if run.failure is EngineFailure.ILLEGAL_MOVE else None


def label_slowly(engine: Engine, positions: NDArray[np.void], settings: TeacherSettings) -> LabelRun:
    """Label one position after another through Engine, for systems whose pipes cannot be polled."""
    if settings.wdl:
        raise UsageError("win, draw and loss probabilities are not available on this system", hint="leave --wdl out")
    labels, lines = np.zeros(len(positions), LABEL), np.zeros((len(positions), settings.lines), LINE)
    for number, row in enumerate(positions):
        position = unpack(row)
        if settings.independent and number:
            engine.new_game(position.is_chess960())
        reply = engine.ask(position, settings.limits, settings.whole_timeout)
        labels[number], lines[number] = _to_rows(reply, settings.lines)
    return LabelRun(labels, lines, EngineFailure.NONE, b"")


def _to_rows(reply: Reply, count: int) -> tuple[NDArray[np.void], NDArray[np.void]]:
    lines = np.zeros(count, LINE)
    lines["value"] = NO_VALUE
    for place, line in enumerate(reply.lines[:count]):
        value, mate = line.value, line.value.mate
        stored = value.centipawns if mate is None else int(math.copysign(MATE, mate)) - mate
        lines[place] = line.moves[0].bits, stored
    label = np.zeros((), LABEL)
    label["move"], label["nodes"], label["value"] = reply.move.bits, reply.nodes, lines["value"][0]
    label["depth"] = reply.lines[0].depth if reply.lines else 0
    return label, lines
