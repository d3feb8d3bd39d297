"""`okapi train giraffe` and `okapi train tdleaf`: settings, and an estimate of time and strength before the run."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from okapi.arena.elo import MatchResult, estimate_elo
from okapi.arena.openings import load_openings
from okapi.arena.suite import by_theme, read_suite, run_suite
from okapi.brains import card, evaluator, find
from okapi.core import InProcessMatch, Limits, MatchPlayer, both_colors
from okapi.core.selfplay import play_tdleaf
from okapi.errors import NotFound, UsageError
from okapi.files import file_hash
from okapi.models.lai2015 import Giraffe
from okapi.players.alphabeta import AlphaBeta
from okapi.recipes.config import RecipeConfig
from okapi.recipes.moves import game_library
from okapi.training.tdleaf import WAYS, TdLeafConfig
from okapi.training.tdleaf_learners import (
    GiraffeLearner,
    Learner,
    StartPositions,
    StorePositions,
    evaluator_of,
    find_learner,
)

FLAT: Final = ("optimiser", "schedule")
"""What a plan has as a record and people change by the names of its parts."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TdLeafRecipe:
    name: str
    title: str
    called: str
    settings: Mapping[str, Any]
    """Everything that makes it what it is; JSON."""
    plan: Callable[[int], TdLeafConfig]
    """The plan, with so many iterations."""
    learner: Callable[[], Learner]
    """A new learner, before its bootstrap."""
    starts: StartPositions | None
    """None: positions of self-play."""
    gauge: "StrengthTest"
    hours: float
    """By the clock; of no meaning where the iterations are given."""
    threads: int


def giraffe(config: RecipeConfig) -> TdLeafRecipe:
    """The network of lai2015: first material, then TD-Leaf on its own play, from nothing to a player."""
    settings = _settings(config, "giraffe")
    sizes = {name: settings[name] for name in ("position", "pieces", "squares", "hidden")}

    def fresh() -> Learner:
        torch.manual_seed(config.seed)
        return GiraffeLearner(Giraffe(**sizes), settings["encoding"])

    return _made("giraffe", "giraffe", config, settings, fresh)


def tdleaf(config: RecipeConfig) -> TdLeafRecipe:
    if "brain" not in config.changes:
        raise UsageError("which brain is to be trained?", hint="--brain NAME; `okapi brains list` shows them")
    settings = _settings(config, "tdleaf")
    brain = settings["brain"]
    settings["brain_file"] = file_hash(find(brain))
    return _made("tdleaf", f"{card(brain).name}-tdleaf", config, settings, lambda: find_learner(brain))


def _settings(config: RecipeConfig, recipe: str) -> dict[str, Any]:
    """The usual ones of this way and size, with the changes."""
    way = str(config.changes.get("way", "ours"))
    if way not in WAYS:
        raise UsageError(f"no way `{way}`", hint=f"expected {' or '.join(WAYS)}")
    return config.settings_of(recipe, _flat(WAYS[way]))


def _flat(plan: Mapping[str, Any]) -> dict[str, Any]:
    flat = dict(plan)
    for what in FLAT:
        record = dict(flat.pop(what))
        flat |= {what: record.pop("name"), **record}
    return {"warmup": 0, "floor": 0.0, **flat}


def _plan(settings: Mapping[str, Any], seed: int, iterations: int) -> TdLeafConfig:
    schedule: dict[str, Any] = {"name": settings["schedule"]}
    if settings["schedule"] == "cosine":
        schedule |= {"warmup": settings["warmup"], "floor": settings["floor"]}
    same = {name: settings[name] for name in WAYS["ours"] if name not in FLAT}
    optimiser = {"name": settings["optimiser"], "lr": settings["lr"]}
    return TdLeafConfig(iterations=iterations, seed=seed, optimiser=optimiser, schedule=schedule, **same)


def _made(
    name: str, called: str, config: RecipeConfig, settings: dict[str, Any], learner: Callable[[], Learner]
) -> TdLeafRecipe:
    suite = Path(settings["suite"]) if settings["suite"] else None
    if suite is not None and not suite.exists():
        raise NotFound(f"no suite at `{suite}`")
    about = {"from": "own games"}
    starts = None
    if config.games is not None:
        library = game_library(config)
        starts, about = StorePositions(library.store), {"from": library.name}
    gauge = StrengthTest(
        suite=suite,
        suite_nodes=settings["suite_nodes"],
        games=settings["games"],
        game_nodes=settings["game_nodes"],
        every=settings["gauge_every"],
    )
    threads = config.executor.workers
    _plan(settings, config.seed, 1)  # says at once what is wrong with it
    return TdLeafRecipe(
        name=name,
        title=f"{called} by TD-Leaf",
        called=called,
        settings={**settings, "suite": suite.name if suite else "", "size": config.size, "seed": config.seed, **about},
        plan=lambda iterations: _plan(settings, config.seed, iterations),
        learner=learner,
        starts=starts,
        gauge=gauge,
        hours=settings["hours"] or settings["core_hours"] / threads,
        threads=threads,
    )


# --- Estimate ---------------------------------------------------------------------------------------------------------

MEASURE_S: Final = 1.0
TRIED: Final = 32

