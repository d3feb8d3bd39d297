"""The loop: epochs of steps, a look at the validation samples after each, and nothing lost on the way."""

import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import torch

from okapi.errors import InvalidSamples, OkapiError, Unfinished
from okapi.files import replace_file
from okapi.models.nnue import Nnue
from okapi.training.checkpoints import CHECKPOINT
from okapi.training.nnue.lessons import Lessons
from okapi.training.nnue.parts import Part, find_parts, joined
from okapi.training.nnue.plan import Plan
from okapi.training.nnue.step import Step, judge
from okapi.training.nnue.weights import WEIGHTS, read_weights, write_weights
from okapi.training.supervised.checkpoint import Checkpoint, refuse_others
from okapi.training.supervised.devices import Busy, dice_of, find_device, set_dice
from okapi.training.supervised.events import Events
from okapi.training.supervised.now import Now
from okapi.training.supervised.optimisers import load_optimiser
from okapi.training.supervised.report import Report, write_metrics

__all__ = ["PLAN", "train"]

PLAN: Final = "plan.json"

BEAT_S: Final = 0.5
"""About so often the loop looks up from its batches."""

KEEP_S: Final = 30.0
"""A checkpoint so often, at least …"""

MOST_OF_THE_TIME: Final = 20.0
"""… if training takes so many times as long as writing one."""


def train(
    plan: Plan,
    places: Sequence[Path],
    folder: Path,
    *,
    start: Path | None = None,
    device: str = "auto",
    watch: Callable[[Now], object] = lambda now: None,
    stop: Callable[[], bool] = lambda: False,
    keep_every_s: float = KEEP_S,
    threads: int = 4,
) -> Report:
    """Train a network on the parts in some folders, or go on with it; what was finished before is only read.

    `start` is a weights file to begin with. `watch` is told twice a second how it goes, and `stop` asked whether to go
    on: if not, everything is kept and Unfinished raised. UsageError if the folder holds another plan or other samples.
    """
    taught, asked = joined(find_parts(places), threads=threads)
    about = {"plan": plan.as_json(), "data": [taught.fingerprint(), asked.fingerprint()]}
    if start is not None:
        about["start"] = hashlib.blake2b(start.read_bytes(), digest_size=16).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    where = find_device(device)
    at = Checkpoint.read(folder, about)
    if at is None and (report := Report.read(folder)) is not None:
        refuse_others(folder, dict(report.about), about)
        return report
    if not len(taught) or not len(asked):
        raise InvalidSamples("there are no samples to teach, or none for validation", hint="pack more positions")
    with torch.random.fork_rng([where] if where.type == "cuda" else []):
        trainer = _Trainer(plan, (taught, asked), folder, where, at or Checkpoint(about=about), start)
        with Busy(where) as busy:
            trainer.run(watch, stop, keep_every_s)
        return trainer.finish(busy.share)


