"""Another program as a teacher: asked about many positions, one after another, and started again when it fails."""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core import Limits, Position, Value
from okapi.core.labelling import LABEL, EngineFailure, LabelRun, label_positions
from okapi.core.packed import NO_VALUE, Trait, traits, unpack
from okapi.core.samples import LINE, MATE
from okapi.errors import PlayerCheated, PlayerFailed, PlayerSilent, UsageError
from okapi.players.engine import Engine
from okapi.players.protocol import Reply
from okapi.players.uci import go_command

__all__ = ["Teacher", "TeacherLabels", "TeacherSettings", "label_slowly"]

ATTEMPTS: Final = 2
"""A position that a program failed at so often, each time freshly started, is left out."""

MAX_FAILURES: Final = 5
"""A program that failed at so many positions in a row will not do better at the next."""

AHEAD: Final = 12
"""Questions that wait in the pipe of a program that reads them in order: so many that we may sleep over a few."""

QUICK_S: Final = 0.05
"""An answer that takes longer is worth waiting for: questions ahead would save nothing."""

SURELY_S: Final = 0.2
"""Whatever comes while a program thinks for so long, it reads meanwhile, if it ever does; also on a busy machine."""

FIRST_NODES: Final = 200_000
MOST_NODES: Final = 8_000_000
"""So many take that long; and for a program that needs even more nobody has to hurry."""

PROBE_S: Final = 10.0
"""For the answers to the questions by which we find out."""

PROBES: Final = tuple(
    map(
        Position.from_fen,
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ),
    )
)
"""Different enough that an answer to one is no answer to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeacherSettings:
    """Who teaches, and how it is asked."""

    command: str
    limits: Limits
    options: Mapping[str, str] = field(default_factory=dict)
    lines: int = 1
    """Best lines to hear of each position."""
    wdl: bool = False
    """Ask for chances to win, draw and lose, too."""
    independent: bool = False
    """Begin each position with empty tables, not only each call of label()."""
    patience: float = 60.0
    """Seconds after which a program has hung, beyond the time that the limits give."""

    @property
    def all_options(self) -> dict[str, str]:
        """With those that make the program say what is to be heard."""
        lines = {"MultiPV": str(self.lines)} if self.lines > 1 else {}
        return {**self.options, **lines, **({"UCI_ShowWDL": "true"} if self.wdl else {})}

    @property
    def whole_patience(self) -> float:
        """Seconds for one answer."""
        return self.patience + (self.limits.movetime_ms or 0) / 1000


@dataclass(frozen=True, slots=True)
class TeacherLabels:
    """What a teacher made of some positions."""

    answered: NDArray[np.bool_]
    """Of each position: is there a label?"""
    labels: NDArray[np.void]
    """LABEL, one for each position."""
    lines: NDArray[np.void]
    """LINE, so many for each position."""
    complaints: tuple[str, ...]
    """Why the others have none."""


class Teacher:
    """A running program that labels positions. Use it in one thread, which has to live as long as it does."""

    def __init__(self, teaching: TeacherSettings, *, ahead: int = 0) -> None:
        """Start the program: PlayerFailed, or UsageError for options that it does not have."""
        self.teaching = teaching
        self.ahead = ahead
        """Questions to send before the last one is answered; reads_ahead() says whether that is wise."""
        self._failed_in_a_row = 0
        self._stopped = False
        self._engine: Engine | None = self._start()

    @property
    def name(self) -> str:
        """As the program calls itself."""
        return self._running().name

    def label(self, positions: NDArray[np.void]) -> TeacherLabels:
        """Ask about an array of POSITION, beginning with empty tables.

        One that the program fails at is tried once more on a fresh one, then left out; PlayerFailed if that happens all
        the time. So labels depend on the positions given and on nothing that was asked before.
        """
        labels = np.zeros(len(positions), LABEL)
        lines = np.zeros((len(positions), self.teaching.lines), LINE)
        answered = np.zeros(len(positions), np.bool_)
        complaints: list[str] = []
        done = attempts = 0
        while done < len(positions):
            error, run = self._ask(positions[done:])
            if len(run.labels):
                end = done + len(run.labels)
                labels[done:end], lines[done:end], answered[done:end] = run.labels, run.lines, True
                done, attempts, self._failed_in_a_row = end, 0, 0
            if error is None:
                continue
            self._leave()
            if self._stopped:
                raise error
            attempts += 1
            if attempts == ATTEMPTS:
                complaints.append(f"{unpack(positions[done]).fen()}: {error}")
                done, attempts = done + 1, 0
                self._count_failure(error)
        return TeacherLabels(answered, labels, lines, tuple(complaints))

    def reads_ahead(self) -> bool:
        """Does it keep questions that come while it thinks, or does it lose them, or stop thinking?

        Found out by asking: the same questions, in one go and one by one, have to get the same answers. The first takes
        so long that the others surely come while it thinks.
        """
        if sys.platform == "win32" or self.teaching.limits.movetime_ms is not None:
            return False
        try:
            return self._has_patience(self._running(), FIRST_NODES)
        except PlayerFailed:
            self._leave()
            return False

    def stop(self) -> None:
        """Make label() fail soon. From any thread."""
        self._stopped = True
        engine = self._engine
        if engine is not None:
            engine.pipe.kill_from_any_thread()

    def close(self) -> None:
        """End the program."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> Engine:
        return Engine(self.teaching.command, options=self.teaching.all_options, thread_stays=True)

    def _running(self) -> Engine:
        if self._stopped:
            raise PlayerFailed("the teacher was told to stop")
        if self._engine is None:
            self._engine = self._start()
        return self._engine

    def _leave(self) -> None:
        """End a program that failed."""
        if self._engine is not None:
            self._engine.kill()
            self._engine = None

    def _ask(self, positions: NDArray[np.void]) -> tuple[PlayerFailed | None, LabelRun]:
        """As far as it goes, and what came in between."""
        asked = self.teaching
        chess960 = bool((traits(positions) & Trait.CHESS960).any())
        nothing = LabelRun(np.zeros(0, LABEL), np.zeros((0, asked.lines), LINE), EngineFailure.NONE, b"")
        try:
            engine = self._running()
            engine.new_game(chess960)
            if sys.platform == "win32":
                return None, label_slowly(engine, positions, asked)
            run = label_positions(
                engine.pipe.streams(),
                positions,
                go=go_command(asked.limits),
                lines=asked.lines,
                chess960=chess960,
                forget=asked.independent,
                ahead=self.ahead,
                timeout=asked.whole_patience,
            )
            return _failure(engine, run), run
        except PlayerFailed as error:
            return error, nothing

    def _has_patience(self, engine: Engine, nodes: int) -> bool:
        usual = go_command(self.teaching.limits)
        forget = "ucinewgame\n" if self.teaching.independent else ""
        questions = [
            f"{forget}position fen {probe.fen()}\n{go}"
            for probe, go in zip(PROBES, (f"go nodes {nodes}", usual, usual), strict=True)
        ]
        engine.new_game()
        begun = time.perf_counter()
        one_by_one = _answers(engine, questions[:1], PROBE_S)
        first_s = time.perf_counter() - begun
        one_by_one += [answer for question in questions[1:] for answer in _answers(engine, [question], PROBE_S)]
        others_s = time.perf_counter() - begun - first_s
        if others_s > QUICK_S * (len(questions) - 1):
            return False
        if first_s < SURELY_S:
            return nodes < MOST_NODES and self._has_patience(engine, 4 * nodes)
        engine.new_game()
        return one_by_one == _answers(engine, questions, PROBE_S)

    def _count_failure(self, error: PlayerFailed) -> None:
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= MAX_FAILURES:
            raise type(error)(
                f"{MAX_FAILURES} positions in a row got no label; the last time, {error}", hint=error.hint
            )