REACHED: Final = (
    (0, 0, 0),
    (730_000, 1_430, 338),
    (1_800_000, 1_850, 398),
    (4_250_000, 2_250, 417),
    (9_110_000, 2_414, 585),
)
"""Positions that a giraffe searched in training; STS points (of 15,000, with 10,000 nodes a position) and Elo that it
had more than its bootstrap then. docs/explanation/tdleaf.md has the command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TdLeafSpeed:
    """Speeds that were measured on this machine, with this learner."""

    positions_per_second: float
    """Searched, on all threads."""
    leaves_per_second: float
    """Learned."""

    def seconds(self, plan: TdLeafConfig) -> float:
        """For an iteration."""
        played = plan.starts * plan.plies
        fresh = plan.starts * (plan.plies - plan.least_plies) if plan.learn_from == "all" else plan.starts
        learned = plan.steps(fresh) * (plan.batch or fresh)
        return played / self.positions_per_second + learned / self.leaves_per_second


@dataclass(frozen=True, slots=True, kw_only=True)
class TdLeafEstimate:
    iterations: int
    positions: int
    """That will be searched."""
    seconds: float
    positions_per_second: float
    """In all, learning included."""
    sts_gain: float
    elo_gain: float
    """Reached by earlier runs with as many positions."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def measure_speed(learner: Learner, starts: StartPositions, plan: TdLeafConfig, threads: int) -> TdLeafSpeed:
    """Play and train for some seconds; no weight is changed."""
    torch.set_num_threads(1)
    rng = np.random.default_rng([plan.seed, 0])
    evaluator = evaluator_of(learner)
    tried, searched, begun = TRIED, 0, time.monotonic()
    while (played_s := time.monotonic() - begun) < MEASURE_S or not searched:
        where = starts.draw(tried, rng)
        play_tdleaf(evaluator, where, plies=plan.plies, nodes=plan.nodes, seed=1, random_moves=1, threads=threads)
        searched += tried * plan.plies
        tried = min(2 * tried, plan.starts)
    where = starts.draw(plan.batch or plan.starts, rng)
    learned, begun = 0, time.monotonic()
    while (learned_s := time.monotonic() - begun) < MEASURE_S or not learned:
        learner.values(where, threads=threads).tanh().square().mean().backward()
        learned += len(where)
    learner.module.zero_grad()
    return TdLeafSpeed(positions_per_second=searched / played_s, leaves_per_second=learned / learned_s)


def estimate_run(plan: TdLeafConfig, pace: TdLeafSpeed) -> TdLeafEstimate:
    positions = plan.iterations * plan.starts * plan.plies
    seconds = plan.iterations * pace.seconds(plan)
    sts, elo = expected_gain(positions)
    return TdLeafEstimate(
        iterations=plan.iterations,
        positions=positions,
        seconds=seconds,
        positions_per_second=positions / max(seconds, 1e-9),
        sts_gain=sts,
        elo_gain=elo,
    )


def expected_gain(positions: int) -> tuple[float, float]:
    """STS points and Elo that are gained with so many positions, between what was reached; beyond that, no more.

    >>> expected_gain(365_000)
    (715.0, 169.0)
    """
    counts, points, elos = zip(*REACHED, strict=True)
    return round(float(np.interp(positions, counts, points)), 1), round(float(np.interp(positions, counts, elos)), 1)


# --- Strength during training -----------------------------------------------------------------------------------------

POINTS: Final = 15_000
"""Of the whole Strategic Test Suite: points of any suite are scaled to it."""

NICENESS: Final = 10
"""Of the process that measures while others learn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationStrength:
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
    """Iterations from one measurement to the next, at least; 0: only at the end."""

    def points(self, brain: Path, *, threads: int = 1) -> float | None:
        if self.suite is None:
            return None
        limits = Limits(nodes=self.suite_nodes)
        answers = run_suite(read_suite(self.suite), lambda: AlphaBeta(str(brain)), limits, concurrency=threads)
        total, _ = by_theme(answers)
        return round(POINTS * total.points / total.max_points, 1)

    def measure(self, brain: Path, begun: Path, *, threads: int = 1) -> IterationStrength:
        """The points of a brain, and its Elo against the one that it began as."""
        starts = load_openings(count=(self.games + 1) // 2, seed=1)
        first, second = (MatchPlayer(evaluator(str(path)), Limits(nodes=self.game_nodes)) for path in (brain, begun))
        scores = [
            match_game.score for match_game in InProcessMatch(first, second, both_colors(starts), threads=threads)
        ]
        found = estimate_elo(MatchResult.of(zip(scores[::2], scores[1::2], strict=True)))
        points = self.points(brain, threads=threads)
        return IterationStrength(sts=points, elo=found.elo, elo_low=found.low, elo_high=found.high)


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

    def found(self) -> tuple[dict[str, Any], IterationStrength] | None:
        """What was measured since the last time, if anything; a process that failed has found nothing."""
        if self._answers is None or not self._answers.poll():
            return None
        strength: IterationStrength | None = None
        with suppress(EOFError):
            strength = self._answers.recv()
        about = self._about
        self.close()
        return None if strength is None else (about, strength)

    def close(self) -> None:
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
