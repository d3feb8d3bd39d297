"""`okapi train giraffe` and `okapi train tdleaf`: settings, an estimate of time and strength, and the run.

The folder is a run (docs/reference/runs.md) with the plan, the first brain, checkpoints, brains at intervals with their
strength, and at the end the brain. After kill -9 the same call resumes, and gives the same bytes.
"""

import json
import math
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch

from okapi.arena.suite import by_theme, read_suite, run_suite
from okapi.brains import card, evaluator, find
from okapi.core import Limits, version
from okapi.core.selfplay import play_tdleaf
from okapi.data.runs import Run
from okapi.errors import NotFound, UsageError
from okapi.files import file_hash, replace_file
from okapi.formats.numbers import finite, interval, lasted
from okapi.models.lai2015 import Giraffe
from okapi.optimize.executor import end_with_parent
from okapi.optimize.run_log import read_json_lines, whole_lines
from okapi.players.alphabeta import AlphaBeta
from okapi.recipes.config import RecipeConfig
from okapi.recipes.moves import game_library
from okapi.recipes.run import DataUse, RecipeProgress, RecipeResult, RecipeRun
from okapi.recipes.snapshots import SHARE, Snapshots, play_pairs
from okapi.training import tdleaf_learners
from okapi.training.report import refuse_settings
from okapi.training.tdleaf import WAYS, TdLeafConfig, TdLeafProgress, TdLeafTraining
from okapi.training.tdleaf_learners import GiraffeLearner, Learner, StartPositions, StorePositions


@dataclass(frozen=True, eq=False)
class TdLeafRecipe:
    name: str
    title: str
    called: str
    settings: Mapping[str, Any]
    """Everything that makes it what it is; JSON."""
    plan: Callable[[int], TdLeafConfig]
    """With so many iterations."""
    learner: Callable[[], Learner]
    """A new one, before its bootstrap."""
    starts: StartPositions | None
    """None: positions of self-play."""
    gauge: "StrengthTest"
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
    return _made("tdleaf", f"{card(brain).name}-tdleaf", config, settings, lambda: tdleaf_learners.find_learner(brain))


def _settings(config: RecipeConfig, recipe: str) -> dict[str, Any]:
    """The usual ones of this way and size, with the changes; optimiser and schedule by the names of their parts."""
    way = str(config.changes.get("way", "ours"))
    if way not in WAYS:
        raise UsageError(f"no way `{way}`", hint=f"expected {' or '.join(WAYS)}")
    usual = {"warmup": 0, "floor": 0.0, **WAYS[way]}
    for what in ("optimiser", "schedule"):
        record = dict(usual.pop(what))
        usual |= {what: record.pop("name"), **record}
    return config.settings_of(recipe, usual)


def _plan(settings: Mapping[str, Any], seed: int, iterations: int) -> TdLeafConfig:
    parts = ("warmup", "floor") if settings["schedule"] == "cosine" else ()
    schedule = {"name": settings["schedule"], **{name: settings[name] for name in parts}}
    how = {"optimiser": {"name": settings["optimiser"], "lr": settings["lr"]}, "schedule": schedule}
    return TdLeafConfig.from_settings(settings, iterations=iterations, seed=seed, **how)


def _made(
    name: str, called: str, config: RecipeConfig, settings: dict[str, Any], learner: Callable[[], Learner]
) -> TdLeafRecipe:
    suite = Path(settings["suite"]) if settings["suite"] else None
    if suite is not None and not suite.exists():
        raise NotFound(f"no suite at `{suite}`")
    library = None if config.games is None else game_library(config)
    about = {"suite": suite.name if suite else "", "from": library.name if library else "own games"}
    tested = {key: settings[key] for key in ("suite_nodes", "games", "game_nodes")}
    plan, starts = partial(_plan, settings, config.seed), StorePositions(library.store) if library else None
    plan(1)  # says at once what is wrong with it
    gauge = StrengthTest(suite=suite, every=settings["gauge_every"], **tested)
    title, told, threads = f"{called} by TD-Leaf", config.about(settings, **about), config.executor.workers
    return TdLeafRecipe(name, title, called, told, plan, learner, starts, gauge, threads)


