"""
Run a TD-Leaf training.

The folder is a run (docs/reference/runs.md) with
the plan, the first brain, checkpoints, brains at intervals with their strength,
and at the end the brain. After kill -9 the same call resumes, and gives the same bytes.
"""

import json
import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from okapi.brains.library import BRAIN
from okapi.core import version
from okapi.data.runs import Run
from okapi.files import replace_file
from okapi.formats.numbers import interval, lasted
from okapi.optimize.run_log import read_json_lines, whole_lines
from okapi.recipes.config import NO_SNAPSHOTS, SnapshotConfig
from okapi.recipes.run import DataUse, RecipeProgress, RecipeResult, RecipeRun
from okapi.recipes.snapshots import SHARE, Snapshots
from okapi.recipes.tdleaf import BackgroundTest, TdLeafEstimate, TdLeafRecipe, TdLeafSpeed, estimate_run, measure_speed
from okapi.training.report import refuse_settings
from okapi.training.tdleaf import TdLeafProgress, TdLeafTraining
from okapi.training.tdleaf_learners import Learner, StartPositions, bootstrap, find_learner, selfplay_positions

BOOTSTRAP: Final = "bootstrap.safetensors"
PLAN: Final = "plan.json"
STAGES: Final = "stages"
"""Brains on the way, by their iteration."""
STRENGTH: Final = "strength.jsonl"
OUTCOME: Final = "outcome.json"

LEAST_ITERATIONS: Final = 10

POINTS: Final = 400
"""Of the curve of errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TdLeafResult:
    iterations: int
    positions: int
    leaves: int
    seconds: float
    played_s: float
    begun: Mapping[str, Any] = field(default_factory=dict)
    trained: Mapping[str, Any] = field(default_factory=dict)
    estimate: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        return cls(**{"estimate" if name == "outlook" else name: value for name, value in told.items()})

    @property
    def positions_per_second(self) -> float:
        """That were searched, learning included."""
        return self.positions / max(self.seconds, 1e-9)


def run_tdleaf(
    recipe: TdLeafRecipe,
    folder: Path,
    *,
    tell: Callable[[TdLeafEstimate], object] = lambda estimate: None,
    watch: Callable[[TdLeafProgress, Mapping[str, Any]], object] = lambda now, strength: None,
    stop: Callable[[], bool] = lambda: False,
    snapshots: SnapshotConfig = NO_SNAPSHOTS,
) -> TdLeafResult:
    """Train by self-play, or resume.

    `tell` gets the estimate, `watch` the progress after each iteration, with the last measured strength. If `stop`
    returns True, everything is saved and Unfinished raised. UsageError if the folder was begun with other settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    about = {"recipe": recipe.name, **recipe.settings}
    with Run.start(folder, "train", unit="iterations", title=recipe.title, settings=about) as run:
        starts, learner = _begin(recipe, folder)
        estimate = _estimate(recipe, folder, learner, starts)
        run.set_total(estimate.iterations)
        tell(estimate)
        path = folder / OUTCOME
        if path.exists():
            finished = TdLeafResult.from_json(json.loads(path.read_bytes()))
            if finished.iterations == estimate.iterations:
                return finished
        plan = recipe.plan(estimate.iterations)
        kept = Snapshots(run, snapshots, threads=recipe.threads)
        training = TdLeafTraining(learner, starts, plan, folder, threads=recipe.threads, snapshots=kept.count)

        def take(iteration: int) -> None:
            card = {**_card(recipe, iteration, training.positions), "name": f"{recipe.called} at iteration {iteration}"}
            kept.take(iteration, training.brain(card))

        log = _TdLeafLog(recipe, folder, run, training, watch)
        try:
            last = training.run(log.note, stop, take)
        finally:
            log.close()
        replace_file(folder / BRAIN, training.brain(_card(recipe, last.iteration, last.positions)))
        kept.finish()
        begun, trained = _measured(recipe, folder)
        outcome = TdLeafResult(
            iterations=last.iteration,
            positions=last.positions,
            leaves=last.leaves,
            seconds=round(last.seconds, 3),
            played_s=round(last.played_s, 3),
            begun=begun,
            trained=trained,
            estimate=estimate.as_json(),
        )
        run.log(last.iteration, **_numbers(trained))
        replace_file(path, json.dumps(asdict(outcome), indent=1).encode())
        return outcome


