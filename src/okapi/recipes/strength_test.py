"""The strength of a brain during training: points of a suite, and games against the first brain, in another process."""

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import MatchResult, estimate_elo
from okapi.arena.openings import load_openings
from okapi.arena.suite import by_theme, read_suite, run_suite
from okapi.brains import evaluator
from okapi.core import InProcessMatch, Limits, MatchPlayer, both_colors
from okapi.players.alphabeta import AlphaBeta

__all__ = ["POINTS", "BackgroundTest", "Strength", "StrengthTest"]

POINTS: Final = 15_000
"""Of the whole Strategic Test Suite: points of any suite are scaled to it."""

NICENESS: Final = 10
"""Of the process that measures while others learn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """What was measured of a brain."""

    sts: float | None
    """Points, of POINTS; None without a suite."""
    elo: float
    """Against the brain that it began as."""
    elo_low: float
    elo_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthTest:
    """How strength is measured: in nodes, so that the load of the machine does not matter."""

    suite: Path | None
    suite_nodes: int
    games: int
    game_nodes: int
    every: int
    """Iterations from one measurement to the next, at least."""

    def points(self, brain: Path, *, threads: int = 1) -> float | None:
        """What the suite says, if there is one."""
        if self.suite is None:
            return None
        limits = Limits(nodes=self.suite_nodes)
        answers = run_suite(read_suite(self.suite), lambda: AlphaBeta(str(brain)), limits, concurrency=threads)
        total, _ = by_theme(answers)
        return round(POINTS * total.points / total.max_points, 1)

    def measure(self, brain: Path, begun: Path, *, threads: int = 1) -> Strength:
        """The points of a brain, and its Elo against the one that it began as."""
        starts = load_openings(count=(self.games + 1) // 2, seed=1)
        first, second = (MatchPlayer(evaluator(str(path)), Limits(nodes=self.game_nodes)) for path in (brain, begun))
        scores = [
            match_game.score for match_game in InProcessMatch(first, second, both_colors(starts), threads=threads)
        ]
        found = estimate_elo(MatchResult.of(zip(scores[::2], scores[1::2], strict=True)))
        points = self.points(brain, threads=threads)
        return Strength(sts=points, elo=found.elo, elo_low=found.low, elo_high=found.high)


class BackgroundTest:
    """Measures one brain at a time, in a process of low priority."""

    def __init__(self, gauge: StrengthTest, begun: Path) -> None:
        self._gauge = gauge
        self._begun = begun
        self._process: Any = None
        self._answers: Connection | None = None
        self._about: dict[str, Any] = {}

    @property
    def busy(self) -> bool:
        return self._process is not None

    def start(self, brain: Path, about: dict[str, Any]) -> None:
        """Measure this one; `about` comes back with what is found."""
        spawn = multiprocessing.get_context("spawn")
        self._answers, theirs = spawn.Pipe(duplex=False)
        self._about = about
        self._process = spawn.Process(target=_serve, args=(theirs, self._gauge, brain, self._begun), daemon=True)
        self._process.start()
        theirs.close()

    def found(self) -> tuple[dict[str, Any], Strength] | None:
        """What was measured since the last time, if anything; a process that failed has found nothing."""
        if self._answers is None or not self._answers.poll():
            return None
        strength: Strength | None = None
        with suppress(EOFError):
            strength = self._answers.recv()
        about = self._about
        self.close()
        return None if strength is None else (about, strength)

    def close(self) -> None:
        """Stop measuring."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._answers = None


def _serve(answers: Connection, gauge: StrengthTest, brain: Path, begun: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who learns
    threading.Thread(target=_die_with_parent, daemon=True).start()
    os.nice(NICENESS)
    answers.send(gauge.measure(brain, begun))


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)