MEASURE_S: Final = 1.0

REACHED: Final = ((0, 730_000, 1_800_000, 4_250_000, 9_110_000), (0, 1430, 1850, 2250, 2414), (0, 338, 398, 417, 585))
"""Positions that a giraffe searched in training; STS points (of 15,000, with 10,000 nodes a position) and Elo that it
had more than its bootstrap then. docs/explanation/tdleaf.md has the command."""


class TdLeafSpeed(NamedTuple):
    """Positions a second that this machine searches on all threads, and leaves that this learner learns."""

    positions_per_second: float
    leaves_per_second: float

    def seconds(self, plan: TdLeafConfig) -> float:
        """For an iteration."""
        played = plan.starts * plan.plies
        fresh = plan.starts * (plan.plies - plan.least_plies) if plan.learn_from == "all" else plan.starts
        learned = plan.steps(fresh) * (plan.batch or fresh)
        return played / self.positions_per_second + learned / self.leaves_per_second


@dataclass(frozen=True, slots=True)
class TdLeafEstimate:
    """What will be searched and, as earlier runs with as many positions did, gained; learning included."""

    iterations: int
    positions: int
    seconds: float
    positions_per_second: float
    sts_gain: float
    elo_gain: float


def measure_speed(learner: Learner, starts: StartPositions, plan: TdLeafConfig, threads: int) -> TdLeafSpeed:
    """Play and train for some seconds; no weight is changed."""
    torch.set_num_threads(1)
    rng = np.random.default_rng([plan.seed, 0])
    evaluator = tdleaf_learners.evaluator_of(learner)
    tried, searched, begun = 32, 0, time.monotonic()
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
    return TdLeafSpeed(searched / played_s, learned / learned_s)


def estimate_run(plan: TdLeafConfig, pace: TdLeafSpeed) -> TdLeafEstimate:
    positions, seconds = plan.iterations * plan.starts * plan.plies, plan.iterations * pace.seconds(plan)
    speed = positions / max(seconds, 1e-9)
    return TdLeafEstimate(plan.iterations, positions, seconds, speed, *expected_gain(positions))


def expected_gain(positions: int) -> tuple[float, float]:
    """STS points and Elo that are gained with so many positions, between what was reached; beyond that, no more.

    >>> expected_gain(365_000)
    (715.0, 169.0)
    """
    points, elos = (round(float(np.interp(positions, REACHED[0], gain)), 1) for gain in REACHED[1:])
    return points, elos


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
        """Of any suite, as if it had 15,000 like the Strategic Test Suite."""
        if self.suite is None:
            return None
        limits = Limits(nodes=self.suite_nodes)
        answers = run_suite(read_suite(self.suite), lambda: AlphaBeta(str(brain)), limits, concurrency=threads)
        total, _ = by_theme(answers)
        return round(15_000 * total.points / total.max_points, 1)

    def measure(self, brain: Path, begun: Path, *, threads: int = 1) -> dict[str, Any]:
        """`sts`, None without a suite, and `elo`, `elo_low` and `elo_high` over the brain that it began as."""
        found = play_pairs(str(brain), str(begun), Limits(nodes=self.game_nodes), self.games, threads)
        points = self.points(brain, threads=threads)
        return {"sts": points, "elo": found.elo, "elo_low": found.low, "elo_high": found.high}


