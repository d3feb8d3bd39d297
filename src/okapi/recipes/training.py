"""Supervised training of one network: its job, its dataset, the run and the brain."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.analysis.compare import list_disagreements
from okapi.brains import card, evaluations
from okapi.brains.library import BRAIN
from okapi.core.packed import NO_GAME, POSITION, SAMPLE, rows
from okapi.data.runs import Run
from okapi.files import replace_file
from okapi.formats.numbers import counted, lasted
from okapi.models.express import Expressed
from okapi.recipes.arrays import TEST, TRAIN, VALIDATION
from okapi.recipes.config import NO_SNAPSHOTS, RecipeConfig
from okapi.recipes.game_jobs import GameJob
from okapi.recipes.jobs import TrainingJob, export_brain
from okapi.recipes.labels import LabelledPositions
from okapi.recipes.run import DataUse, RecipeResult, RecipeRun, fitting_epochs, steps_per_second
from okapi.recipes.snapshots import SHARE, Snapshots
from okapi.recipes.splits import SHARES, SplitBy, SplitShares, split_labels, usual_split
from okapi.recipes.targets import Target
from okapi.training.devices import Ranks, find_device
from okapi.training.report import TrainingReport, read_network, write_network
from okapi.training.supervised import Dataset, SupervisedConfig, SupervisedTask, train_supervised
from okapi.training.trainer import TrainingProgress


@dataclass(frozen=True, kw_only=True, eq=False)
class Training(ABC):
    name: str
    title: str
    job: TrainingJob | GameJob
    settings: Mapping[str, Any]
    """Everything that makes it what it is, seed and hashes of data among it; JSON."""

    @abstractmethod
    def dataset(self, part: int) -> Dataset:
        """Positions and targets of TRAIN, VALIDATION or TEST."""

    @abstractmethod
    def output(self) -> dict[str, Any]:
        """How the network's output is read: from its training positions."""

    def card(self) -> dict[str, str]:
        return {"name": self.name, "recipe": f"okapi train {self.name}", "title": self.title}

    def base(self) -> Expressed | None:
        """The network of the warm start, if any."""
        return None

    def end(self, folder: Path) -> RecipeResult:
        """Examine the brain in the folder: figures and sentences."""
        return RecipeResult()

    def data_use(self) -> DataUse | None:
        """What it learned from, if that is counted."""
        return None


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelTraining(Training):
    """A training on positions that a teacher labelled."""

    job: TrainingJob
    labels: LabelledPositions
    parts: NDArray[np.uint8]
    """The part of each position, of okapi.recipes.arrays."""

    @classmethod
    def of(
        cls,
        config: RecipeConfig,
        name: str,
        title: str,
        plan: SupervisedConfig,
        target: Target,
        labels: LabelledPositions,
        settings: Mapping[str, Any],
        *,
        how: SplitBy | None = None,
        shares: SplitShares = SHARES,
    ) -> Self:
        """Split by the config's seed; by games where they are known, if `how` does not say."""
        how = how or usual_split(labels)
        parts, job = split_labels(labels, how, config.seed, shares), TrainingJob(plan, target, how)
        about = config.about(settings, split=how, **labels.about())
        return cls(name=name, title=title, job=job, labels=labels, parts=parts, settings=about)

    def dataset(self, part: int) -> Dataset:
        here = self.labels.take(self.parts == part)
        return Dataset(rows(here.positions), self.job.target.of(here.values, here.positions["turn"]))

    def output(self) -> dict[str, Any]:
        here = self.labels.take(self.parts == TRAIN)
        return self.job.target.output(here.values, here.positions["turn"])

    def data_use(self) -> DataUse:
        used = int(np.isin(self.parts, (TRAIN, VALIDATION, TEST)).sum())
        left_out = {**self.labels.left_out, "near positions of the test": len(self.labels) - used}
        return DataUse(used=used, found=used + sum(left_out.values()), left_out=left_out)

    def end(self, folder: Path) -> RecipeResult:
        """Write the positions where the brain and its teacher disagree most."""
        unseen = self.labels.take(self.parts == TEST)
        write_disagreements(folder / BRAIN, self.labels.name, unseen.positions, unseen.values)
        return RecipeResult()


def run_training(training: Training, run: RecipeRun) -> tuple[TrainingReport, RecipeResult]:
    """Train a network in the folder of a run, or resume; at the end the folder has the brain. Another number of threads
    gives other bits. Of the processes of torchrun, the first one writes."""
    folder, plan = run.folder, training.job.plan
    if run.threads is not None:
        torch.set_num_threads(run.threads)
    folder.mkdir(parents=True, exist_ok=True)
    if (base := training.base()) is not None:
        assert plan.warm_start is not None
        write_network(folder / plan.warm_start, base)
    train, validation, test = (training.dataset(part) for part in (TRAIN, VALIDATION, TEST))
    if not Ranks().first:
        return train_supervised(plan, train, validation, test, folder, device=run.device), RecipeResult()
    about = {"recipe": training.name, **training.settings}
    batches = plan.batches(len(train))
    total = plan.epochs * batches
    with Run.start(folder, "train", total=total, unit="steps", title=training.title, settings=about) as log:
        told, output = training.card(), training.output()
        predicts_moves = output.get("form") not in ("number", "score", "classes")  # it has no value for a search
        config = NO_SNAPSHOTS if predicts_moves else run.config.snapshots()
        kept = Snapshots(log, config, threads=run.threads or torch.get_num_threads())

        def take(step: int, network: Expressed) -> None:
            entries = {**told, "name": f"{told['name']} at step {step}", "step": str(step)}
            kept.take(step, export_brain(training.job, network, output, entries, bits=16))

        how: dict[str, Any] = {"watch": EpochLog(log, run).note, "stop": run.stop}
        how |= {"snapshot": take, "snapshots": kept.count}
        report = train_supervised(plan, train, validation, test, folder, device=run.device, **how)
        log.set_total(report.epochs * batches)
        kept.finish()
        learned = read_network(folder)
        replace_file(folder / BRAIN, export_brain(training.job, learned, output, told, report, about))
        return report, training.end(folder)


