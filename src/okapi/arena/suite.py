"""Test suites: positions with a best move, moves to avoid, points for each move, or a mate to find."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from statistics import fmean, median
from time import perf_counter
from typing import Any, Final, Literal

from okapi.core import Decision, Limits, Move, Position, Value
from okapi.errors import InvalidEpd, OkapiError, PlayerFailed
from okapi.formats.epd import Epd, read_epd
from okapi.players import Player
from okapi.players.player import call_if_supported

WORST_CP: Final = 1_000
"""The largest difference: sabatelli2018 counts a move that gets mated as 10 pawns, too."""

MATE_CP: Final = 10_000

BALANCED_CP: Final = 150
"""Up to here sabatelli2018 calls a position balanced."""


@dataclass(frozen=True, slots=True)
class MoveComparison:
    """Two moves compared by a reference engine: the Δcp of sabatelli2018."""

    best: Move
    """The best of the suite's moves or, if it has none, the reference engine's own move."""
    value: Value
    """The value of the position after `best`, for the side to move."""
    played: Value
    delta: int
    """Centipawns lost by the played move; negative if it is better than the suite's move."""


@dataclass(frozen=True, eq=False)
class ReferenceEngine:
    """A strong player that scores moves, and its limits for each position."""

    player: Player
    limits: Limits

    def compare(self, position: Position, played: Move, best: Iterable[Move] = ()) -> MoveComparison:
        """Compare the positions after the best move and after the played move."""
        named = list(best) or [self._decide(position).move]
        values = {move: self.value(position, move) for move in dict.fromkeys([*named, played])}
        top = played if played in named else max(named, key=lambda move: _centipawns(values[move]))
        delta = _centipawns(values[top]) - _centipawns(values[played])
        return MoveComparison(top, values[top], values[played], max(-WORST_CP, min(WORST_CP, delta)))

    def value(self, position: Position, move: Move) -> Value:
        """The value of a move for the side that plays it."""
        after = position.after(move)
        if after.is_checkmate():
            return Value.from_mate(1, position.turn)
        if after.ending() is not None:
            return Value(0.5, position.turn)
        return self._decide(after).value.for_side(position.turn)

    def _decide(self, position: Position) -> Decision:
        call_if_supported(self.player, "new_game")
        return self.player.choose(position.copy(), self.limits)


def summary(deltas: list[int]) -> dict[str, Any]:
    """The mean and median of many differences."""
    return {
        "mean": round(fmean(deltas), 1) if deltas else 0.0,
        "median": round(median(deltas), 1) if deltas else 0.0,
        "balanced": sum(delta <= BALANCED_CP for delta in deltas),
        "positions": len(deltas),
    }


def _centipawns(value: Value) -> int:
    worth = value.centipawns if value.mate is None else math.copysign(MATE_CP, value.mate)
    return max(-MATE_CP, min(MATE_CP, int(worth)))


@dataclass(frozen=True, slots=True)
class SuiteTask:
    """One position of a suite, and what is to be found."""

    number: int
    name: str
    theme: str
    position: Position
    best: tuple[Move, ...] = ()
    avoid: tuple[Move, ...] = ()
    graded: Mapping[Move, int] = field(default_factory=dict)
    mate: int | None = None
    """Find a mate in so many moves."""

    @classmethod
    def of(cls, line: Epd, number: int, suite: str = "") -> "SuiteTask":
        """The task of an EPD line; InvalidEpd if it has none."""
        operations, graded = line.operations, _graded(line)
        name = str(operations.get("id") or f"{suite} {number}".strip())
        most = max(graded.values(), default=0)
        best = tuple(move for move, points in graded.items() if points == most) or line.moves("bm")
        mate = dm if isinstance(dm := operations.get("dm"), int) else None
        task = cls(number, name, _theme(operations) or suite, line.position, best, line.moves("am"), graded, mate)
        if not (task.best or task.avoid or task.mate):
            raise InvalidEpd("there is nothing to find", hint='a suite has bm, am, dm, or points such as c0 "Nf3=10"')
        return task

    @property
    def most(self) -> int:
        return max(self.graded.values(), default=1)

    def solved_by(self, decision: Decision) -> bool:
        if self.best:
            return decision.move in self.best
        if self.avoid:
            return decision.move not in self.avoid
        return decision.value.mate is not None and 0 < decision.value.mate <= (self.mate or 0)

    def wanted(self) -> str:
        if not self.best and not self.avoid:
            return f"mate in {self.mate}"
        return ("" if self.best else "not ") + " ".join(map(self.position.san, self.best or self.avoid))


