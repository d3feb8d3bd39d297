"""The loop: epochs of steps, a look at the validation samples after each, and nothing lost on the way."""

import json
import math
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from okapi.errors import InvalidSamples, InvalidText, OkapiError, Unfinished
from okapi.files import replace_file
from okapi.models import make_model
from okapi.models.express import express, restore
from okapi.training.checkpoints import CHECKPOINT
from okapi.training.supervised.checkpoint import Checkpoint, refuse_others
from okapi.training.supervised.devices import Busy, dice_of, find_device, set_dice
from okapi.training.supervised.events import Events
from okapi.training.supervised.judging import judge
from okapi.training.supervised.lessons import Lessons
from okapi.training.supervised.now import Now
from okapi.training.supervised.optimisers import load_optimiser, rate_at
from okapi.training.supervised.plan import Plan
from okapi.training.supervised.ranks import Ranks
from okapi.training.supervised.report import Report, write_learned, write_metrics
from okapi.training.supervised.start import Start, hold_norms
from okapi.training.supervised.step import Step

__all__ = ["learn"]

PLAN: Final = "plan.json"

BEAT_S: Final = 0.5
"""About so often the loop looks up from its batches."""

KEEP_S: Final = 30.0
"""A checkpoint so often, if writing one takes little time."""

MOST_OF_THE_TIME: Final = 20.0
"""Training takes at least so many times as long as writing checkpoints, also where an epoch is over in a moment."""

TRAIN_SAMPLE: Final = 20_000
"""Training samples on which the learned network is judged, at most."""


def learn(
    plan: Plan,
    train: Lessons,
    validation: Lessons,
    test: Lessons,
    folder: Path,
    *,
    device: str = "auto",
    watch: Callable[[Now], object] = lambda now: None,
    stop: Callable[[], bool] = lambda: False,
    keep_every_s: float = KEEP_S,
) -> Report:
    """Train a network by a plan, or go on with it; what was finished before is only read.

    `watch` is told twice a second how it goes, and `stop` asked whether to go on: if not, everything is kept and
    Unfinished raised. UsageError if the folder holds another plan or other samples.
    """
    for what, part in (("train", train), ("validation", validation)):
        if not len(part):
            raise InvalidSamples(f"there are no {what} samples", hint="more positions, or another split")
    data = [part.fingerprint() for part in (train, validation, test)]
    folder.mkdir(parents=True, exist_ok=True)
    start = None if plan.start is None else Start.find(plan.start, folder)
    about = json.loads(json.dumps({"plan": plan.as_json(), "data": data}))
    if start is not None:
        about["start"] = start.fingerprint
    ranks = Ranks()
    _refuse_other_plans(folder, about)
    if (report := Report.read(folder)) is not None:
        return report
    where = find_device(device, ranks.local)
    cuda = [where] if where.type == "cuda" else []
    ranks.join(where)
    try:
        with torch.random.fork_rng(cuda):
            trainer = _Trainer(plan, (train, validation, test), folder, where, ranks, about, keep_every_s, start)
            with Busy(where) as busy:
                trainer.run(watch, stop)
            return trainer.finish(busy.share)
    finally:
        ranks.leave()


