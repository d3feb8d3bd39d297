"""A ResNet taught for a time: steps as fast as they go, now and then a look at the validation samples."""

import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from okapi.errors import InvalidSamples, OkapiError
from okapi.files import replace_file
from okapi.models.express import express
from okapi.training.checkpoints import CHECKPOINT
from okapi.training.nnue.lessons import Lessons
from okapi.training.nnue.parts import Part, find_parts, joined
from okapi.training.nnue.plan import LOGIT_CENTIPAWNS
from okapi.training.nnue.resnet import ResNetPlan, built, planes
from okapi.training.nnue.step import target_of
from okapi.training.supervised.checkpoint import Checkpoint, refuse_others
from okapi.training.supervised.devices import Busy, find_device
from okapi.training.supervised.optimisers import load_optimiser
from okapi.training.supervised.recorded import plain
from okapi.training.supervised.report import Report, write_learned, write_metrics

__all__ = ["Moment", "teach"]

PLAN: Final = "plan.json"

KEEP_S: Final = 30.0
"""A checkpoint so often."""

BEAT: Final = 32
"""Steps between two looks at the clock, on a GPU."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How teaching goes."""

    seconds: float
    of: float
    samples_per_second: float
    loss: float
    """Mean since the last look."""
    curve: Sequence[dict[str, Any]]
    """An entry for each look."""


def teach(
    plan: ResNetPlan,
    places: Sequence[Path],
    folder: Path,
    *,
    device: str = "auto",
    watch: Callable[[Moment], object] = lambda moment: None,
    threads: int = 4,
    clock: Callable[[], float] = time.monotonic,
) -> Report:
    """Teach a ResNet the parts in some folders, or go on with it; what was finished before is only read.

    Who is killed goes on with the last checkpoint, and has the time that was left then. `clock` says how late it is,
    in seconds.
    """
    taught, asked = joined(find_parts(places), threads=threads)
    about = {"plan": plan.as_json(), "data": [taught.fingerprint(), asked.fingerprint()]}
    folder.mkdir(parents=True, exist_ok=True)
    at = Checkpoint.read(folder, about)
    if at is None and (report := Report.read(folder)) is not None:
        refuse_others(folder, dict(report.about), about)
        return report
    if not len(taught) or not len(asked):
        raise InvalidSamples("there are no samples to teach, or none for validation", hint="pack more positions")
    replace_file(folder / PLAN, json.dumps(about, indent=1).encode())
    where = find_device(device)
    teaching = _Teaching(plan, (taught, asked), where, at or Checkpoint(about=about), clock)
    with Busy(where) as busy:
        teaching.run(folder, watch)
    return teaching.finish(folder, busy.share)


