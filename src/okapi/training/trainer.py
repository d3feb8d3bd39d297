"""The Trainer: runs steps, evaluates, keeps the best weights, writes checkpoints, resumes, reports and stops.

It knows no chess: a `Task` has the network, the steps, the evaluation and the state. A training that is interrupted
anywhere, also by kill -9, and started again ends with the same weights, bit for bit.
"""

import hashlib
import io
import json
import math
import pickle
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, Final, Self, TypedDict

import torch
from torch import Tensor, nn

from okapi.data.runs import snapshot_steps
from okapi.errors import InvalidText, OkapiError, Unfinished, UsageError
from okapi.files import replace_file
from okapi.training.devices import GpuMonitor, Ranks, rng_state, set_rng_state
from okapi.training.optimisers import load_optimiser
from okapi.training.report import TrainingReport, current_identity, refuse_settings, write_metrics

CHECKPOINT_FILE: Final = "checkpoint.pt"
IDENTITY_FILE: Final = "config.json"
OLD_IDENTITY_FILE: Final = "plan.json"  # its name in folders of okapi 0.9 and before
REPORT_S: Final = 0.5  # seconds between two progress reports, about
CHECKPOINT_S: Final = 30.0  # seconds between two checkpoints …
CHECKPOINT_SHARE: Final = 20.0  # … unless writing one takes more than one part in so many of the time


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingProgress:
    epoch: int  # the current one, from 1 on
    epochs: int
    batch: int  # steps of this epoch that are done
    batches: int  # steps of an epoch; 0 in a training that is limited by time
    train_loss: float | None  # mean of this epoch, so far
    seconds: float  # in all sessions
    samples_per_second: float
    curve: list[dict[str, Any]] = field(default_factory=list)  # an entry for each evaluation
    done: float  # the share that is done; patience may end a training before