class _Trainer:
    """A network, its lessons, and where training stands."""

    def __init__(
        self,
        plan: Plan,
        parts: tuple[Part, Part],
        folder: Path,
        device: torch.device,
        at: Checkpoint,
        start: Path | None,
    ) -> None:
        self._plan, self._folder, self._device, self._at = plan, folder, device, at
        if device.type == "cuda":
            torch.set_float32_matmul_precision("highest" if plan.precision == "float32" else "high")
        torch.manual_seed(plan.seed)
        self._model = Nnue(plan.neurons, plan.buckets, plan.dropout)
        if start is not None:
            self._model.load_state_dict(read_weights(start))
        self._model.to(device)
        self._validation = Lessons.of(parts[1], device)
        self._lessons = Lessons.of(parts[0], device).without(self._validation)
        self._step = Step(plan, self._model, self._lessons, device)
        self._about_parts = parts[0].about["parts"]
        if at.model:
            self._model.load_state_dict(at.model)
            load_optimiser(self._step.optimiser, at.optimiser)
            set_dice(at.random[0], device)
        replace_file(folder / PLAN, json.dumps(at.about, indent=1).encode())

    def run(self, watch: Callable[[Now], object], stop: Callable[[], bool], keep_every_s: float) -> None:
        """Epoch after epoch."""
        self._begun, self._spent = time.monotonic(), self._at.seconds
        self._kept, self._took = -math.inf, 0.0
        self._beats = 1
        with closing(Events(self._folder)) as events:
            while self._at.epoch < self._plan.epochs:
                self._step.begin(self._at.epoch, self._at.batch, self._at.loss)
                while self._at.batch < self._step.batches:
                    self._teach()
                    ask = stop()
                    if ask or self._due(keep_every_s):
                        self._keep()
                    watch(self._now())
                    if ask:
                        where = f"epoch {self._at.epoch + 1} of {self._plan.epochs}"
                        hint = "ask for the same again to go on"
                        raise Unfinished(f"training in `{self._folder}` stopped in {where}", hint=hint)
                events.log(self._at.epoch + 1, self._end_epoch())
                watch(self._now())

    def finish(self, busy: float | None) -> Report:
        """Write everything that stays: the best network, and how it came to be."""
        assert self._at.best is not None
        self._model.load_state_dict(self._at.best)
        sample = next(self._lessons.pieces(len(self._validation)))
        report = Report(
            epochs=self._at.epoch,
            best_epoch=self._at.best_epoch,
            seconds=round(self._at.seconds, 3),
            samples_per_second=round(self._samples() / max(self._at.taught_s, 1e-9), 1),
            device=torch.cuda.get_device_name(self._device) if self._device.type == "cuda" else "cpu",
            busy=busy,
            train={"count": len(self._lessons), "eaten": self._samples(), **self._judge(sample)},
            validation={"count": len(self._validation), **self._judge(self._validation)},
            test={},
            curve=self._at.curve,
            about={**self._at.about, "parts": self._about_parts},
        )
        write_metrics(self._folder, self._at.curve)
        write_weights(self._folder / WEIGHTS, self._model)
        report.write(self._folder)
        (self._folder / CHECKPOINT).unlink(missing_ok=True)
        return report

    def _teach(self) -> None:
        """Some batches, about as many as fit between two looks."""
        begun = time.monotonic()
        count = min(self._beats, self._step.batches - self._at.batch)
        for _ in range(count):
            self._step.take()
        self._at.batch += count
        self._at.loss = float(self._step.total)  # waits for the device
        elapsed = time.monotonic() - begun
        self._at.taught_s += elapsed
        self._beats = max(1, min(round(count * BEAT_S / max(elapsed, 1e-6)), 4 * self._beats))
        self._at.seconds = self._spent + time.monotonic() - self._begun

    def _end_epoch(self) -> dict[str, float]:
        """Ask the validation samples; what the curves say of this epoch."""
        train_loss = float(self._step.total) / self._step.batches
        found = self._judge(self._validation)
        if not math.isfinite(train_loss + found["loss"]):
            raise OkapiError(
                f"the loss in `{self._folder}` is no number any more in epoch {self._at.epoch + 1}",
                hint="a smaller rate, or precision=float32",
            )
        self._at.epoch += 1
        self._at.batch, self._at.loss = 0, 0.0
        self._at.seconds = self._spent + time.monotonic() - self._begun
        steps = self._step.batches
        scalars = {
            "train_loss": train_loss,
            **{f"validation_{name}": value for name, value in found.items()},
            "rate": self._plan.rate_at(self._at.epoch * steps - 1, self._plan.epochs * steps),
            "seconds": round(self._at.seconds, 3),
        }
        self._at.curve.append({"epoch": self._at.epoch, **scalars})
        if self._at.best_epoch == self._at.epoch:
            self._at.best = {name: tensor.clone() for name, tensor in self._model.state_dict().items()}
        if self._due(0.0):
            self._keep()
        return scalars

    def _judge(self, lessons: Lessons) -> dict[str, float]:
        self._model.eval()
        found = judge(self._model, lessons, self._plan)
        self._model.train()
        return found

    def _keep(self) -> None:
        begun = time.monotonic()
        self._at.model = self._model.state_dict()
        self._at.optimiser = self._step.optimiser.state_dict()
        self._at.random = [dice_of(self._device)]
        write_metrics(self._folder, self._at.curve)
        self._at.write(self._folder)
        self._kept = time.monotonic()
        self._took = self._kept - begun

    def _due(self, every_s: float) -> bool:
        return time.monotonic() - self._kept >= max(every_s, MOST_OF_THE_TIME * self._took)

    def _samples(self) -> int:
        return (self._at.epoch * self._step.batches + self._at.batch) * self._plan.batch

    def _now(self) -> Now:
        return Now(
            epoch=min(self._at.epoch + 1, self._plan.epochs),
            epochs=self._plan.epochs,
            batch=self._at.batch if self._at.epoch < self._plan.epochs else self._step.batches,
            batches=self._step.batches,
            train_loss=self._at.loss / self._at.batch if self._at.batch else None,
            seconds=self._at.seconds,
            samples_per_second=self._samples() / max(self._at.taught_s, 1e-9),
            curve=list(self._at.curve),
        )