class _Teaching:
    """A ResNet, its lessons, and where teaching stands. An epoch of the checkpoint is the time between two looks."""

    def __init__(
        self,
        plan: ResNetPlan,
        parts: tuple[Part, Part],
        device: torch.device,
        at: Checkpoint,
        clock: Callable[[], float],
    ) -> None:
        self._plan, self._device, self._at, self._clock = plan, device, at, clock
        self._begun = clock() - at.seconds
        self._cuda = device.type == "cuda"
        if self._cuda:
            torch.set_float32_matmul_precision("high")
            torch.backends.cudnn.benchmark = True
        self._validation = Lessons.of(parts[1], device)
        self._lessons = Lessons.of(parts[0], device).without(self._validation)
        self._about_parts = parts[0].about["parts"]
        self._model = built(plan).to(device=device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._answer: Callable[[Tensor], Tensor] = self._model
        weights = list(self._model.parameters())
        self._optimiser = torch.optim.AdamW(
            [
                {"params": [weight for weight in weights if weight.dim() > 1], "weight_decay": plan.decay},
                {"params": [weight for weight in weights if weight.dim() == 1], "weight_decay": 0.0},
            ],
            lr=plan.rate,
            fused=True,
        )
        if at.model:
            self._model.load_state_dict(at.model)
            load_optimiser(self._optimiser, at.optimiser)
        self._share = torch.tensor(plan.result, device=device)
        self._total = torch.zeros((), device=device)
        self._since = 0
        self._order, self._pass = torch.empty(0, dtype=torch.int64), -1
        if plan.compile and self._cuda:
            self._compile()

    def run(self, folder: Path, watch: Callable[[Moment], object]) -> None:
        """Until the time is over."""
        kept = self._clock()
        self._looked = int(self._at.seconds * self._plan.looks / self._plan.seconds)
        while self._at.seconds < self._plan.seconds:
            begun = self._clock()
            for _ in range(BEAT if self._cuda else 1):
                self._step()
            loss = float(self._total)  # waits for the device
            self._at.taught_s += self._clock() - begun
            self._at.seconds = self._clock() - self._begun
            speed = self._at.batch * self._plan.batch / max(self._at.taught_s, 1e-9)
            due = self._at.seconds * self._plan.looks / self._plan.seconds
            if int(due) > self._looked:
                self._looked = int(due)
                self._look()
            watch(Moment(self._at.seconds, self._plan.seconds, speed, loss / max(1, self._since), self._at.curve))
            if self._clock() - kept >= KEEP_S:
                self._at.model, self._at.optimiser = self._model.state_dict(), self._optimiser.state_dict()
                self._at.write(folder)
                kept = self._clock()

    def finish(self, folder: Path, busy: float | None) -> Report:
        """Write everything that stays: the best weights, and how they came to be."""
        assert self._at.best is not None
        self._model.load_state_dict(self._at.best)
        sample = next(self._lessons.pieces(len(self._validation)))
        eaten = self._at.batch * self._plan.batch
        report = Report(
            epochs=self._at.epoch,
            best_epoch=self._at.best_epoch,
            seconds=round(self._at.seconds, 3),
            samples_per_second=round(eaten / max(self._at.taught_s, 1e-9), 1),
            device=torch.cuda.get_device_name(self._device) if self._cuda else "cpu",
            busy=busy,
            train={"count": len(self._lessons), "eaten": eaten, **self._asked(sample)},
            validation={"count": len(self._validation), **self._asked(self._validation)},
            test={},
            curve=self._at.curve,
            about={**self._at.about, "parts": self._about_parts},
        )
        write_metrics(folder, self._at.curve)
        write_learned(folder, express(self._model))
        report.write(folder)
        (folder / CHECKPOINT).unlink(missing_ok=True)
        return report

    def _compile(self) -> None:
        """If this machine can; tried out, so that nothing is lost if not."""
        compiled = torch.compile(self._model)
        try:
            self._loss(compiled, self._lessons.take(self._batch_of(0))).backward()
            self._answer = compiled
        except Exception as error:  # whatever is missing: a compiler, Triton, a driver
            print(f"the ResNet is not compiled: {plain(error)}", file=sys.stderr)
        self._optimiser.zero_grad(set_to_none=True)

    def _step(self) -> None:
        rate = self._plan.rate_at((self._clock() - self._begun) / self._plan.seconds, self._at.batch)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad(set_to_none=True)
        loss = self._loss(self._answer, self._lessons.take(self._batch_of(self._at.batch)))
        loss.backward()
        self._optimiser.step()
        self._total += loss.detach()
        self._since += 1
        self._at.batch += 1

    def _batch_of(self, number: int) -> Tensor:
        """Which lessons make a batch: all of them once in an order by dice, then in another; only full batches."""
        batch = min(self._plan.batch, len(self._lessons))
        each = len(self._lessons) // batch
        if number // each != self._pass:
            self._pass = number // each
            dice = torch.Generator(self._device).manual_seed(1_000_003 * self._plan.seed + self._pass)
            self._order = torch.randperm(len(self._lessons), generator=dice, device=self._device)
        return self._order[number % each * batch :][:batch]

    def _loss(self, answer: Callable[[Tensor], Tensor], lessons: Lessons) -> Tensor:
        logits = self._logits(answer, lessons.codes)
        return functional.binary_cross_entropy_with_logits(logits, target_of(lessons, self._share))

    def _logits(self, answer: Callable[[Tensor], Tensor], codes: Tensor) -> Tensor:
        short = self._cuda and self._plan.precision == "bf16"
        with torch.autocast(self._device.type, torch.bfloat16, enabled=short):
            return answer(planes(codes, torch.bfloat16 if short else torch.float32)).squeeze(1).float()

    def _look(self) -> None:
        """Ask the validation samples, and keep the weights if they are the best so far."""
        found = self._asked(self._validation)
        loss = float(self._total) / max(1, self._since)
        if not math.isfinite(loss + found["loss"]):
            hint = "a smaller rate, or precision=float32"
            raise OkapiError(f"the loss is no number any more after {self._at.seconds:.0f} s", hint=hint)
        self._total.zero_()
        self._since = 0
        self._at.epoch += 1
        self._at.curve.append(
            {
                "epoch": self._at.epoch,
                "train_loss": loss,
                **{f"validation_{name}": value for name, value in found.items()},
                "seconds": round(self._at.seconds, 3),
                "samples": self._at.batch * self._plan.batch,
            }
        )
        if self._at.best_epoch == self._at.epoch:
            self._at.best = {name: tensor.clone() for name, tensor in self._model.state_dict().items()}

    @torch.no_grad()
    def _asked(self, lessons: Lessons) -> dict[str, float]:
        """The loss on some lessons, and the mean mistake in expected score."""
        self._model.eval()
        sums = torch.zeros(2, dtype=torch.float64, device=self._device)
        for piece in lessons.pieces(self._plan.batch):
            logits = self._logits(self._model, piece.codes)
            apart = (torch.sigmoid(logits) - torch.sigmoid(piece.values.float() / LOGIT_CENTIPAWNS)).abs()
            target = target_of(piece, self._share)
            loss = functional.binary_cross_entropy_with_logits(logits, target, reduction="sum")
            sums += torch.stack([loss, apart.sum()]).double()
        self._model.train()
        loss, mistake = (sums / max(1, len(lessons))).tolist()
        return {"loss": loss, "value_mae": mistake}