class Task(ABC):
    model: nn.Module
    optimiser: torch.optim.Optimizer
    total: Tensor  # the sum of the losses of this epoch's steps
    epochs: int  # each ends with an evaluation
    batches: int = 0  # steps of an epoch
    batch_size: int
    device: torch.device | None = None  # given where random states belong to the training
    patience: int | None = None  # stop after so many epochs without a lower validation loss
    hint: str = "a lower learning rate"  # against a loss that is not finite

    @abstractmethod
    def begin_epoch(self, epoch: int, batch: int) -> None:
        """Go to a batch of an epoch."""

    @abstractmethod
    def step(self, number: int, done: float) -> None:
        """Take a step: its number in the whole training from 0 on, and the share of the training that is done."""

    @abstractmethod
    def evaluate(self, steps: int) -> Mapping[str, Any] | None:
        """Columns of the curve after so many steps, `validation_loss` among them; None if there is no validation."""

    def state(self) -> dict[str, Any]:
        """All that a checkpoint has to hold."""
        return {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}

    def load_state(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        load_optimiser(self.optimiser, state["optimiser"])


@dataclass(kw_only=True)
class Checkpoint:
    """Where a training stands between two steps; written atomically."""

    about: dict[str, Any]  # see identity()
    epoch: int = 0  # epochs that are done
    batch: int = 0  # steps of the current epoch that are done, …
    loss: float = 0.0  # … and the sum of their losses
    steps: int = 0  # in all epochs
    seconds: float = 0.0  # spent in all sessions, …
    step_seconds: float = 0.0  # … and the part of it spent on steps
    curve: list[dict[str, Any]] = field(default_factory=list)
    best: dict[str, Tensor] | None = None  # the weights with the lowest validation loss
    state: dict[str, Any] = field(default_factory=dict)
    rng: list[list[Tensor]] = field(default_factory=list)  # of each process: the CPU's state, and the GPU's

    @property
    def best_epoch(self) -> int:
        """The epoch with the lowest validation loss, from 1 on; 0 if there is none yet."""
        return min(self.curve, key=lambda entry: entry["validation_loss"])["epoch"] if self.curve else 0

    def write(self, folder: Path) -> None:
        buffer = io.BytesIO()
        torch.save(vars(self), buffer)
        replace_file(folder / CHECKPOINT_FILE, buffer.getvalue())

    @classmethod
    def read(cls, folder: Path, about: Mapping[str, Any]) -> Self | None:
        """The one in a folder, if there is one: UsageError if it is of another training, InvalidText if damaged."""
        path = folder / CHECKPOINT_FILE
        if not path.exists():
            return None
        try:
            found = cls(**torch.load(path, map_location="cpu", weights_only=True))
        except (OSError, RuntimeError, ValueError, TypeError, EOFError, KeyError, pickle.UnpicklingError):
            hint = "delete it; the training then starts again"
            raise InvalidText(f"`{path}` is damaged, or of another version", hint=hint) from None
        refuse_others(folder, found.about, about)
        return found


def fingerprint(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def identity(config: Mapping[str, Any], data: Any, warm_start: str | None = None) -> dict[str, Any]:
    """What makes a training the same one: settings, hashes of the data, and of the weights that it starts from."""
    about = {"config": dict(config), "data": data} | ({} if warm_start is None else {"warm_start": warm_start})
    found: dict[str, Any] = json.loads(json.dumps(about))
    return found


def refuse_others(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """UsageError if a folder holds a training with other settings, other samples, or another start."""
    found = current_identity(found)
    config = found.get("config", {})
    for name, what in (("data", "with other samples"), ("warm_start", "from another network")):
        if found.get(name) != wanted.get(name):
            raise UsageError(f"`{folder}` was begun {what}", hint="choose another folder")
    refuse_settings(folder, {name: config.get(name) for name in wanted["config"]}, wanted["config"])


def finished_report(folder: Path, about: Mapping[str, Any]) -> TrainingReport | None:
    """The report of a training that is finished in a folder; UsageError if the folder holds another training."""
    folder.mkdir(parents=True, exist_ok=True)
    report = TrainingReport.read(folder)
    paths = [folder / name for name in (IDENTITY_FILE, OLD_IDENTITY_FILE) if (folder / name).exists()]
    if paths:
        try:
            refuse_others(folder, json.loads(paths[0].read_bytes()), about)
        except ValueError:
            raise InvalidText(f"`{paths[0]}` is damaged", hint="delete the folder") from None
    elif report is not None:
        refuse_others(folder, report.about, about)
    return report


class TrainingOptions(TypedDict, total=False):
    """How a training is watched and stopped: options of all trainings, with the defaults of Trainer."""

    watch: Callable[[TrainingProgress], object]
    stop: Callable[[], bool]
    snapshots: int
    checkpoint_every_s: float


@dataclass(eq=False)
class Trainer:
    """Trains a task in a folder: epochs of steps, or steps for a time. Begins, or resumes from the checkpoint there."""

    task: Task
    folder: Path
    about: Mapping[str, Any]  # see identity()
    _: KW_ONLY
    seconds: float | None = None  # how long the training lasts, in as many equal parts as there are epochs
    ranks: Ranks = field(default_factory=lambda: Ranks({}))
    watch: Callable[[TrainingProgress], object] = lambda progress: None  # gets reports of progress
    stop: Callable[[], bool] = lambda: False  # asked as often: if so, a checkpoint is written and Unfinished raised
    cut: bool = False  # once an epoch is finished, the training ends when it is stopped, instead of raising Unfinished
    snapshot: Callable[[int], object] = lambda step: None  # called `snapshots` times; after a kill some come again
    snapshots: int = 0
    checkpoint_every_s: float = CHECKPOINT_S
    steps_at_once: int | None = None  # steps of a group; if not given, as many as fit between two reports
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.was_cut = False
        self._group = self.steps_at_once or 1
        self._steps = max(1, self.task.epochs * self.task.batches)
        self._snapshot_steps = snapshot_steps(self._steps, self.snapshots) if self.seconds is None else []
        self._written_at, self._writing_s = -math.inf, 0.0
        found, device = Checkpoint.read(self.folder, self.about), self.task.device
        self.at = found or Checkpoint(about=dict(self.about))
        if found is not None:
            self.task.load_state(found.state)
        if device is None:
            return
        if found is not None:
            set_rng_state(found.rng[self.ranks.number % len(found.rng)], device)
        elif not self.ranks.alone:
            torch.manual_seed(torch.initial_seed() + 7919 * self.ranks.number)  # each rank has its own dropout
        if self.ranks.first:
            replace_file(self.folder / IDENTITY_FILE, json.dumps(self.at.about, indent=1).encode())

    @property
    def samples(self) -> int:
        """Trained on so far, repetitions counted."""
        return self.at.steps * self.task.batch_size

    def run(self) -> Checkpoint:
        self._begun = self.clock() - self.at.seconds
        self._evaluated = self._evaluations_due()
        if self.at.steps in self._snapshot_steps and self.ranks.first:
            self.snapshot(self.at.steps)
        while not self._finished():
            self.task.begin_epoch(self.at.epoch, self.at.batch)
            self.task.total.fill_(self.at.loss)
            while not self._epoch_finished():
                self._take_steps()
                self._report()
                if self.was_cut:
                    return self.at
            self._end_epoch()
        return self.at

    def run_to_best(self) -> None:
        """Train to the end; the network has the best weights then."""
        assert self.task.device is not None
        with GpuMonitor(self.task.device) as self._monitor:
            best = self.run().best
        assert best is not None
        self.task.model.load_state_dict(best)

    def write_checkpoint(self) -> None:
        begun = self.clock()
        if self.task.device is not None:
            self.at.rng = self.ranks.gathered(rng_state(self.task.device))
        self.at.state = self.task.state()
        if self.ranks.first:
            write_metrics(self.folder, self.at.curve)
            self.at.write(self.folder)
        self._written_at = self.clock()
        self._writing_s = self._written_at - begun

    def finish(
        self,
        save: Callable[[], object],
        train: Mapping[str, Any],
        validation: Mapping[str, Any],
        test: Mapping[str, Any],
        about: Mapping[str, Any] | None = None,
    ) -> TrainingReport:
        """After run_to_best: write the network with `save`, the curves and the report; delete the checkpoint."""
        at, monitor, more = self.at, self._monitor, {**self.at.about, **(about or {})}
        time_spent = round(at.seconds, 3), round(self.samples / max(at.step_seconds, 1e-9), 1)
        used, sets = (monitor.device_name, monitor.share), (train, validation, test)
        report = TrainingReport(at.epoch, at.best_epoch, *time_spent, *used, *sets, at.curve, more)
        if self.ranks.first:
            write_metrics(self.folder, self.at.curve)
            save()
            report.write(self.folder)
            (self.folder / CHECKPOINT_FILE).unlink(missing_ok=True)
        return report

    def progress(self) -> TrainingProgress:
        task = self.task
        over = self.seconds is None and self.at.epoch >= task.epochs
        return TrainingProgress(
            epoch=min(self.at.epoch + 1, task.epochs),
            epochs=task.epochs,
            batch=task.batches if over else self.at.batch,
            batches=task.batches,
            train_loss=self.at.loss / self.at.batch if self.at.batch else None,
            seconds=self.at.seconds,
            samples_per_second=self.samples / max(self.at.step_seconds, 1e-9),
            curve=list(self.at.curve),
            done=min(1.0, self._done(self.at.steps)),
        )

    def _done(self, step: int) -> float:
        return step / self._steps if self.seconds is None else (self.clock() - self._begun) / self.seconds

    def _evaluations_due(self) -> int:
        """In a training that is limited by time."""
        return 0 if self.seconds is None else int(self.at.seconds * self.task.epochs / self.seconds)

    def _epoch_finished(self) -> bool:
        if self.seconds is None:
            return self.at.batch >= self.task.batches
        before, self._evaluated = self._evaluated, self._evaluations_due()
        return before != self._evaluated

    def _finished(self) -> bool:
        if self.seconds is not None:
            return self.at.seconds >= self.seconds
        late = self.task.patience is not None and self.at.epoch - self.at.best_epoch >= self.task.patience
        return self.at.epoch >= self.task.epochs or late

    def _take_steps(self) -> None:
        begun = self.clock()
        left = [] if self.seconds is not None else [self.task.batches - self.at.batch]
        count = min([self._group, *left, *(at - self.at.steps for at in self._snapshot_steps if at > self.at.steps)])
        for number in range(self.at.steps, self.at.steps + count):
            self.task.step(number, self._done(number))
        self.at.batch += count
        self.at.steps += count
        self.at.loss = float(self.task.total)  # waits for the device
        now = self.clock()
        self.at.step_seconds += now - begun
        self.at.seconds = now - self._begun
        if self.steps_at_once is None:
            fitting = round(count * REPORT_S / max(now - begun, 1e-6))
            self._group = self.ranks.agreed(max(1, min(fitting, 4 * self._group)))
        if self.at.steps in self._snapshot_steps and self.ranks.first:
            self.snapshot(self.at.steps)

    def _report(self) -> None:
        """Report progress, write a checkpoint if it is time, and stop if asked to."""
        self.watch(self.progress())
        stop = self.ranks.agreed(self.stop())
        if stop and self.cut and self.at.curve:
            self.was_cut = True
            return
        if stop or self._due(self.checkpoint_every_s):
            self.write_checkpoint()
        if stop:
            stopped = f"training in `{self.folder}` stopped in epoch {self.at.epoch + 1} of {self.task.epochs}"
            raise Unfinished(stopped, hint="the same command resumes it")

    def _end_epoch(self) -> None:
        """Evaluate, and keep the weights if they are the best so far."""
        at = self.at
        train_loss = sum(self.ranks.gathered(at.loss)) / self.ranks.count / max(1, at.batch)
        columns = self.task.evaluate(at.steps)
        if columns is not None and not math.isfinite(train_loss + columns["validation_loss"]):
            where = f"`{self.folder}`, epoch {at.epoch + 1}"
            raise OkapiError(f"the loss is not a finite number in {where}", hint=self.task.hint)
        at.epoch, at.batch, at.loss = at.epoch + 1, 0, 0.0
        if columns is None:
            return
        at.seconds = self.clock() - self._begun
        at.curve.append({"epoch": at.epoch, "train_loss": train_loss, **columns, "seconds": round(at.seconds, 3)})
        if at.best_epoch == at.epoch:
            at.best = {name: tensor.clone() for name, tensor in self.task.model.state_dict().items()}
        if self._due(0.0):
            self.write_checkpoint()
        self.watch(self.progress())

    def _due(self, every_s: float) -> bool:
        """Is it time for a checkpoint? The first process decides."""
        since = self.clock() - self._written_at
        due: bool = self.ranks.agreed(since >= max(every_s, CHECKPOINT_SHARE * self._writing_s))
        return due