class _Trainer:
    """A network, its lessons, and where training stands."""

    def __init__(
        self,
        plan: Plan,
        lessons: tuple[Lessons, Lessons, Lessons],
        folder: Path,
        device: torch.device,
        ranks: Ranks,
        about: dict[str, Any],
        keep_every_s: float,
        start: Start | None,
    ) -> None:
        self._plan = plan
        self._lessons = lessons
        self._folder = folder
        self._device = device
        self._ranks = ranks
        self._keep_every_s = keep_every_s
        if device.type == "cuda":
            torch.set_float32_matmul_precision("high")
            torch.backends.cudnn.benchmark = True
        torch.manual_seed(plan.seed)
        self._model = make_model(plan.model, plan.arguments)
        if start is not None:
            restore(self._model, start.network)
        self._model.to(device)
        if device.type == "cuda":
            _order_for_convolutions(self._model)
        self._model.train()
        if start is not None:
            hold_norms(self._model)
        self._validation = lessons[1].on(device)
        self._step = Step(plan, self._model, lessons[0], device, ranks)
        self._total_steps = plan.epochs * self._step.batches
        self._at = Checkpoint.read(folder, about) or Checkpoint(about=about)
        if self._at.model:
            self._restore()
        elif not ranks.alone:
            torch.manual_seed(plan.seed + 7919 * ranks.number)  # each drops out others
        if ranks.first:
            replace_file(folder / PLAN, json.dumps(about, indent=1).encode())

    def run(self, watch: Callable[[Now], object], stop: Callable[[], bool]) -> None:
        """Epoch after epoch, until there were enough or nothing gets better any more."""
        self._watch, self._stop = watch, stop
        self._begun, self._spent = time.monotonic(), self._at.seconds
        self._kept, self._took = -math.inf, 0.0
        self._beats = 1
        with closing(Events(self._folder) if self._ranks.first else _Nobody()) as self._events:
            while self._at.epoch < self._plan.epochs and not self._enough():
                self._step.begin(self._at.epoch, self._at.batch, self._at.loss)
                while self._at.batch < self._step.batches:
                    self._teach()
                    self._look_up()
                self._end_epoch()

    def finish(self, busy: float | None) -> Report:
        """Judge the best network and write everything that stays."""
        assert self._at.best is not None
        self._model.load_state_dict(self._at.best)
        sample = Lessons(*(column[:TRAIN_SAMPLE] for column in (self._lessons[0].positions, self._lessons[0].targets)))
        parts = [self._judge(part.on(self._device)) for part in (sample, *self._lessons[1:])]
        samples = len(self._at.curve) * self._step.batches * self._plan.batch
        report = Report(
            epochs=self._at.epoch,
            best_epoch=self._at.best_epoch,
            seconds=round(self._at.seconds, 3),
            samples_per_second=round(samples / max(self._at.taught_s, 1e-9), 1),
            device=torch.cuda.get_device_name(self._device) if self._device.type == "cuda" else "cpu",
            busy=busy,
            train=parts[0],
            validation=parts[1],
            test=parts[2],
            curve=self._at.curve,
            about=self._at.about,
        )
        if self._ranks.first:
            write_metrics(self._folder, self._at.curve)
            write_learned(self._folder, express(self._model))
            report.write(self._folder)
            (self._folder / CHECKPOINT).unlink(missing_ok=True)
        return report

    def _teach(self) -> None:
        """Some batches, about as many as fit between two looks."""
        begun = time.monotonic()
        first = self._at.epoch * self._step.batches
        count = min(self._beats, self._step.batches - self._at.batch)
        for batch in range(self._at.batch, self._at.batch + count):
            self._step.take(rate_at(self._plan.optimiser, self._plan.schedule, first + batch, self._total_steps))
        self._at.batch += count
        self._at.loss = float(self._step.total)  # waits for the device
        elapsed = time.monotonic() - begun
        self._at.taught_s += elapsed
        wanted = count * BEAT_S / max(elapsed, 1e-6)
        self._beats = self._ranks.agreed(max(1, min(round(wanted), 4 * self._beats)))

    def _look_up(self) -> None:
        """Keep what is there, if it is time to; tell others; ask whether to go on."""
        now = time.monotonic()
        self._at.seconds = self._spent + now - self._begun
        stop = self._ranks.agreed(self._stop())
        if stop or self._due(self._keep_every_s):
            self._keep()
        self._watch(self._now())
        if stop:
            raise Unfinished(
                f"training in `{self._folder}` stopped in epoch {self._at.epoch + 1} of {self._plan.epochs}",
                hint="ask for the same again to go on",
            )

    def _end_epoch(self) -> None:
        train_loss = float(self._ranks.sum(self._step.total)) / self._ranks.count / self._step.batches
        self._ranks.same(list(self._model.buffers()))
        found = self._judge(self._validation)
        if not math.isfinite(train_loss + found["loss"]):
            raise OkapiError(
                f"the loss in `{self._folder}` is no number any more in epoch {self._at.epoch + 1}",
                hint="a smaller learning rate, or float32",
            )
        self._at.epoch += 1
        self._at.batch, self._at.loss = 0, 0.0
        self._at.seconds = self._spent + time.monotonic() - self._begun
        last = self._at.epoch * self._step.batches - 1
        entry = {
            "epoch": self._at.epoch,
            "train_loss": train_loss,
            **{f"validation_{name}": value for name, value in found.items() if name not in ("count", "confusion")},
            "rate": rate_at(self._plan.optimiser, self._plan.schedule, last, self._total_steps),
            "seconds": round(self._at.seconds, 3),
        }
        self._at.curve.append(entry)
        if self._at.best_epoch == self._at.epoch:
            self._at.best = {name: tensor.clone() for name, tensor in self._model.state_dict().items()}
        self._events.log(self._at.epoch, {name: value for name, value in entry.items() if name != "epoch"})
        if self._due(0.0):
            self._keep()
        self._watch(self._now())

    def _enough(self) -> bool:
        patience = self._plan.patience
        return patience is not None and self._at.epoch - self._at.best_epoch >= patience

    def _judge(self, lessons: tuple[Tensor, Tensor]) -> dict[str, Any]:
        return judge(self._model, lessons, self._plan, self._device, self._ranks)

    def _keep(self) -> None:
        self._at.random = self._ranks.gathered(dice_of(self._device))
        self._at.model = self._model.state_dict()
        self._at.optimiser = self._step.optimiser.state_dict()
        begun = time.monotonic()
        if self._ranks.first:
            write_metrics(self._folder, self._at.curve)
            self._at.write(self._folder)
        self._kept = time.monotonic()
        self._took = self._kept - begun

    def _due(self, every_s: float) -> bool:
        """Is it time for a checkpoint? The first process decides."""
        due: bool = self._ranks.agreed(time.monotonic() - self._kept >= max(every_s, MOST_OF_THE_TIME * self._took))
        return due

    def _restore(self) -> None:
        self._model.load_state_dict(self._at.model)
        load_optimiser(self._step.optimiser, self._at.optimiser)
        set_dice(self._at.random[self._ranks.number % len(self._at.random)], self._device)

    def _now(self) -> Now:
        samples = (self._at.epoch * self._step.batches + self._at.batch) * self._plan.batch
        return Now(
            epoch=min(self._at.epoch + 1, self._plan.epochs),
            epochs=self._plan.epochs,
            batch=self._at.batch if self._at.epoch < self._plan.epochs else self._step.batches,
            batches=self._step.batches,
            train_loss=self._at.loss / self._at.batch if self._at.batch else None,
            seconds=self._at.seconds,
            samples_per_second=samples / max(self._at.taught_s, 1e-9),
            curve=list(self._at.curve),
        )


class _Nobody:
    """Writes no events."""

    def log(self, step: int, scalars: dict[str, float]) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


def _order_for_convolutions(model: nn.Module) -> None:
    """Channels last in memory, as a GPU likes them; what a tensor means stays the same."""
    for weights in model.parameters():
        if weights.dim() == 4:
            weights.data = weights.data.contiguous(memory_format=torch.channels_last)


def _refuse_other_plans(folder: Path, about: dict[str, Any]) -> None:
    path = folder / PLAN
    if not path.exists():
        return
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        raise InvalidText(f"`{path}` is damaged", hint="delete the folder") from None
    refuse_others(folder, found, about)