class BackgroundTest:
    """Measures one brain at a time, in a process of low priority."""

    def __init__(self, gauge: StrengthTest, begun: Path) -> None:
        self._gauge, self._begun = gauge, begun
        self._running: tuple[SpawnProcess, Connection, dict[str, Any]] | None = None

    @property
    def busy(self) -> bool:
        return self._running is not None

    def start(self, brain: Path, about: dict[str, Any]) -> None:
        """Measure this one; `about` comes back with what is found."""
        spawn = get_context("spawn")
        answers, theirs = spawn.Pipe(duplex=False)
        process = spawn.Process(target=_measure, args=(theirs, self._gauge, brain, self._begun), daemon=True)
        process.start()
        theirs.close()  # so that a killed process ends the pipe
        self._running = process, answers, about

    def found(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """What was measured since the last time, if anything; a process that failed has found nothing."""
        if self._running is None or not self._running[1].poll():
            return None
        _, answers, about = self._running
        try:
            return about, answers.recv()
        except EOFError:
            return None
        finally:
            self.close()

    def close(self) -> None:
        if self._running is not None:
            self._running[0].kill()
            self._running[0].join()
        self._running = None


def _measure(answers: Connection, gauge: StrengthTest, brain: Path, begun: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who learns
    end_with_parent()
    os.nice(10)
    answers.send(gauge.measure(brain, begun))


BOOTSTRAP, PLAN, STRENGTH, OUTCOME = "bootstrap.safetensors", "plan.json", "strength.jsonl", "outcome.json"
LENGTH: Final = ("iterations", "hours", "core_hours")


@dataclass(frozen=True, slots=True, kw_only=True)
class TdLeafResult:
    iterations: int
    positions: int
    leaves: int
    seconds: float
    played_s: float
    processor_s: float = 0.0
    begun: Mapping[str, Any] = field(default_factory=dict)
    trained: Mapping[str, Any] = field(default_factory=dict)
    estimate: Mapping[str, Any] = field(default_factory=dict)

    @property
    def positions_per_second(self) -> float:
        """That were searched, learning included."""
        return self.positions / max(self.seconds, 1e-9)


def run_tdleaf(recipe: TdLeafRecipe, run: RecipeRun) -> TdLeafResult:
    """Train by self-play, or resume: UsageError if the folder was begun with other settings."""
    folder = run.folder
    about = {"recipe": recipe.name, **recipe.settings}
    with Run.start(folder, "train", unit="iterations", title=recipe.title, settings=about) as log:
        starts, learner = _begin(recipe, folder)
        estimate = _estimate(recipe, folder, learner, starts)
        log.set_total(estimate.iterations)
        run.plan(_told(estimate, recipe.threads))
        path = folder / OUTCOME
        if path.exists():
            told = json.loads(path.read_bytes())
            finished = TdLeafResult(**{"estimate": told.pop("outlook", {}), **told})  # `outlook`: until version 0.9
            if finished.iterations == estimate.iterations:
                return finished
        plan = recipe.plan(estimate.iterations)
        kept = Snapshots(log, run.config.snapshots(), threads=recipe.threads)
        training = TdLeafTraining(learner, starts, plan, folder, threads=recipe.threads, snapshots=kept.count)

        def take(iteration: int) -> None:
            card = {**_card(recipe, iteration, training.positions), "name": f"{recipe.called} at iteration {iteration}"}
            kept.take(iteration, training.brain(card))

        curves = _TdLeafLog(recipe, run, log, training)
        try:
            last = training.run(curves.note, run.stop, take)
        finally:
            curves.close()
        replace_file(run.brain, training.brain(_card(recipe, last.iteration, last.positions)))
        kept.finish()
        began, gauge, threads = folder / BOOTSTRAP, recipe.gauge, recipe.threads
        trained = gauge.measure(run.brain, began, threads=threads)
        numbers = {"iterations": last.iteration, "positions": last.positions, "leaves": last.leaves}
        spent = {name: round(getattr(last, name), 3) for name in ("seconds", "played_s", "processor_s")}
        begun = {"sts": gauge.points(began, threads=threads)}
        outcome = TdLeafResult(**numbers, **spent, begun=begun, trained=trained, estimate=asdict(estimate))
        log.log(last.iteration, **trained)
        replace_file(path, json.dumps(asdict(outcome), indent=1).encode())
        return outcome


def run_recipe(run: RecipeRun) -> RecipeResult:
    if run.time is not None:
        run = run.changed(iterations=0, hours=run.time.once("hours", lambda left: (1 - SHARE) * left / 3600))
    made: TdLeafRecipe = run.make()
    run.tell(made.title)
    outcome = run_tdleaf(made, run)
    figures = {**asdict(outcome), "positions_per_second": round(outcome.positions_per_second, 1)}
    figures["trained"] = {name: finite(value) for name, value in outcome.trained.items()}
    figures["outlook"] = outcome.estimate  # until version 0.9
    left_out = {"without a value that can change": outcome.positions - outcome.leaves}
    data = DataUse(used=outcome.leaves, found=outcome.positions, left_out=left_out)
    return RecipeResult(figures=figures, lines=list(_summary(outcome)), data=data)


def _told(estimate: TdLeafEstimate, threads: int) -> str:
    speed = f"{estimate.positions_per_second:,.0f}/s on {threads} threads: about {lasted(estimate.seconds)}"
    gain = f"{estimate.sts_gain:,.0f} of 15,000 STS points and {estimate.elo_gain:.0f} Elo"
    length = f"{estimate.iterations:,} iterations, {estimate.positions:,} positions"
    return f"{length} at {speed}; earlier runs of this length gained {gain}"


def _summary(outcome: TdLeafResult) -> Iterator[str]:
    plan, begun, now = outcome.estimate, outcome.begun, outcome.trained
    rows = [
        ("", "plan", "outcome"),
        ("positions searched", f"{plan['positions']:,}", f"{outcome.positions:,}"),
        ("positions/s", f"{plan['positions_per_second']:,.0f}", f"{outcome.positions_per_second:,.0f}"),
        ("time", lasted(plan["seconds"]), lasted(outcome.seconds)),
        ("Elo over its beginning", f"{plan['elo_gain']:+.0f}", f"{now['elo']:+.0f}"),
    ]
    if now["sts"] is not None:
        rows.append(("STS points of 15,000", f"{begun['sts'] + plan['sts_gain']:,.0f}", f"{now['sts']:,.0f}"))
    yield from (f"{name:<26}{before:>14}{after:>14}" for name, before, after in rows)
    began = "" if now["sts"] is None else f"; it began with {begun['sts']:,.0f} points"
    yield f"Elo within {interval(finite(now['elo_low']), finite(now['elo_high']))}{began}"


def read_strength(folder: Path) -> list[dict[str, Any]]:
    """What was measured on the way: iteration, positions, seconds, sts (None without a suite), elo, its interval."""
    return read_json_lines(folder / STRENGTH, "delete it: it will be begun anew")


def _begin(recipe: TdLeafRecipe, folder: Path) -> tuple[StartPositions, Learner]:
    """The start positions, and the learner after its bootstrap, which is saved as a brain."""
    path, settings = folder / BOOTSTRAP, recipe.settings
    if (folder / PLAN).exists():  # how long it lasts and how it is gauged may change
        free = {*LENGTH, "size", "suite", "suite_nodes", "games", "game_nodes", "gauge_every"}
        refuse_settings(folder, json.loads((folder / PLAN).read_bytes())["settings"], settings, free)
    learner, same = recipe.learner(), {"seed": settings["seed"], "threads": recipe.threads}
    starts = recipe.starts
    if starts is None:
        starts = tdleaf_learners.selfplay_positions(evaluator("material"), settings["own_games"], **same)
    if not path.exists():
        if settings["bootstrap"]:
            count, epochs = settings["bootstrap"], settings["bootstrap_epochs"]
            tdleaf_learners.bootstrap(learner, starts, positions=count, epochs=epochs, **same)
        replace_file(path, learner.brain(_card(recipe, 0, 0)))
    return starts, tdleaf_learners.find_learner(str(path))


def _estimate(recipe: TdLeafRecipe, folder: Path, learner: Learner, starts: StartPositions) -> TdLeafEstimate:
    """The estimate from the start of the run; a new one if the length changed."""
    path = folder / PLAN
    length = {name: recipe.settings[name] for name in LENGTH}
    if path.exists():
        kept = json.loads(path.read_bytes())
        if kept["length"] == length:
            return TdLeafEstimate(**kept.get("estimate", kept.get("outlook")))  # `outlook`: until version 0.9
    pace = measure_speed(learner, starts, recipe.plan(1), recipe.threads)
    hours = length["hours"] or length["core_hours"] / recipe.threads
    fitting = max(10, round(3600 * hours / pace.seconds(recipe.plan(1))))
    estimate = estimate_run(recipe.plan(length["iterations"] or fitting), pace)
    told = {"settings": dict(recipe.settings), "length": length, "estimate": asdict(estimate)}
    replace_file(path, json.dumps(told, indent=1).encode())
    return estimate


def _card(recipe: TdLeafRecipe, iteration: int, positions: int) -> dict[str, str]:
    """Where a brain comes from. Says nothing of time or machine: the same work gives the same bytes."""
    card = {"name": recipe.called, "recipe": f"okapi train {recipe.name}", "made_with": f"okapi {version}"}
    card["settings"] = json.dumps(dict(recipe.settings))
    return {**card, "iteration": str(iteration), "positions": str(positions)}


class _TdLeafLog:
    """Logs and shows the curves of a run, and measures brains at intervals."""

    def __init__(self, recipe: TdLeafRecipe, run: RecipeRun, log: Run, training: TdLeafTraining) -> None:
        self._recipe, self._run, self._log, self._training = recipe, run, log, training
        self._test = BackgroundTest(recipe.gauge, run.folder / BOOTSTRAP)
        self.close = self._test.close
        self._errors: deque[tuple[float, float]] = deque(maxlen=400)
        self._elos: dict[float, float] = {}
        whole_lines(run.folder / STRENGTH)  # cuts off what a killed writer left
        measured = read_strength(run.folder)
        self._last: dict[str, Any] = measured[-1] if measured else {}
        self._asked = max((entry["iteration"] for entry in measured), default=-recipe.gauge.every)
        (run.folder / "stages").mkdir(exist_ok=True)

    def note(self, now: TdLeafProgress) -> None:
        share = now.played_s / now.seconds if now.seconds else math.nan
        self._log.log(now.iteration, error=now.error, loss=now.loss, rate=now.rate, playing=share)
        if found := self._test.found():
            about, strength = found
            measured = {name: finite(value) for name, value in strength.items()}
            self._last = {**about, **measured}
            with (self._run.folder / STRENGTH).open("ab") as file:
                file.write(json.dumps(self._last).encode() + b"\n")
            self._log.log(about["iteration"], **measured)
        every = self._recipe.gauge.every
        if every and not self._test.busy and now.iteration - self._asked >= every:
            self._asked = now.iteration
            stage = self._run.folder / "stages" / f"{now.iteration:06}.safetensors"
            replace_file(stage, self._training.brain(_card(self._recipe, now.iteration, now.positions)))
            about = {"iteration": now.iteration, "positions": now.positions, "seconds": round(now.seconds, 1)}
            self._test.start(stage, {**about, "processor_s": round(now.processor_s, 1)})
        self._show(now)

    def _show(self, now: TdLeafProgress) -> None:
        """Its errors as a curve, or its Elo once that was measured."""
        last = self._last
        self._errors.append((now.iteration, now.error))
        text = f"iteration {now.iteration}/{now.iterations}, {now.positions / max(now.seconds, 1e-9):,.0f} positions/s"
        text += f", error {now.error:.4f}"
        if last.get("elo") is not None:
            self._elos[last["iteration"]] = last["elo"]
            text += f", after {last['iteration']} Elo {last['elo']:+.0f}"
        if last.get("sts") is not None:
            text += f", STS {last['sts']:,.0f}"
        curves = {"Elo over its beginning": [*self._elos.items()]} if self._elos else {"error": [*self._errors]}
        self._run.watch(RecipeProgress(done=now.iteration / now.iterations, text=text, curves=curves))
