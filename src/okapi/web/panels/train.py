"""Train: start trainings, see them learn, and see a brain grow from its first checkpoint to its last."""

import asyncio
import time
from base64 import b64decode
from binascii import Error as NotBase64
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from okapi.data.runs import RunReader
from okapi.errors import InvalidMessage, NotFound, UsageError
from okapi.recipes import RECIPES, Recipe, check_data, default_recipe, find_recipe
from okapi.recipes.run import FITTING
from okapi.web.jobs import Steps, Throttle
from okapi.web.messages import LONGEST, Between, Fen, MoveText, Number, RunName, Text
from okapi.web.panel import Answer, JobPanel, WatchingPanel, action, job
from okapi.web.runs import run_summary
from okapi.web.timelapse import POSITIONS, ages_of, move_at, piece_values_at, recorded_runs
from okapi.web.views import position_view, read_position

TRAINING: Final = ("train", "evolve")  # the kinds of runs that make a brain
MOST_MINUTES: Final = 7 * 24 * 60
MATCH_DEPTH: Final = 3
LOOK_S: Final = 1.0  # trainings that run are looked at so often
TELL_S: Final = 0.3  # ages that are ready are told no more often
FileName = Annotated[str, Text(255)]
GameCount = Annotated[int, Between(2, 1000)]
Base64 = Annotated[str, Text(LONGEST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRequest:
    """A training: `okapi train RECIPE --minutes M --out NAME` and its data."""

    recipe: Annotated[str, Text(60)]
    name: Annotated[str, Text(100)]
    minutes: Annotated[float, Between(0.01, MOST_MINUTES)]
    data: FileName | None = None
    brain: Annotated[str, Text(200)] | None = None
    size: Literal["tiny", "quick", "full"] | None = None
    beside: bool = False


class Train(WatchingPanel, JobPanel):
    """The page gets all trainings, the curves of one of them, and on demand its ages."""

    _followed: tuple[str, ...] = ()
    _again: asyncio.TimerHandle | None = None

    @action
    def offer(self) -> Answer:
        files = self.state.trainings.files
        kinds = ((name, files.kind(path), path.stat().st_size) for name, path in files.all().items())
        data = [{"name": name, "kind": kind, "bytes": size} for name, kind, size in kinds]
        return {
            "allowed": self.state.may_train,
            "folder": self.state.runs_folder,
            "recipes": [_recipe(name, recipe) for name, recipe in RECIPES.items() if recipe.method in FITTING],
            "data": data,
            "first": default_recipe(),
            "positions": [{"title": title, "fen": fen} for title, fen in POSITIONS],
        }

    @action
    def start(self, order: TrainingRequest) -> Answer:
        """Start a training on this machine; only its own pages may."""
        self._check_allowed()
        self.state.trainings.start(order.name, self._arguments(order), beside=order.beside)
        self._tell_runs()
        return {"run": order.name}

    @action
    def estimate(self, order: TrainingRequest) -> None:
        """What a training would do comes as news, once the speed of this machine was measured."""
        self._check_allowed()
        answers = self.state.trainings.estimate(self._arguments(order))
        steps = ({"plan": answer.get("plan", "")} for answer in answers)
        self.run_steps(steps, "estimated", recipe=order.recipe, minutes=order.minutes)

    def _arguments(self, order: TrainingRequest) -> list[str]:
        """Of `okapi train`, without the name of the run: NotFound, UsageError."""
        recipe = find_recipe(order.recipe)
        arguments = [order.recipe, "--minutes", f"{order.minutes:g}"]
        if order.data is not None:
            path = self.state.trainings.files.find(order.data)
            kind = self.state.trainings.files.kind(path)
            check_data(order.recipe, [kind])
            arguments += [f"--{kind}", str(path)]
        if recipe.needs == "brain":
            arguments += ["--brain", self.state.source(self.state.known(order.brain))]
        if order.size is not None:
            arguments += ["--size", order.size]
        return arguments

    @action
    def pause(self, run: RunName) -> None:
        """As Ctrl-C: what was learned is kept."""
        self._check_allowed()
        self.state.trainings.pause(run)

    @action
    def resume(self, run: RunName, beside: bool = False) -> None:
        self._check_allowed()
        self.state.trainings.resume(run, beside=beside)
        self._tell_runs()

    @action
    def upload(self, name: FileName, at: Annotated[int, Between(0, 2**40)], data: Base64, last: bool = False) -> None:
        """A piece of a file in base64, and where in the file it belongs."""
        self._check_allowed()
        try:
            piece = b64decode(data, validate=True)
        except NotBase64:
            raise InvalidMessage("a piece of a file is not base64") from None
        self.state.trainings.files.upload(name, at, piece, last=last)

    def _check_allowed(self) -> None:
        if not self.state.may_train:
            raise UsageError("a board that is shared starts no trainings", hint="start okapi play without --share")

    @action
    def watch(self, run: RunName | None = None) -> None:
        self._followed = () if run is None else (run,)
        self.state.runs.listen(self, frozenset(self._followed), Throttle(self._tell_runs))
        self._tell_runs()

    @action
    def match(self, run: RunName, against: Annotated[str, Text(200)] = "material", games: GameCount = 100) -> Answer:
        """Let the brain of a run play another one; the panel of tournaments shows it."""
        return {"number": self.state.begin_match(run, against, games, depth=MATCH_DEPTH).number}

    def close(self) -> None:
        super().close()
        if self._again is not None:
            self._again.cancel()

    def _tell_runs(self) -> None:
        trainings = self.state.trainings
        running = set(trainings.running())
        listed = [run for run in self.state.runs.listed() if run["kind"] in TRAINING]
        unborn = [_unborn(*training) for training in trainings.unborn()]
        started = set(trainings.names())
        states = {name: {"state": "running"} for name in running}
        runs = [{**run, "own": run["name"] in started, **states.get(run["name"], {})} for run in (*unborn, *listed)]
        self.tell("train.listed", runs=runs, recorded=_recorded())
        shown = self.state.runs.details(self._followed)
        self.tell("train.shown", run=shown[0] if shown else None)
        if self._again is not None:
            self._again.cancel()
        if running:  # the end of a process is no change of its run
            self._again = asyncio.get_running_loop().call_later(LOOK_S, self._tell_runs)

    @job("aged", "run")
    def ages(self, run: RunName) -> Steps:
        """All ages of a run, as far as they are ready; the rest come as news."""
        folder = self._folder(run)
        yield None
        kept = ages_of(folder)
        ages: list[dict[str, Any]] = [{"step": age.step, "pieces": None, **numbers} for age, numbers in kept]
        yield {"ages": ages, "ready": 0}
        told = time.monotonic()
        for ready, (view, (age, _)) in enumerate(zip(ages, kept, strict=True), start=1):
            view["pieces"] = piece_values_at(age.path)
            if ready == len(ages) or time.monotonic() - told > TELL_S:
                yield {"ages": ages, "ready": ready}
                told = time.monotonic()

    @job("moved", "run", "number")
    def moves(self, run: RunName, fen: Fen, move: MoveText | None = None, number: Number = 0) -> Steps:
        """The position at once, after a move if there is one; what the brain plays there at each age comes as news."""
        position = read_position(fen, move)
        folder = self._folder(run)
        yield {"position": position_view(position)}
        fen = position.fen()
        yield {"fen": fen, "moves": [move_at(age.path, fen) for age, _ in ages_of(folder)]}

    def _folder(self, name: str) -> Path:
        found = recorded_runs().get(name) or self.state.runs.folders().get(name)
        if found is None:
            raise NotFound("there is no such run here", hint="choose one from the list")
        return found


def fitting(recipe: Recipe) -> tuple[str, ...]:
    games = () if recipe.needs == "labels" else ("games",)  # which only tell where labels came from
    return (*(kind for kind in ("labels", *games) if kind in recipe.takes), "none")


def _recipe(name: str, recipe: Recipe) -> dict[str, Any]:
    measured = "" if recipe.measured is None else str(recipe.measured)
    about = {"name": name, "title": recipe.title, "measured": measured}
    return {**about, "data": fitting(recipe), "brain": recipe.needs == "brain"}


@cache
def _recorded() -> list[dict[str, Any]]:
    """The runs that ship, as the others are listed."""
    runs = [RunReader(folder) for folder in recorded_runs().values()]
    for run in runs:
        while run.look():
            pass
    return [run_summary(run) for run in runs]


def _unborn(name: str, lives: bool, line: str) -> dict[str, Any]:
    """A training that prepares its data, or that failed before it began."""
    nothing = dict.fromkeys(("step", "total", "left_s", "started", "last_at"))
    about = {"name": name, "title": name, "kind": "train", "unit": "steps", "note": line, "numbers": {}}
    counts = {"sessions": 0, "brain": False, "ages": 0, "report": []}
    return {**nothing, **about, **counts, "state": "running" if lives else "failed"}
