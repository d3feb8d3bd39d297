"""
A brain teaches itself in a folder, where everybody can see how it goes and nothing is lost.

The folder is a run (docs/runs.md) with the plan, the brain that it began as, checkpoints, brains on the way with their
strength, and in the end the brain. After kill -9 the same call goes on, and comes to the same bytes.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from okapi.core import version
from okapi.data.runs import Run
from okapi.errors import InvalidText, UsageError
from okapi.files import replace_file
from okapi.optimize.run_log import whole_lines
from okapi.recipes.evolution import BRAIN
from okapi.recipes.strength_test import BackgroundTest
from okapi.recipes.tdleaf import TdLeafEstimate, TdLeafRecipe, TdLeafSpeed, estimate_run, measure_speed
from okapi.training.tdleaf import TdLeafProgress, TdLeafTraining
from okapi.training.tdleaf_learners import Learner, StartPositions, bootstrap, selfplay_positions

__all__ = ["BOOTSTRAP", "OUTCOME", "PLAN", "STAGES", "STRENGTH", "TdLeafResult", "read_strength", "run_tdleaf"]

BOOTSTRAP: Final = "bootstrap.safetensors"
PLAN: Final = "plan.json"
STAGES: Final = "stages"
"""Brains on the way, by their iteration."""
STRENGTH: Final = "strength.jsonl"
OUTCOME: Final = "outcome.json"

LEAST_ITERATIONS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TdLeafResult:
    """What came of it."""

    iterations: int
    positions: int
    leaves: int
    seconds: float
    played_s: float
    begun: Mapping[str, Any] = field(default_factory=dict)
    """The strength that it began with."""
    trained: Mapping[str, Any] = field(default_factory=dict)
    outlook: Mapping[str, Any] = field(default_factory=dict)
    """What was expected before."""

    @property
    def positions_per_second(self) -> float:
        """That were searched, learning included."""
        return self.positions / max(self.seconds, 1e-9)


def run_tdleaf(
    order: TdLeafRecipe,
    folder: Path,
    *,
    tell: Callable[[TdLeafEstimate], object] = lambda outlook: None,
    watch: Callable[[TdLeafProgress, Mapping[str, Any]], object] = lambda now, strength: None,
    stop: Callable[[], bool] = lambda: False,
) -> TdLeafResult:
    """Let a brain teach itself, or go on with it.

    `tell` hears the plan, `watch` how it goes after each iteration, with the strength that was measured last; `stop`
    is asked whether to go on: if not, everything is kept and Unfinished raised. UsageError if the folder was begun
    with other settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    about = {"recipe": order.name, **order.settings}
    with Run.start(folder, "train", unit="iterations", title=order.title, settings=about) as run:
        starts, pupil = _begin(order, folder)
        outlook = _outlook(order, folder, pupil, starts)
        run.set_total(outlook.iterations)
        tell(outlook)
        path = folder / OUTCOME
        if path.exists():
            finished = TdLeafResult(**json.loads(path.read_bytes()))
            if finished.iterations == outlook.iterations:
                return finished
        teaching = TdLeafTraining(pupil, starts, order.plan(outlook.iterations), folder, threads=order.threads)
        diary = _RunLog(order, folder, run, teaching, watch)
        try:
            last = teaching.run(diary.note, stop)
        finally:
            diary.close()
        replace_file(folder / BRAIN, teaching.brain(_card(order, last.iteration, last.positions)))
        begun, trained = _measured(order, folder)
        outcome = TdLeafResult(
            iterations=last.iteration,
            positions=last.positions,
            leaves=last.leaves,
            seconds=round(last.seconds, 3),
            played_s=round(last.played_s, 3),
            begun=begun,
            trained=trained,
            outlook=outlook.as_json(),
        )
        run.log(last.iteration, **_numbers(trained))
        replace_file(path, json.dumps(asdict(outcome), indent=1).encode())
        return outcome


def read_strength(folder: Path) -> list[dict[str, Any]]:
    """What was measured on the way: iteration, positions, seconds, sts (None without a suite), elo, its interval."""
    path = folder / STRENGTH
    whole = path.read_bytes().rpartition(b"\n")[0].splitlines() if path.exists() else []
    try:
        return [json.loads(line) for line in whole]
    except ValueError:
        raise InvalidText(f"`{path}` is damaged", hint="delete it: it will be begun anew") from None


