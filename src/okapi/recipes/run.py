"""One way to run any recipe: the same progress, result and end by Ctrl-C for all methods of training.

Importing this module imports neither numpy nor torch; the runner of a method is imported by `RecipeRun.start`.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Self

from okapi.brains.library import BRAIN
from okapi.errors import InvalidText, Unfinished, UsageError
from okapi.files import replace_file
from okapi.recipes import RUNNERS, Recipe, find_recipe

if TYPE_CHECKING:
    from okapi.recipes.config import RecipeConfig
    from okapi.training.trainer import TrainingProgress

FITTING: Final = ("nnue", "supervised", "evolution", "tdleaf", "champion")
"""Methods whose length fits a given time."""


FILLED: Final = 0.88
"""The share of the time that is planned; the rest is for the match at the end, and for a machine that gets slower."""


class Minutes:
    """The time of a run over all its sessions, and what was decided to fit into it."""

    def __init__(self, folder: Path, minutes: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        """UsageError if the run was begun with another time."""
        self._path, self._clock = folder / "minutes.json", clock
        self._begun = clock()
        self.seconds = 60.0 * minutes
        self._kept: dict[str, Any] = {"minutes": minutes, "used_s": 0.0, "decided": {}}
        if self._path.exists():
            try:
                kept = json.loads(self._path.read_bytes())
                before, self._kept = kept["minutes"], {**self._kept, **kept}
            except (ValueError, KeyError, TypeError):
                raise InvalidText(f"`{self._path}` is damaged", hint="delete the folder") from None
            if before != minutes:
                hint = "choose another folder, or repeat the command with the same minutes"
                raise UsageError(f"`{folder}` was begun with --minutes {before:g}, not {minutes:g}", hint=hint)

    @property
    def used_s(self) -> float:
        """In all sessions."""
        return float(self._kept["used_s"]) + self._clock() - self._begun

    @property
    def left_s(self) -> float:
        """That is left to be planned; never less than a second."""
        return max(1.0, FILLED * self.seconds - self.used_s)

    @property
    def is_over(self) -> bool:
        """A machine that gets slower takes longer than was planned."""
        return self.used_s >= FILLED * self.seconds

    def once(self, what: str, decide: Callable[[float], Any]) -> Any:
        """What was decided; the first time `decide` is given the seconds that are left, and returns JSON."""
        if what not in self._kept["decided"]:
            self._kept["decided"][what] = decide(self.left_s)
            self._write()
        return self._kept["decided"][what]

    def tick(self) -> None:
        """Note the time that was used, every two seconds: a kill loses no more."""
        if self._clock() - self._begun >= 2.0:
            self._write()

    def _write(self) -> None:
        self._kept["used_s"], self._begun = round(self.used_s, 1), self._clock()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._path, json.dumps(self._kept, indent=1).encode())


def steps_per_second(take: Callable[[], object], seconds: float) -> float:
    """How many steps this machine takes in a second. The first one makes everything ready and does not count."""
    take()
    taken, begun = 0, time.monotonic()
    while taken == 0 or time.monotonic() - begun < seconds:
        take()
        taken += 1
    return taken / (time.monotonic() - begun)


def fitting_epochs(samples: int, positions: int, batch: int, *, least: int, most: int) -> tuple[int, int]:
    """How many epochs there are in so many samples, and the samples of each; 0: all positions."""
    epochs = min(most, max(least, samples // positions))
    return epochs, 0 if samples >= epochs * positions else max(batch, samples // epochs)


class Planned(Exception):
    """Ends a run that is only estimated; its text is the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeProgress:
    """How far a run is, for a display."""

    done: float | None = None
    """The share that is done, of the stage if there is one; None if the end is not known."""
    text: str
    """The rest in words: "epoch 3/40, loss 0.0123"."""
    stage: str = ""
    curves: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataUse:
    used: int
    found: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why, and how many."""
    unit: str = "positions"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeResult:
    figures: Mapping[str, Any] = field(default_factory=dict)
    """For programs; JSON."""
    lines: Sequence[str] = ()
    """For people."""
    data: DataUse | None = None
    curve: Sequence[Mapping[str, Any]] = ()
    """Losses on training and validation sets, an entry an epoch."""


@dataclass(frozen=True, kw_only=True)
class RecipeRun:
    """One run of a recipe: its data, its folder, and who is told how it goes."""

    name: str
    config: "RecipeConfig"
    folder: Path
    labels: Sequence[Path] = ()
    """Of recipes that take several files of labels."""
    minutes: float | None = None
    """How long it may take; without, as long as its size says."""
    device: str = "auto"
    threads: int | None = None
    tell: Callable[[str], object] = lambda line: None
    """Gets lines that are said once: the title, an estimate, the result of a generation."""
    watch: Callable[[RecipeProgress], object] = lambda now: None
    stop: Callable[[], bool] = lambda: False
    """Is asked now and then; if it answers True, everything is saved and Unfinished is raised."""

    time: Minutes | None = None
    """Of `minutes`, once it was started."""
    estimating: bool = False
    """End with Planned as soon as the plan is known."""

    @property
    def recipe(self) -> Recipe:
        return find_recipe(self.name)

    @property
    def brain(self) -> Path:
        return self.folder / BRAIN

    def make(self) -> Any:
        return self.recipe.make(replace(self.config, tell=self.say))

    def say(self, text: str) -> None:
        """Show a line of progress."""
        self.watch(RecipeProgress(text=text))

    def changed(self, **changes: Any) -> Self:
        return replace(self, config=replace(self.config, changes={**self.config.changes, **changes}))

    def show_epoch(self, now: "TrainingProgress") -> None:
        """The progress of a network's training: its losses."""
        losses = ("train_loss", "validation_loss")
        train, validation = ([(float(at["epoch"]), float(at[loss])) for at in now.curve] for loss in losses)
        text = f"epoch {now.epoch}/{now.epochs}, {now.samples_per_second:,.0f} samples/s"
        if now.train_loss is not None:
            text += f", loss {now.train_loss:.4g}"
            train.append((now.epoch - 1 + now.batch / max(now.batches, 1), now.train_loss))
        if validation:
            text += f", validation {validation[-1][1]:.4g}"
        curves = {"training loss": train, "validation loss": validation}
        self.watch(RecipeProgress(done=now.done, text=text, curves=curves))

    def plan(self, text: str) -> None:
        """Say what will be done in the given time."""
        if self.estimating:
            raise Planned(text)
        self.tell(f"plan: {text}")

    def estimate(self) -> str:
        """The plan of `start`, from speeds that are measured now; nothing is kept. UsageError without `minutes`."""
        if self.minutes is None:
            raise UsageError("an estimate is for a given time", hint="--minutes 10")
        with TemporaryDirectory(prefix="okapi-") as folder:
            config = replace(self.config, cache=Path(folder, "labels"))
            try:
                replace(self, folder=Path(folder), config=config, estimating=True).start()
            except Planned as planned:
                return str(planned)
        raise UsageError(f"`{self.name}` has no estimate", hint="start it: it shows how long it takes")

    def start(self) -> RecipeResult | None:
        """Train, or resume. None in processes of torchrun that are not the first."""
        if self.minutes is not None and self.time is None:
            if self.recipe.method not in FITTING:
                raise UsageError(f"the length of `{self.name}` cannot be chosen", hint="leave out --minutes")
            time = Minutes(self.folder, self.minutes)

            def both(now: RecipeProgress) -> None:
                time.tick()
                self.watch(now)

            return replace(self, time=time, watch=both).start()
        try:
            module = import_module(f"okapi.recipes.{RUNNERS[self.recipe.method]}")
            result: RecipeResult | None = module.run_recipe(self)
        except KeyboardInterrupt:
            told = f"interrupted; the run is in {self.folder}, and the same command goes on"
            raise Unfinished(told) from None
        if result is None:
            return None
        from okapi.recipes.summary import summarise

        about = {"run": str(self.folder), "recipe": self.name}
        about |= {"brain": str(self.brain)} if self.brain.exists() else {}
        summary = summarise(self, result)
        figures = {**about, **result.figures, "summary": asdict(summary)}
        return RecipeResult(figures=figures, lines=[*result.lines, *summary.sentences])