@dataclass(frozen=True, slots=True)
class SuiteAnswer:
    task: SuiteTask
    decision: Decision | None
    """None if the player failed."""
    seconds: float
    comparison: MoveComparison | None = None
    failure: str = ""

    @property
    def solved(self) -> bool:
        return self.decision is not None and self.task.solved_by(self.decision)

    @property
    def points(self) -> int:
        if self.task.graded:
            return 0 if self.decision is None else self.task.graded.get(self.decision.move, 0)
        return int(self.solved)

    @property
    def played(self) -> str:
        return self.failure or "–" if self.decision is None else self.task.position.san(self.decision.move)

    def as_json(self) -> dict[str, Any]:
        task, decision = self.task, self.decision
        about: dict[str, Any] = {
            "id": task.name,
            "theme": task.theme,
            "fen": task.position.fen(),
            "best": list(map(task.position.uci, task.best)),
            "avoid": list(map(task.position.uci, task.avoid)),
            "played": None if decision is None else task.position.uci(decision.move),
            "solved": self.solved,
            "points": self.points,
            "max_points": task.most,
            "seconds": round(self.seconds, 3),
        }
        if decision is not None:
            about |= {"nodes": decision.nodes, "depth": decision.depth}
        return about if self.comparison is None else {**about, "delta_cp": self.comparison.delta}


@dataclass(frozen=True, slots=True)
class SuiteScore:
    positions: int
    solved: int
    points: int
    max_points: int

    @classmethod
    def of(cls, answers: Sequence[SuiteAnswer]) -> "SuiteScore":
        solved, points = sum(answer.solved for answer in answers), sum(answer.points for answer in answers)
        return cls(len(answers), solved, points, sum(answer.task.most for answer in answers))


def by_theme(answers: Iterable[SuiteAnswer]) -> tuple[SuiteScore, dict[str, SuiteScore]]:
    """The score of all answers, and that of each theme, in the order of the file."""
    ordered = sorted(answers, key=lambda answer: answer.task.number)
    themes = defaultdict[str, list[SuiteAnswer]](list)
    for answer in ordered:
        themes[answer.task.theme].append(answer)
    return SuiteScore.of(ordered), {theme: SuiteScore.of(those) for theme, those in themes.items()}


GRADE: Final = re.compile(r"\s*([KQRBNOa-h0][A-Za-z0-9+#=-]*)=(\d+)\s*")
"""Nf3=10; promotions have a second =."""

STS: Final = re.compile(r"STS\s*\(?(v?[\d.]+)?\)?[:\s]*(.*?)[\s.]*\d*")
NUMBERED: Final = re.compile(r"\D*\d+\s*[-:]\s*(\D.*)")
"""ERET 001 - Entlastung, PET003: Pawn endgame."""


def read_suite(path: Path) -> list[SuiteTask]:
    tasks = []
    for number, line in enumerate(read_epd(path), start=1):
        try:
            tasks.append(SuiteTask.of(line, number, path.stem))
        except OkapiError as error:
            raise InvalidEpd(f"{path.name}, position {number}: {error}", hint=error.hint) from None
    if not tasks:
        raise InvalidEpd(f"there is no position in {path.name}", hint="a suite is an EPD file, one position a line")
    return _spelled_alike(tasks)


def _graded(line: Epd) -> dict[Move, int]:
    """The points of moves: c0 "Nf3=10, e4=5", or the moves in c9 (or c7) and their points in c8."""
    items = str(line.operations.get("c0", "")).split(",")
    matches = [GRADE.fullmatch(item) for item in items]
    if all(matches):
        return {line.position.move(match[1]): int(match[2]) for match in matches if match}
    moves = str(line.operations.get("c9") or line.operations.get("c7") or "").split()
    points = str(line.operations.get("c8", "")).split()
    if not points or len(moves) != len(points) or not all(point.isdigit() for point in points):
        return {}
    return {line.position.move(move): int(point) for move, point in zip(moves, points, strict=True)}