def _answers(engine: Engine, questions: list[str], patience: float) -> list[tuple[str, str]]:
    """The move and the nodes that each question gets, asked at once."""
    engine.pipe.send("\n".join(questions))
    found: list[tuple[str, str]] = []
    nodes = ""
    deadline = time.perf_counter() + patience
    while len(found) < len(questions):
        line = engine.pipe.receive(deadline)
        if line is None:
            raise PlayerSilent(f"{engine.name} did not answer")
        if line.startswith("bestmove "):
            found.append((line.split()[1], nodes))
        elif line.startswith("info ") and " nodes " in line:
            nodes = line.partition(" nodes ")[2].partition(" ")[0]
    return found


def _failure(engine: Engine, run: LabelRun) -> PlayerFailed | None:
    match run.failure:
        case EngineFailure.CLOSED:
            return engine.pipe.crash_error(run.message)
        case EngineFailure.TIMEOUT:
            return PlayerSilent(f"{engine.name} did not answer")
        case EngineFailure.ILLEGAL_MOVE:
            return PlayerCheated(f"{engine.name} answered {run.message.decode(errors='replace')[:60]!r}")
        case _:
            return None


# --- One position after another: what label_positions() does, in Python -----------------------------------------------


def label_slowly(engine: Engine, positions: NDArray[np.void], teaching: TeacherSettings) -> LabelRun:
    """Ask through the same door as everybody who wants a move. For systems whose pipes cannot be polled."""
    if teaching.wdl:
        raise UsageError("chances to win, draw and lose are not heard here", hint="leave --wdl out")
    labels = np.zeros(len(positions), LABEL)
    lines = np.zeros((len(positions), teaching.lines), LINE)
    for number, row in enumerate(positions):
        position = unpack(row)
        if teaching.independent and number:
            engine.new_game(position.is_chess960())
        reply = engine.ask(position, teaching.limits, teaching.whole_patience)
        labels[number], lines[number] = _to_rows(reply, teaching.lines)
    return LabelRun(labels, lines, EngineFailure.NONE, b"")


def _to_rows(reply: Reply, count: int) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """A reply as bytes."""
    lines = np.zeros(count, LINE)
    lines["value"] = NO_VALUE
    for place, line in enumerate(reply.lines[:count]):
        lines[place] = line.moves[0].bits, _centipawns(line.value)
    label = np.zeros((), LABEL)
    label["move"], label["nodes"] = reply.move.bits, reply.nodes
    label["value"] = lines["value"][0]
    label["depth"] = reply.lines[0].depth if reply.lines else 0
    return label, lines


def _centipawns(value: Value) -> int:
    if value.mate is None:
        return value.centipawns
    return MATE - value.mate if value.mate > 0 else -MATE - value.mate