def run_recipe(run: RecipeRun) -> RecipeResult | None:
    """Run a recipe of method `supervised`. Of the processes of torchrun, the first one writes and reports."""
    if not Ranks().first:
        run_training(run.recipe.make(replace(run.config, cache=None)), run)
        return None
    made: Training = run.make()
    run.tell(made.title)
    made = _fitted(run, made)
    report, found = run_training(made, run)
    test = {key: value for key, value in report.test.items() if key != "confusion"}
    figures = {**training_figures(report), "busy": report.busy, "test": test, **found.figures}
    forms = {"accuracy": ".2%", "near": ".2%", "top_3": ".2%", "mse": ".5g"}
    how = ", ".join(f"{name.replace('_', ' ')} {test[name]:{form}}" for name, form in forms.items() if name in test)
    line = f"{trained(report)}: loss {test['loss']:.5g}, {how} on {test['count']:,} test positions"
    return RecipeResult(figures=figures, lines=[line, *found.lines], data=made.data_use(), curve=report.curve)


def training_figures(report: TrainingReport) -> dict[str, Any]:
    return {key: getattr(report, key) for key in ("epochs", "best_epoch", "seconds", "samples_per_second", "device")}


def trained(report: TrainingReport) -> str:
    length = f"{counted(report.epochs, 'epoch')}, the best {report.best_epoch}, in {report.seconds:,.1f} s"
    return f"{length}, {report.samples_per_second:,.0f} samples/s"


def _fitted(run: RecipeRun, made: Training) -> Training:
    """The training with as many epochs, 4 to 50, as fit into the run's time, if one is given."""
    if run.time is None:
        return made
    plan = made.job.plan

    def decide(left: float) -> dict[str, int | None]:
        data, device = made.dataset(TRAIN), find_device(run.device)
        if run.threads is not None:
            torch.set_num_threads(run.threads)
        per_second = _samples_per_second(plan, data, device)
        samples = int((1 - SHARE) * left * per_second)
        epochs, each = fitting_epochs(samples, len(data), plan.batch, least=4, most=50)
        learned = f"{epochs} epochs of {each or len(data):,} positions at {per_second:,.0f} samples/s"
        run.plan(f"{learned} and short matches: about {lasted(left)}")
        return {"epochs": epochs, "samples": each or None}

    decided = run.time.once("training", decide)
    settings = {**made.settings, **{name: value for name, value in decided.items() if name in made.settings}}
    return replace(made, job=replace(made.job, plan=replace(plan, **decided)), settings=settings)


def _samples_per_second(plan: SupervisedConfig, data: Dataset, device: torch.device) -> float:
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        task = SupervisedTask(plan, data, data, device, Ranks({}))
        task.begin_epoch(0)

        def take() -> None:
            task.step(0)
            float(task.total)  # waits for the device

        return plan.batch * steps_per_second(take, 2.0)


class EpochLog:
    """Logs each epoch once, and the loss between epochs at intervals; and shows how far the training is."""

    def __init__(self, log: Run, run: RecipeRun) -> None:
        self._log, self._run, self._epochs = log, run, -1

    def note(self, now: TrainingProgress) -> None:
        if self._epochs < 0:
            self._epochs = len(now.curve) - (now.batch == 0)
        for entry in now.curve[self._epochs :]:
            self._log.log(entry["epoch"] * now.batches, **entry)
        self._epochs = len(now.curve)
        if now.train_loss is not None and now.batch < now.batches:
            self._log.log((now.epoch - 1) * now.batches + now.batch, train_loss=now.train_loss)
        self._log.set_total(now.epochs * now.batches)
        self._run.show_epoch(now)


MOST_DISAGREEMENTS: Final = 5000
"""Test positions that are looked at: a moment's work, also for a convolutional network."""


def write_disagreements(
    brain: Path, teacher: str, positions: NDArray[Any], values: NDArray[Any], folder: Path | None = None
) -> None:
    """List the worst of these packed positions, which the brain did not learn from, in its folder or another one.
    `values` are the teacher's centipawns for the side to move."""
    some = np.sort(np.random.default_rng(1).permutation(len(values))[:MOST_DISAGREEMENTS])
    rows = np.zeros(len(some), SAMPLE)
    rows["position"] = np.ascontiguousarray(positions[some]).view(POSITION).reshape(-1)
    rows["value"], rows["game"] = values[some], NO_GAME
    to = folder or brain.parent
    said = evaluations(str(brain), rows["position"]).values
    to.mkdir(parents=True, exist_ok=True)
    list_disagreements(card(str(brain)).name, teacher, rows, said).write(to)
