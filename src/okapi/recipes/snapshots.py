"""Snapshots of a run: brains on the way, from the untrained one to the last, and how strong each of them is.

A snapshot is a brain in RUN/checkpoints, named by its step. Short matches measure it against `material` and against the
snapshot before; they are the same whenever they are played, and take a small share of the run's time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import EloEstimate, MatchResult, estimate_elo
from okapi.arena.openings import load_openings
from okapi.brains import evaluator, is_native
from okapi.core import InProcessMatch, Limits, MatchPlayer, both_colors
from okapi.core.match import Adjudication
from okapi.data.runs import LOG_FILE, JsonLinesReader, Run
from okapi.files import replace_file
from okapi.recipes.config import SnapshotConfig

CHECKPOINTS: Final = "checkpoints"
OPPONENT: Final = "material"

SHARE: Final = 0.12
"""Of a run's time, for matches."""


PLAY: Final = Adjudication(resign_score=1000, resign_moves=3, draw_score=10, max_plies=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortMatch:
    """A match of a few games at a fixed depth, from the built-in openings with both colours."""

    games: int = 40
    depth: int = 3
    threads: int = 1

    @classmethod
    def affordable(cls, brain: Path, games: int, depth: int, threads: int) -> "ShortMatch":
        """Networks that the core evaluates in batches are a hundred times as slow: fewer games of one ply."""
        games, depth = (games, depth) if is_native(str(brain)) else (min(games, 20), 1)
        return cls(games=games, depth=depth, threads=threads)

    def play(self, first: str, second: str) -> EloEstimate:
        limits = Limits(depth=self.depth, nodes=1_000)  # an untrained network may search far beyond the depth
        return play_pairs(first, second, limits, self.games, self.threads, adjudication=PLAY)


def play_pairs(first: str, second: str, limits: Limits, games: int, threads: int, **rules: Any) -> EloEstimate:
    """The Elo of the first brain over the second in games from the built-in openings, each with both colours."""
    one, other = (MatchPlayer(evaluator(brain), limits) for brain in (first, second))
    starts = load_openings(count=(games + 1) // 2, seed=1)
    scores = [game.score for game in InProcessMatch(one, other, both_colors(starts), threads=threads, **rules)]
    return estimate_elo(MatchResult.of(zip(scores[::2], scores[1::2], strict=True)))


class Snapshots:
    """Keeps the snapshots of a run, and logs their Elo."""

    def __init__(
        self,
        run: Run,
        config: SnapshotConfig,
        *,
        threads: int = 1,
        folder: str = CHECKPOINTS,
        digits: int = 6,
        begun: float | None = None,
        share: float = SHARE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder` and `digits`: of the files, if the run keeps them itself. Matches take a share of the time."""
        self._run, self._config, self._threads, self._clock, self._share = run, config, threads, clock, share
        self._folder, self._digits = run.folder / folder, digits
        self._folder.mkdir(exist_ok=True)
        self._measured = measured_steps(run.folder)
        kept = self._kept() if config.elo and folder == CHECKPOINTS else []
        self._waiting = [step for step in kept if step not in self._measured]
        self._begun, self._spent = clock() if begun is None else begun, 0.0
        self._cost = 1.0  # of the last measurement, in seconds
        self.count = config.snapshots

    def take(self, step: int, brain: bytes) -> None:
        """Keep a brain, and measure as many snapshots as there is time for."""
        replace_file(self._path(step), brain)
        self.add(step)

    def add(self, step: int) -> None:
        """The same for a brain that is in its file already."""
        if self._config.elo and step not in self._measured and step not in self._waiting:
            self._waiting.append(step)
        if len(self._waiting) > 4:  # every second goes: the first ones would take all matches
            first, *others = self._waiting
            self._waiting = [first, *others[::-1][::2][::-1]]
        while self._waiting and self._spent + self._cost <= self._share * (self._clock() - self._begun):
            step = self._waiting.pop(0)
            self._run.log(step, **self._measure(step))

    def finish(self) -> None:
        """Measure the last one, and of the others as many as there is time for, evenly; they are logged by step."""
        if not self._waiting:
            return
        *others, last = self._waiting
        found = {last: self._measure(last)}
        left = self._share * (self._clock() - self._begun) - self._spent
        fitting = int(min(len(others), left / max(self._cost, 1e-9)))
        for number in range(fitting):
            step = others[(2 * number + 1) * len(others) // (2 * fitting)]
            found[step] = self._measure(step)
        for step, numbers in sorted(found.items()):
            self._run.log(step, **numbers)
        self._waiting = []

    def _path(self, step: int) -> Path:
        return self._folder / f"{step:0{self._digits}}.safetensors"

    def _kept(self) -> list[int]:
        return sorted(int(file.stem) for file in self._folder.glob("*.safetensors") if file.stem.isdecimal())

    def _measure(self, step: int) -> dict[str, float]:
        begun = self._clock()
        brain = self._path(step)
        match = ShortMatch.affordable(brain, self._config.elo_games, self._config.elo_depth, self._threads)
        numbers: dict[str, float] = {"games": match.games, "depth": match.depth}
        numbers |= _described("elo_material", match.play(str(brain), OPPONENT))
        if before := [each for each in self._kept() if each < step]:
            numbers |= _described("elo_previous", match.play(str(brain), str(self._path(before[-1]))))
        self._cost = self._clock() - begun
        self._spent += self._cost
        return numbers


def measured_steps(folder: Path) -> dict[int, dict[str, float]]:
    """What a run's log has of snapshots, by their steps."""
    log = JsonLinesReader(folder / LOG_FILE)
    found: dict[int, dict[str, float]] = {}
    while lines := list(log.new()):
        found |= {int(line["step"]): line for line in lines if "elo_material" in line}
    return found


def _described(name: str, found: EloEstimate) -> dict[str, float]:
    """Within 1000 Elo, where curves end: a match that is won or lost without a draw has no bound on one side."""
    values = {name: found.elo, f"{name}_low": found.low, f"{name}_high": found.high}
    return {key: round(max(-1000.0, min(1000.0, value)), 1) for key, value in values.items()}
