"""One way to run any recipe: the same progress, result and end by Ctrl-C for all methods of training.

Importing this module imports neither numpy nor torch; the runner of a method is imported by `RecipeRun.start`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Self

from okapi.brains.library import BRAIN
from okapi.errors import Unfinished, UsageError
from okapi.recipes import RUNNERS, Recipe, find_recipe
from okapi.recipes.minutes import Minutes

if TYPE_CHECKING:
    from okapi.recipes.config import RecipeConfig
    from okapi.training.trainer import TrainingProgress

FITTING: Final = ("nnue", "supervised", "evolution", "tdleaf", "champion")
"""Methods whose length fits a given time."""


class Planned(Exception):
    """Ends a run that is only estimated; its text is the plan."""


Curves = Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeProgress:
    """How far a run is, for a display."""

    done: float | None = None
    """The share that is done, of the stage if there is one; None if the end is not known."""
    text: str
    """The rest in words: "epoch 3/40, loss 0.0123"."""
    stage: str = ""
    curves: Curves = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataUse:
    used: int
    found: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why, and how many."""
    unit: str = "positions"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeResult:
    figures: Mapping[str, Any]
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

    def make(self, **data: Any) -> Any:
        return self.recipe.make(replace(self.config, tell=self.say), **data)

    def say(self, text: str) -> None:
        """Show a line of progress."""
        self.watch(RecipeProgress(text=text))

    def changed(self, **changes: Any) -> Self:
        return replace(self, config=replace(self.config, changes={**self.config.changes, **changes}))

    def show_epoch(self, now: "TrainingProgress") -> None:
        self.watch(epoch_progress(now))

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
            return self._limited(Minutes(self.folder, self.minutes)).start()
        runner: Callable[[RecipeRun], RecipeResult | None] = resolve_name(RUNNERS[self.recipe.method])
        try:
            result = runner(self)
        except KeyboardInterrupt:
            told = f"interrupted; the run is in {self.folder}, and the same command goes on"
            raise Unfinished(told) from None
        if result is None:
            return None
        from okapi.recipes.summary import summarise

        about = {"run": str(self.folder), "recipe": self.name}
        brain = {"brain": str(self.brain)} if self.brain.exists() else {}
        summary = summarise(self, result)
        return RecipeResult(
            figures={**about, **brain, **result.figures, "summary": summary.as_json()},
            lines=[*result.lines, *summary.sentences],
        )

    def _limited(self, time: Minutes) -> Self:
        watch = self.watch

        def both(now: RecipeProgress) -> None:
            time.tick()
            watch(now)

        return replace(self, time=time, watch=both)


def epoch_progress(now: "TrainingProgress") -> RecipeProgress:
    """The progress of a network's training: its losses."""
    train = [(float(entry["epoch"]), float(entry["train_loss"])) for entry in now.curve]
    validation = [(float(entry["epoch"]), float(entry["validation_loss"])) for entry in now.curve]
    loss = "" if now.train_loss is None else f", loss {now.train_loss:.4g}"
    if now.train_loss is not None:
        train.append((now.epoch - 1 + now.batch / max(now.batches, 1), now.train_loss))
    known = f", validation {validation[-1][1]:.4g}" if validation else ""
    return RecipeProgress(
        done=now.done,
        text=f"epoch {now.epoch}/{now.epochs}, {now.samples_per_second:,.0f} samples/s{loss}{known}",
        curves={"training loss": train, "validation loss": validation},
    )
