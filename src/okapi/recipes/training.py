"""Trainings, what `okapi train` can do: a lesson, what it is taught from, and the brain that comes of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.analysis.compare import list_disagreements
from okapi.brains import card, evaluations
from okapi.core.packed import NO_GAME, POSITION, SAMPLE, rows
from okapi.data.runs import Run
from okapi.files import replace_file
from okapi.models.express import Expressed
from okapi.recipes.arrays import TEST, TRAIN, VALIDATION
from okapi.recipes.evolution import BRAIN
from okapi.recipes.game_jobs import GameJob
from okapi.recipes.jobs import TrainingJob, export_brain
from okapi.recipes.labels import LabelledPositions
from okapi.training.devices import Ranks
from okapi.training.report import TrainingReport, read_network, write_network
from okapi.training.supervised import Dataset, train_supervised
from okapi.training.trainer import TrainingProgress

__all__ = ["Findings", "LabelTraining", "Training", "run_training", "write_disagreements"]


@dataclass(frozen=True, slots=True)
class Findings:
    """What else there is to say of a brain that was trained."""

    figures: Mapping[str, Any] = field(default_factory=dict)
    """For programs; JSON."""
    sentences: Sequence[str] = ()
    """For people."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Training(ABC):
    """Everything that is needed to train one network."""

    name: str
    title: str
    """A few words for people."""
    lesson: TrainingJob | GameJob
    settings: Mapping[str, Any]
    """Everything that makes it what it is, seed and hashes of data among it; JSON."""

    @abstractmethod
    def taught(self, part: int) -> Dataset:
        """Positions and targets of one part."""

    @abstractmethod
    def output(self) -> dict[str, Any]:
        """How the network's answers are to be read."""

    def card(self) -> dict[str, str]:
        """What the brain is to say of itself."""
        return {"name": self.name, "recipe": f"okapi train {self.name}", "title": self.title}

    def base(self) -> Expressed | None:
        """The network that the lesson starts from, if it starts from one."""
        return None

    def end(self, folder: Path) -> Findings:
        """Look at the brain that lies in the folder now."""
        return Findings()


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelTraining(Training):
    """A training on positions that a teacher labelled."""

    lesson: TrainingJob
    labels: LabelledPositions
    parts: NDArray[np.uint8]
    """The part of each position: what okapi.recipes.labelled.split_labels gives."""

    def taught(self, part: int) -> Dataset:
        """Positions and targets of one part."""
        here = self.labels.take(self.parts == part)
        return Dataset(rows(here.positions), self.lesson.target.of(here.values, here.positions["turn"]))

    def output(self) -> dict[str, Any]:
        """How the network's answers are to be read: from the training positions."""
        here = self.labels.take(self.parts == TRAIN)
        return self.lesson.target.output(here.values, here.positions["turn"])

    def end(self, folder: Path) -> Findings:
        """Leave a list of where the brain and its teacher disagree most."""
        unseen = self.labels.take(self.parts == TEST)
        write_disagreements(folder / BRAIN, self.labels.name, unseen.positions, unseen.values)
        return Findings()


def run_training(
    training: Training,
    folder: Path,
    *,
    device: str = "auto",
    threads: int | None = None,
    watch: Callable[[TrainingProgress], object] = lambda now: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[TrainingReport, Findings]:
    """Train a network in a folder, which is a run, or go on with it; in the end it holds the brain.

    `threads` are those of a CPU: others give other bits. Of several processes that torchrun started, the first writes.
    """
    if threads is not None:
        torch.set_num_threads(threads)
    folder.mkdir(parents=True, exist_ok=True)
    plan = training.lesson.plan
    if (base := training.base()) is not None:
        assert plan.warm_start is not None
        write_network(folder / plan.warm_start, base)
    lessons = {part: training.taught(part) for part in (TRAIN, VALIDATION, TEST)}

    def have(watch: Callable[[TrainingProgress], object]) -> TrainingReport:
        parts = (lessons[TRAIN], lessons[VALIDATION], lessons[TEST])
        return train_supervised(plan, *parts, folder, device=device, watch=watch, stop=stop)

    if not Ranks().first:
        return have(lambda now: None), Findings()
    about = {"recipe": training.name, **training.settings}
    with Run.start(folder, "train", total=plan.epochs, unit="epochs", title=training.title, settings=about) as run:
        diary = _RunLog(run)

        def both(now: TrainingProgress) -> None:
            diary.note(now)
            watch(now)

        report = have(both)
        run.set_total(report.epochs)
        learned, told = read_network(folder), training.card()
        replace_file(folder / BRAIN, export_brain(training.lesson, learned, report, training.output(), told, about))
        return report, training.end(folder)


class _RunLog:
    """The curves of a run: each epoch once, and the loss between two of them now and then."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._epochs: int | None = None

    def note(self, now: TrainingProgress) -> None:
        """Another look at how it goes."""
        if self._epochs is None:
            self._epochs = len(now.curve) - (now.batch == 0)
        for entry in now.curve[self._epochs :]:
            self._run.log(entry["epoch"], **{name: value for name, value in entry.items() if name != "epoch"})
        self._epochs = len(now.curve)
        if now.train_loss is not None and now.batch < now.batches:
            self._run.log(round(now.epoch - 1 + now.batch / now.batches, 4), train_loss=now.train_loss)


MOST_DISAGREEMENTS: Final = 5000
"""Test positions that are looked at: a moment's work, also for a convolutional network."""


def write_disagreements(
    brain: Path, teacher: str, positions: NDArray[Any], values: NDArray[Any], folder: Path | None = None
) -> None:
    """List the worst of these packed positions, which the brain did not learn from, in its folder or another one.

    `values` are the teacher's centipawns for the side to move.
    """
    some = np.sort(np.random.default_rng(1).permutation(len(values))[:MOST_DISAGREEMENTS])
    rows = np.zeros(len(some), SAMPLE)
    rows["position"] = np.ascontiguousarray(positions[some]).view(POSITION).reshape(-1)
    rows["value"], rows["game"] = values[some], NO_GAME
    to = folder or brain.parent
    said = evaluations(str(brain), rows["position"]).values
    to.mkdir(parents=True, exist_ok=True)
    list_disagreements(card(str(brain)).name, teacher, rows, said).write(to)
