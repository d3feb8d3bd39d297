"""The Trainer: runs steps, evaluates, keeps the best weights, writes checkpoints, resumes, reports and stops.

It knows no chess. A `Task` has the network, the steps, the evaluation and the state; everything that trainings have
in common is here. A training that is interrupted anywhere, also by kill -9, and started again ends with the same
weights, bit for bit.
"""

import io
import json
import math
import pickle
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self

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
OLD_IDENTITY_FILE: Final = "plan.json"
"""Its name in folders of okapi 0.9 and before."""

REPORT_S: Final = 0.5
"""Seconds between two progress reports, about."""

CHECKPOINT_S: Final = 30.0
"""Seconds between two checkpoints …"""

CHECKPOINT_SHARE: Final = 20.0
"""… unless writing one takes more than one part in so many of the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingProgress:
    """The state of a training, for a display."""

    epoch: int
    """The current one, from 1 on."""
    epochs: int
    batch: int
    """Steps of this epoch that are done."""
    batches: int
    """Steps of an epoch; 0 in a training that is limited by time."""
    train_loss: float | None
    """Mean of this epoch, so far."""
    seconds: float
    """In all sessions."""
    samples_per_second: float
    curve: list[dict[str, Any]] = field(default_factory=list)
    """An entry for each evaluation."""
    done: float
    """The share that is done; patience may end a training before."""


class Task(ABC):
    """What a Trainer trains."""

    model: nn.Module
    optimiser: torch.optim.Optimizer
    total: Tensor
    """The sum of the losses of this epoch's steps."""

    @abstractmethod
    def begin_epoch(self, epoch: int, batch: int, total: float) -> None:
        """Go to a batch of an epoch, and set the sum of the epoch's losses so far."""

    @abstractmethod
    def step(self, number: int, done: float) -> None:
        """Take a step: its number in the whole training from 0 on, and the share of the training that is done."""

    @abstractmethod
    def evaluate(self, steps: int) -> Mapping[str, Any] | None:
        """Columns of the curve after so many steps, `validation_loss` among them; None if there is no validation."""

    def total_loss(self) -> float:
        """Waits for the device."""
        return float(self.total)

    def weights(self) -> dict[str, Tensor]:
        """The weights that are kept if they are the best."""
        return self.model.state_dict()

    def state(self) -> dict[str, Any]:
        """All that a checkpoint has to hold."""
        return {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}

    def load_state(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        load_optimiser(self.optimiser, state["optimiser"])


@dataclass(slots=True, kw_only=True)
class Checkpoint:
    """Where a training stands between two steps; written atomically."""

    about: dict[str, Any]
    """Identity of the training: its settings (`config`), and hashes of its data and of the weights it starts from."""
    epoch: int = 0
    """Epochs that are done."""
    batch: int = 0
    """Steps of the current epoch that are done, …"""
    loss: float = 0.0
    """… and the sum of their losses."""
    steps: int = 0
    """In all epochs."""
    seconds: float = 0.0
    """Spent in all sessions; and of those the ones spent on steps."""
    step_seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    best: dict[str, Tensor] | None = None
    """The weights with the lowest validation loss."""
    state: dict[str, Any] = field(default_factory=dict)
    rng: list[list[Tensor]] = field(default_factory=list)
    """Random states of each process: the CPU's, and the GPU's if there is one."""

    @property
    def best_epoch(self) -> int:
        """The epoch with the lowest validation loss, from 1 on; 0 if there is none yet."""
        return min(self.curve, key=lambda entry: entry["validation_loss"])["epoch"] if self.curve else 0

    def write(self, folder: Path) -> None:
        buffer = io.BytesIO()
        torch.save({each.name: getattr(self, each.name) for each in fields(self)}, buffer)
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


def identity(config: Mapping[str, Any], data: Any, warm_start: str | None = None) -> dict[str, Any]:
    """What makes a training the same one: settings, hashes of the data, and of the weights that it starts from."""
    about = {"config": dict(config), "data": data}
    if warm_start is not None:
        about["warm_start"] = warm_start
    found: dict[str, Any] = json.loads(json.dumps(about))
    return found


def refuse_others(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """UsageError if a folder holds a training with other settings, other samples, or another start."""
    found = current_identity(found)
    config = found.get("config", {})
    if found.get("data") != wanted["data"]:
        raise UsageError(f"`{folder}` was begun with other samples", hint="choose another folder")
    if found.get("warm_start") != wanted.get("warm_start"):
        raise UsageError(f"`{folder}` was begun from another network", hint="choose another folder")
    refuse_settings(folder, {name: config.get(name) for name in wanted["config"]}, wanted["config"])


def finished_report(folder: Path, about: Mapping[str, Any]) -> TrainingReport | None:
    """The report of a training that is finished in a folder; UsageError if the folder holds another training."""
    folder.mkdir(parents=True, exist_ok=True)
    report = TrainingReport.read(folder)
    path = folder / IDENTITY_FILE
    if not path.exists():
        path = folder / OLD_IDENTITY_FILE
    if path.exists():
        try:
            refuse_others(folder, json.loads(path.read_bytes()), about)
        except ValueError:
            raise InvalidText(f"`{path}` is damaged", hint="delete the folder") from None
    elif report is not None:
        refuse_others(folder, report.about, about)
    return report


class Trainer:
    """Trains a task in a folder: epochs of steps, or steps for a time."""

    def __init__(
        self,
        task: Task,
        folder: Path,
        about: Mapping[str, Any],
        *,
        epochs: int,
        batches: int = 0,
        batch_size: int,
        seconds: float | None = None,
        patience: int | None = None,
        device: torch.device | None = None,
        ranks: Ranks | None = None,
        watch: Callable[[TrainingProgress], object] = lambda progress: None,
        stop: Callable[[], bool] = lambda: False,
        cut: bool = False,
        snapshot: Callable[[int], object] = lambda step: None,
        snapshots: int = 0,
        checkpoint_every_s: float = CHECKPOINT_S,
        steps_at_once: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        hint: str = "a lower learning rate",
    ) -> None:
        """Begin, or resume from the folder's checkpoint.

        An epoch has `batches` steps. With `seconds`, a training lasts that long, and `epochs` is the number of
        evaluations in that time. `device` is given where random states belong to the training. `watch` gets reports
        of progress, and `stop` is asked as often whether to stop: if so, a checkpoint is written and Unfinished raised;
        with `cut`, a training that has finished an epoch ends there instead.
        `snapshot` is called about `snapshots` times, after the steps of snapshot_steps; after a kill some come again.
        Steps run in groups of `steps_at_once`, or as many as fit between two reports. `hint` is the advice for a loss
        that is not finite.
        """
        self._task, self._folder, self._device = task, folder, device
        self._epochs, self._batches, self._batch_size = epochs, batches, batch_size
        self._limit_s, self._patience = seconds, patience
        self._ranks = ranks or Ranks({})  # this process alone
        self._watch, self._stop, self._clock, self._hint = watch, stop, clock, hint
        self._every_s = checkpoint_every_s
        self._cut, self.was_cut = cut, False
        self._snapshot = snapshot
        self._snapshots = [] if seconds is not None else snapshot_steps(epochs * batches, snapshots)
        self._at_once, self._group = steps_at_once, steps_at_once or 1
        self._written_at, self._writing_s = -math.inf, 0.0
        found = Checkpoint.read(folder, about)
        self.at = found or Checkpoint(about=dict(about))
        if found is not None:
            task.load_state(found.state)
            if device is not None:
                set_rng_state(found.rng[self._ranks.number % len(found.rng)], device)
        elif not self._ranks.alone and device is not None:
            torch.manual_seed(torch.initial_seed() + 7919 * self._ranks.number)  # each rank has its own dropout
        if self._ranks.first and device is not None:
            replace_file(folder / IDENTITY_FILE, json.dumps(self.at.about, indent=1).encode())

    @property
    def samples(self) -> int:
        """Trained on so far, repetitions counted."""
        return self.at.steps * self._batch_size

    def run(self) -> Checkpoint:
        self._begun = self._clock() - self.at.seconds
        self._evaluated = self._evaluations_due()
        if self.at.steps in self._snapshots and self._ranks.first:
            self._snapshot(self.at.steps)
        while not self._finished():
            self._task.begin_epoch(self.at.epoch, self.at.batch, self.at.loss)
            while not self._epoch_finished():
                self._take_steps()
                self._report()
                if self.was_cut:
                    return self.at
            self._end_epoch()
        return self.at

    def run_to_best(self) -> None:
        """Train to the end; the network has the best weights then."""
        assert self._device is not None
        with GpuMonitor(self._device) as self._monitor:
            best = self.run().best
        assert best is not None
        self._task.model.load_state_dict(best)

    def write_checkpoint(self) -> None:
        begun = self._clock()
        if self._device is not None:
            self.at.rng = self._ranks.gathered(rng_state(self._device))
        self.at.state = self._task.state()
        if self._ranks.first:
            write_metrics(self._folder, self.at.curve)
            self.at.write(self._folder)
        self._written_at = self._clock()
        self._writing_s = self._written_at - begun

    def finish(
        self,
        save: Callable[[], object],
        *,
        train: Mapping[str, Any],
        validation: Mapping[str, Any],
        test: Mapping[str, Any],
        about: Mapping[str, Any] | None = None,
    ) -> TrainingReport:
        """After run_to_best: write the network with `save`, the curves and the report; delete the checkpoint."""
        report = TrainingReport(
            epochs=self.at.epoch,
            best_epoch=self.at.best_epoch,
            seconds=round(self.at.seconds, 3),
            samples_per_second=round(self.samples / max(self.at.step_seconds, 1e-9), 1),
            device=self._monitor.device_name,
            busy=self._monitor.share,
            train=train,
            validation=validation,
            test=test,
            curve=self.at.curve,
            about={**self.at.about, **(about or {})},
        )
        if self._ranks.first:
            write_metrics(self._folder, self.at.curve)
            save()
            report.write(self._folder)
            (self._folder / CHECKPOINT_FILE).unlink(missing_ok=True)
        return report

    def progress(self) -> TrainingProgress:
        over = self._limit_s is None and self.at.epoch >= self._epochs
        return TrainingProgress(
            epoch=min(self.at.epoch + 1, self._epochs),
            epochs=self._epochs,
            batch=self._batches if over else self.at.batch,
            batches=self._batches,
            train_loss=self.at.loss / self.at.batch if self.at.batch else None,
            seconds=self.at.seconds,
            samples_per_second=self.samples / max(self.at.step_seconds, 1e-9),
            curve=list(self.at.curve),
            done=min(1.0, self._done(self.at.steps)),
        )

    def _done(self, step: int) -> float:
        if self._limit_s is not None:
            return (self._clock() - self._begun) / self._limit_s
        return step / max(1, self._epochs * self._batches)

    def _evaluations_due(self) -> int:
        """In a training that is limited by time."""
        return 0 if self._limit_s is None else int(self.at.seconds * self._epochs / self._limit_s)

    def _epoch_finished(self) -> bool:
        if self._limit_s is None:
            return self.at.batch >= self._batches
        due = self._evaluations_due()
        if due == self._evaluated:
            return False
        self._evaluated = due
        return True

    def _finished(self) -> bool:
        if self._limit_s is not None:
            return self.at.seconds >= self._limit_s
        patient = self._patience is None or self.at.epoch - self.at.best_epoch < self._patience
        return self.at.epoch >= self._epochs or not patient

    def _take_steps(self) -> None:
        begun = self._clock()
        count = self._group if self._limit_s is not None else min(self._group, self._batches - self.at.batch)
        count = min([count, *(step - self.at.steps for step in self._snapshots if step > self.at.steps)])
        for number in range(self.at.steps, self.at.steps + count):
            self._task.step(number, self._done(number))
        self.at.batch += count
        self.at.steps += count
        self.at.loss = self._task.total_loss()  # waits for the device
        now = self._clock()
        self.at.step_seconds += now - begun
        self.at.seconds = now - self._begun
        if self._at_once is None:
            fitting = round(count * REPORT_S / max(now - begun, 1e-6))
            self._group = self._ranks.agreed(max(1, min(fitting, 4 * self._group)))
        if self.at.steps in self._snapshots and self._ranks.first:
            self._snapshot(self.at.steps)

    def _report(self) -> None:
        """Report progress, write a checkpoint if it is time, and stop if asked to."""
        self._watch(self.progress())
        stop = self._ranks.agreed(self._stop())
        if stop and self._cut and self.at.curve:
            self.was_cut = True
            return
        if stop or self._due(self._every_s):
            self.write_checkpoint()
        if stop:
            raise Unfinished(
                f"training in `{self._folder}` stopped in epoch {self.at.epoch + 1} of {self._epochs}",
                hint="the same command resumes it",
            )

    def _end_epoch(self) -> None:
        """Evaluate, and keep the weights if they are the best so far."""
        at = self.at
        train_loss = self._ranks.mean(at.loss, self._device) / max(1, at.batch)
        columns = self._task.evaluate(at.steps)
        if columns is not None and not math.isfinite(train_loss + columns["validation_loss"]):
            where = f"`{self._folder}`, epoch {at.epoch + 1}"
            raise OkapiError(f"the loss is not a finite number in {where}", hint=self._hint)
        at.epoch, at.batch, at.loss = at.epoch + 1, 0, 0.0
        if columns is None:
            return
        at.seconds = self._clock() - self._begun
        at.curve.append({"epoch": at.epoch, "train_loss": train_loss, **columns, "seconds": round(at.seconds, 3)})
        if at.best_epoch == at.epoch:
            at.best = {name: tensor.clone() for name, tensor in self._task.weights().items()}
        if self._due(0.0):
            self.write_checkpoint()
        self._watch(self.progress())

    def _due(self, every_s: float) -> bool:
        """Is it time for a checkpoint? The first process decides."""
        since = self._clock() - self._written_at
        due: bool = self._ranks.agreed(since >= max(every_s, CHECKPOINT_SHARE * self._writing_s))
        return due