def run_recipe(run: RecipeRun) -> RecipeResult:
    """Run a recipe of method `tdleaf`: its errors as a curve, or its Elo once that was measured."""
    if run.time is not None:
        run = run.changed(iterations=0, hours=run.time.once("hours", lambda left: (1 - SHARE) * left / 3600))
    made: TdLeafRecipe = run.make()
    errors: deque[tuple[float, float]] = deque(maxlen=POINTS)
    elos: dict[float, float] = {}

    def watch(now: TdLeafProgress, strength: Mapping[str, Any]) -> None:
        errors.append((now.iteration, now.error))
        if strength.get("elo") is not None:
            elos[strength["iteration"]] = strength["elo"]
        measured = (
            f"after {strength['iteration']} Elo {strength['elo']:+.0f}" if strength.get("elo") is not None else ""
        )
        points = f"STS {strength['sts']:,.0f}" if strength.get("sts") is not None else ""
        rate = f"{now.positions / max(now.seconds, 1e-9):,.0f} positions/s"
        told = (f"iteration {now.iteration}/{now.iterations}", rate, f"error {now.error:.4f}", measured, points)
        run.watch(
            RecipeProgress(
                done=now.iteration / now.iterations,
                text=", ".join(filter(None, told)),
                curves={"Elo over its beginning": list(elos.items())} if elos else {"error": list(errors)},
            )
        )

    run.tell(made.title)
    tell: Callable[[TdLeafEstimate], object] = lambda estimate: run.plan(_told(estimate, made.threads))  # noqa: E731
    outcome = run_tdleaf(made, run.folder, tell=tell, watch=watch, stop=run.stop, snapshots=run.config.snapshots())
    figures = {
        **asdict(outcome),
        "positions_per_second": round(outcome.positions_per_second, 1),
        "trained": {name: _finite(value) for name, value in outcome.trained.items()},
        "outlook": outcome.estimate,  # until version 0.9
    }
    left_out = {"without a value that can change": outcome.positions - outcome.leaves}
    data = DataUse(used=outcome.leaves, found=outcome.positions, left_out=left_out)
    return RecipeResult(figures=figures, lines=list(_summary(outcome)), data=data)


def _told(estimate: TdLeafEstimate, threads: int) -> str:
    return (
        f"{estimate.iterations:,} iterations, {estimate.positions:,} positions at "
        f"{estimate.positions_per_second:,.0f}/s on {threads} threads: about {lasted(estimate.seconds)}; earlier runs "
        f"of this length gained {estimate.sts_gain:,.0f} of 15,000 STS points and {estimate.elo_gain:.0f} Elo"
    )


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
    yield f"Elo within {interval(_finite(now['elo_low']), _finite(now['elo_high']))}{began}"


def read_strength(folder: Path) -> list[dict[str, Any]]:
    """What was measured on the way: iteration, positions, seconds, sts (None without a suite), elo, its interval."""
    return read_json_lines(folder / STRENGTH, "delete it: it will be begun anew")


def _begin(recipe: TdLeafRecipe, folder: Path) -> tuple[StartPositions, Learner]:
    """The start positions, and the learner after its bootstrap, which is saved as a brain."""
    path = folder / BOOTSTRAP
    kept = json.loads((folder / PLAN).read_bytes()) if (folder / PLAN).exists() else None
    if kept is not None:
        refuse_settings(folder, kept["settings"], recipe.settings, FREE)
    learner = recipe.learner()
    starts = recipe.starts
    if starts is None:
        from okapi.brains import evaluator

        count, seed = recipe.settings["own_games"], recipe.settings["seed"]
        starts = selfplay_positions(evaluator("material"), count, seed=seed, threads=recipe.threads)
    if not path.exists():
        if recipe.settings["bootstrap"]:
            settings = {"positions": recipe.settings["bootstrap"], "epochs": recipe.settings["bootstrap_epochs"]}
            bootstrap(learner, starts, **settings, seed=recipe.settings["seed"], threads=recipe.threads)
        replace_file(path, learner.brain(_card(recipe, 0, 0)))
    return starts, find_learner(str(path))


FREE: Final = frozenset(
    ["iterations", "hours", "core_hours", "suite", "suite_nodes", "games", "game_nodes", "gauge_every", "size"]
)
"""Settings that may change when a run resumes: how long it lasts and how it is gauged."""