def _begin(order: TdLeafRecipe, folder: Path) -> tuple[StartPositions, Learner]:
    """Where games begin, and the pupil after its first lesson, which is kept as a brain."""
    path = folder / BOOTSTRAP
    kept = json.loads((folder / PLAN).read_bytes()) if (folder / PLAN).exists() else None
    if kept is not None:
        _refuse_others(folder, kept["settings"], order.settings)
    pupil = order.pupil()
    starts = order.starts
    if starts is None:
        from okapi.brains import evaluator

        count, seed = order.settings["own_games"], order.settings["seed"]
        starts = selfplay_positions(evaluator("material"), count, seed=seed, threads=order.threads)
    if not path.exists():
        if order.settings["bootstrap"]:
            settings = {"positions": order.settings["bootstrap"], "epochs": order.settings["bootstrap_epochs"]}
            bootstrap(pupil, starts, **settings, seed=order.settings["seed"], threads=order.threads)
        replace_file(path, pupil.brain(_card(order, 0, 0)))
    return starts, order.opened(str(path))


def _refuse_others(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """UsageError for another plan; how long it lasts and how it is gauged may change."""
    free = {"iterations", "hours", "core_hours", "suite", "suite_nodes", "games", "game_nodes", "gauge_every", "size"}
    for name in sorted({*found, *wanted} - free):
        if found.get(name) != wanted.get(name):
            raise UsageError(
                f"`{folder}` was begun otherwise: {name} {found.get(name)}, not {wanted.get(name)}",
                hint="choose another folder, or ask for the same again",
            )


def _outlook(order: TdLeafRecipe, folder: Path, pupil: Learner, starts: StartPositions) -> TdLeafEstimate:
    """The plan that was made when it began; a new one if its length is to be another."""
    path = folder / PLAN
    length = {name: order.settings[name] for name in ("iterations", "hours", "core_hours")}
    settings = json.loads(json.dumps(dict(order.settings)))
    if path.exists():
        kept = json.loads(path.read_bytes())
        if kept["length"] == length:
            return TdLeafEstimate(**kept["outlook"])
    pace: TdLeafSpeed = measure_speed(pupil, starts, order.plan(1), order.threads)
    asked = order.settings["iterations"] or round(3600 * order.hours / pace.seconds(order.plan(1)))
    outlook = estimate_run(order.plan(asked if order.settings["iterations"] else max(LEAST_ITERATIONS, asked)), pace)
    told = {"settings": settings, "length": length, "outlook": outlook.as_json()}
    replace_file(path, json.dumps(told, indent=1).encode())
    return outlook


def _card(order: TdLeafRecipe, iteration: int, positions: int) -> dict[str, str]:
    """Where a brain comes from. Says nothing of time or machine: the same work gives the same bytes."""
    return {
        "name": order.called,
        "recipe": f"okapi train {order.name}",
        "made_with": f"okapi {version}",
        "settings": json.dumps(dict(order.settings)),
        "iteration": str(iteration),
        "positions": str(positions),
    }


def _measured(order: TdLeafRecipe, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """How strong it was when it began, and now: on all threads, for nobody else is at work."""
    threads, gauge = order.threads, order.gauge
    begun = {"sts": gauge.points(folder / BOOTSTRAP, threads=threads)}
    return begun, asdict(gauge.measure(folder / BRAIN, folder / BOOTSTRAP, threads=threads))


def _numbers(strength: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in strength.items() if value is not None}


class _RunLog:
    """Writes the curves of a run, and lets brains be measured now and then."""

    def __init__(
        self,
        order: TdLeafRecipe,
        folder: Path,
        run: Run,
        teaching: TdLeafTraining,
        watch: Callable[[TdLeafProgress, Mapping[str, Any]], object],
    ) -> None:
        self._order = order
        self._folder = folder
        self._run = run
        self._teaching = teaching
        self._watch = watch
        self._gauging = BackgroundTest(order.gauge, folder / BOOTSTRAP)
        whole_lines(folder / STRENGTH)  # cuts off what a killed writer left
        measured = read_strength(folder)
        self._last: dict[str, Any] = measured[-1] if measured else {}
        self._asked = max((entry["iteration"] for entry in measured), default=-order.gauge.every)
        (folder / STAGES).mkdir(exist_ok=True)

    def note(self, now: TdLeafProgress) -> None:
        """After an iteration."""
        share = now.played_s / now.seconds if now.seconds else math.nan
        self._run.log(now.iteration, error=now.error, loss=now.loss, rate=now.rate, playing=share)
        self._gauged()
        if not self._gauging.busy and now.iteration - self._asked >= self._order.gauge.every:
            self._gauge(now)
        self._watch(now, self._last)

    def close(self) -> None:
        """Nothing more is measured."""
        self._gauging.close()

    def _gauge(self, now: TdLeafProgress) -> None:
        self._asked = now.iteration
        stage = self._folder / STAGES / f"{now.iteration:06}.safetensors"
        replace_file(stage, self._teaching.brain(_card(self._order, now.iteration, now.positions)))
        about = {"iteration": now.iteration, "positions": now.positions, "seconds": round(now.seconds, 1)}
        self._gauging.start(stage, about)

    def _gauged(self) -> None:
        """Write down what was measured since the last time, with the iteration that it belongs to."""
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