def _theme(operations: Mapping[str, object]) -> str:
    """The theme of a position, from its name or a comment: Open Files for `STS(v2.2) Open Files.003`."""
    for comment in (str(operations.get(f"c{number}", "")) for number in range(10)):
        if comment.lower().startswith("theme:"):
            return comment.partition(":")[2].strip()
    name = str(operations.get("id", ""))
    if (found := STS.fullmatch(name)) or (found := NUMBERED.fullmatch(name)):
        return found[found.lastindex or 0].strip()
    return re.sub(r"^[\d. ]+|[\d\W_]+$", "", re.sub(r"\(.*\)", "", name))


def _spelled_alike(tasks: list[SuiteTask]) -> list[SuiteTask]:
    """One spelling for each theme of STS, the most common one: its positions use several."""
    versions = {task.number: found[1] for task in tasks if (found := STS.fullmatch(task.name)) and found[1]}
    spellings = defaultdict[str | None, Counter[str]](Counter)
    for task in tasks:
        spellings[versions.get(task.number)][task.theme] += 1
    usual = {version: counted.most_common(1)[0][0] for version, counted in spellings.items() if version}
    return [replace(task, theme=usual.get(versions.get(task.number, ""), task.theme)) for task in tasks]


def run_suite(
    tasks: Iterable[SuiteTask],
    make_player: Callable[[], Player],
    limits: Limits,
    *,
    make_reference: Callable[[], ReferenceEngine] | None = None,
    concurrency: int = 1,
) -> Iterator[SuiteAnswer]:
    """Yield the answer to each task when it is there. `make_player` and `make_reference` are called once a thread.

    Players are reset between positions. A player that fails has not solved the position, and is replaced.
    """
    idle: SimpleQueue[_SuiteWorker] = SimpleQueue()
    workers: list[_SuiteWorker] = []
    answers: list[Future[SuiteAnswer]] = []
    pool = ThreadPoolExecutor(concurrency)
    try:
        for _ in range(concurrency):
            workers.append(_SuiteWorker(make_player, None if make_reference is None else make_reference()))
            idle.put(workers[-1])
        answers += [pool.submit(_solve, task, idle, limits) for task in tasks]
        yield from (answer.result() for answer in as_completed(answers))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        while thinking := [answer for answer in answers if not answer.done()]:
            for worker in workers:
                worker.call("stop")
            wait(thinking, timeout=0.1)  # a search may have started after stop()
        for worker in workers:
            worker.call("close")


class _SuiteWorker:
    def __init__(self, make_player: Callable[[], Player], reference: ReferenceEngine | None) -> None:
        self._make_player, self._player, self.reference = make_player, make_player(), reference

    def decide(self, position: Position, limits: Limits) -> Decision:
        """Ask the player; a player that fails is replaced."""
        try:
            call_if_supported(self._player, "new_game")
            return self._player.choose(position, limits)
        except PlayerFailed:
            call_if_supported(self._player, "close")
            self._player = self._make_player()
            raise

    def call(self, what: Literal["stop", "close"]) -> None:
        for player in (self._player, self.reference and self.reference.player):
            call_if_supported(player, what)


def _solve(task: SuiteTask, workers: "SimpleQueue[_SuiteWorker]", limits: Limits) -> SuiteAnswer:
    worker = workers.get()
    begun, comparison = perf_counter(), None
    try:
        decision = worker.decide(task.position.copy(), limits)
        seconds = perf_counter() - begun
        if worker.reference is not None:
            comparison = worker.reference.compare(task.position, decision.move, task.best)
        return SuiteAnswer(task, decision, seconds, comparison)
    except PlayerFailed as error:
        return SuiteAnswer(task, None, perf_counter() - begun, failure=str(error))
    finally:
        workers.put(worker)