def _estimate(recipe: TdLeafRecipe, folder: Path, learner: Learner, starts: StartPositions) -> TdLeafEstimate:
    """The estimate from the start of the run; a new one if the length changed."""
    path = folder / PLAN
    length = {name: recipe.settings[name] for name in ("iterations", "hours", "core_hours")}
    settings = json.loads(json.dumps(dict(recipe.settings)))
    if path.exists():
        kept = json.loads(path.read_bytes())
        if kept["length"] == length:
            return TdLeafEstimate(**kept.get("estimate", kept.get("outlook")))  # `outlook`: until version 0.9
    pace: TdLeafSpeed = measure_speed(learner, starts, recipe.plan(1), recipe.threads)
    asked = recipe.settings["iterations"] or round(3600 * recipe.hours / pace.seconds(recipe.plan(1)))
    estimate = estimate_run(recipe.plan(asked if recipe.settings["iterations"] else max(LEAST_ITERATIONS, asked)), pace)
    told = {"settings": settings, "length": length, "estimate": estimate.as_json()}
    replace_file(path, json.dumps(told, indent=1).encode())
    return estimate


def _card(recipe: TdLeafRecipe, iteration: int, positions: int) -> dict[str, str]:
    """Where a brain comes from. Says nothing of time or machine: the same work gives the same bytes."""
    return {
        "name": recipe.called,
        "recipe": f"okapi train {recipe.name}",
        "made_with": f"okapi {version}",
        "settings": json.dumps(dict(recipe.settings)),
        "iteration": str(iteration),
        "positions": str(positions),
    }


def _measured(recipe: TdLeafRecipe, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The strength of the first brain and of the last, on all threads."""
    threads, gauge = recipe.threads, recipe.gauge
    begun = {"sts": gauge.points(folder / BOOTSTRAP, threads=threads)}
    return begun, asdict(gauge.measure(folder / BRAIN, folder / BOOTSTRAP, threads=threads))


def _numbers(strength: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in strength.items() if value is not None}


class _TdLeafLog:
    """Logs the curves of a run, and measures brains at intervals."""

    def __init__(
        self,
        recipe: TdLeafRecipe,
        folder: Path,
        run: Run,
        training: TdLeafTraining,
        watch: Callable[[TdLeafProgress, Mapping[str, Any]], object],
    ) -> None:
        self._recipe = recipe
        self._folder = folder
        self._run = run
        self._teaching = training
        self._watch = watch
        self._gauging = BackgroundTest(recipe.gauge, folder / BOOTSTRAP)
        whole_lines(folder / STRENGTH)  # cuts off what a killed writer left
        measured = read_strength(folder)
        self._last: dict[str, Any] = measured[-1] if measured else {}
        self._asked = max((entry["iteration"] for entry in measured), default=-recipe.gauge.every)
        (folder / STAGES).mkdir(exist_ok=True)

    def note(self, now: TdLeafProgress) -> None:
        share = now.played_s / now.seconds if now.seconds else math.nan
        self._run.log(now.iteration, error=now.error, loss=now.loss, rate=now.rate, playing=share)
        self._gauged()
        every = self._recipe.gauge.every
        if every and not self._gauging.busy and now.iteration - self._asked >= every:
            self._gauge(now)
        self._watch(now, self._last)

    def close(self) -> None:
        self._gauging.close()

    def _gauge(self, now: TdLeafProgress) -> None:
        self._asked = now.iteration
        stage = self._folder / STAGES / f"{now.iteration:06}.safetensors"
        replace_file(stage, self._teaching.brain(_card(self._recipe, now.iteration, now.positions)))
        about = {"iteration": now.iteration, "positions": now.positions, "seconds": round(now.seconds, 1)}
        self._gauging.start(stage, about)

    def _gauged(self) -> None:
        """Log a finished measurement, with its iteration."""
        found = self._gauging.found()
        if found is None:
            return
        about, strength = found
        measured = {name: _finite(value) for name, value in asdict(strength).items()}
        self._last = {**about, **measured}
        with (self._folder / STRENGTH).open("ab") as file:
            file.write(json.dumps(self._last).encode() + b"\n")
        self._run.log(about["iteration"], **_numbers(measured))


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 1)
