"""The loop: epochs of steps, a look at the validation positions after each, and nothing lost on the way."""

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import torch

from okapi.errors import InvalidSamples, OkapiError, Unfinished
from okapi.models.lai2015_moves import MoveNetwork
from okapi.training.checkpoints import CHECKPOINT
from okapi.training.moves.judging import judge, loss_and_scores
from okapi.training.moves.lessons import MoveLessons
from okapi.training.moves.plan import MovePlan
from okapi.training.moves.result import write_network
from okapi.training.supervised.checkpoint import Checkpoint, refuse_others
from okapi.training.supervised.now import Now
from okapi.training.supervised.optimisers import load_optimiser, make_optimiser, rate_at, set_rate
from okapi.training.supervised.report import Report, write_metrics

__all__ = ["learn_moves"]

KEEP_S: Final = 30.0
"""A checkpoint so often."""
BEAT_S: Final = 0.5
"""So often somebody is told how it goes."""
JUDGED: Final = ("loss", "accuracy", "top_3", "quiet_accuracy", "quiet_top_3")
"""What is told of the validation positions after each epoch."""
TRAIN_SAMPLE: Final = 20_000
"""Training positions on which the learned network is judged, at most."""


def learn_moves(
    plan: MovePlan,
    train: MoveLessons,
    validation: MoveLessons,
    test: MoveLessons,
    folder: Path,
    *,
    data: str = "",
    watch: Callable[[Now], object] = lambda now: None,
    stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Train a move network by a plan, or go on with it; what was finished before is only read.

    `data` names what is taught, so that nobody goes on with other positions. `watch` is told twice a second how it
    goes, and `stop` asked whether to go on: if not, everything is kept, the best network so far written, and Unfinished
    raised.
    """
    if not len(train) or not len(validation):
        raise InvalidSamples("there are no positions to learn from, or none to judge by", hint="more of them")
    folder.mkdir(parents=True, exist_ok=True)
    about = json.loads(json.dumps({"plan": plan.as_json(), "data": data}))
    if (report := Report.read(folder)) is not None:
        refuse_others(folder, dict(report.about), about)
        return report
    device = train.counts.device
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        pupil = _Pupil(plan, train, validation, folder, about)
        pupil.learn(watch, stop)
        return pupil.finish(test)


class _Pupil:
    """A network, and where its training stands."""

    def __init__(
        self, plan: MovePlan, train: MoveLessons, validation: MoveLessons, folder: Path, about: dict[str, Any]
    ) -> None:
        self._plan, self._train, self._validation, self._folder = plan, train, validation, folder
        self._device = train.counts.device
        if self._device.type == "cuda":
            torch.set_float32_matmul_precision("high")
        torch.manual_seed(plan.seed)
        self._network = MoveNetwork(plan.design).to(self._device)
        self._optimiser = make_optimiser(plan.optimiser, self._network.parameters(), self._device)
        self._batches = -(-len(train) // plan.batch)
        self._at = Checkpoint.read(folder, about) or Checkpoint(about=about)
        if self._at.model:
            self._network.load_state_dict(self._at.model)
            load_optimiser(self._optimiser, self._at.optimiser)

    def learn(self, watch: Callable[[Now], object], stop: Callable[[], bool]) -> None:
        """Epoch after epoch."""
        begun = kept = told = time.monotonic()
        before = self._at.seconds
        while self._at.epoch < self._plan.epochs:
            order = self._order()
            total = torch.tensor(self._at.loss, dtype=torch.float64, device=self._device)
            while self._at.batch < self._batches:
                total += self._step(order)
                now = time.monotonic()
                if now - told < BEAT_S and self._at.batch < self._batches:
                    continue
                told, self._at.loss, self._at.seconds = now, float(total), before + now - begun
                watch(self._now())
                ends = stop()
                if ends or now - kept > KEEP_S:
                    self._keep()
                    kept = now
                if ends:
                    self._write_best()
                    raise Unfinished(
                        f"training in `{self._folder}` stopped in epoch {self._at.epoch + 1} of {self._plan.epochs}",
                        hint="ask for the same again to go on",
                    )
            self._end_epoch()

    def finish(self, test: MoveLessons) -> Report:
        """Judge the best network and write everything that stays."""
        self._write_best()
        some = torch.arange(min(TRAIN_SAMPLE, len(self._train)), device=self._device)
        sample = MoveLessons(
            self._train.features[some],
            self._train.moves,
            *(column[some] for column in (self._train.starts, self._train.counts, self._train.best, self._train.quiet)),
        )
        samples = self._at.epoch * len(self._train)
        report = Report(
            epochs=self._at.epoch,
            best_epoch=self._at.best_epoch,
            seconds=round(self._at.seconds, 3),
            samples_per_second=round(samples / max(self._at.seconds, 1e-9), 1),
            device=torch.cuda.get_device_name(self._device) if self._device.type == "cuda" else "cpu",
            busy=None,
            train=judge(self._network, sample),
            validation=judge(self._network, self._validation),
            test=judge(self._network, test),
            curve=self._at.curve,
            about=self._at.about,
        )
        write_metrics(self._folder, self._at.curve)
        report.write(self._folder)
        (self._folder / CHECKPOINT).unlink(missing_ok=True)
        return report

    def _write_best(self) -> None:
        """Also of training that was stopped: what it was worth after its best epoch, if one is over."""
        if self._at.best is not None:
            self._network.load_state_dict(self._at.best)
            write_network(self._folder, self._network)

    def _order(self) -> torch.Tensor:
        """Of an epoch: it follows from seed and epoch alone."""
        dice = torch.Generator(self._device).manual_seed(1_000_003 * self._plan.seed + self._at.epoch)
        return torch.randperm(len(self._train), generator=dice, device=self._device)

    def _step(self, order: torch.Tensor) -> torch.Tensor:
        plan, at = self._plan, self._at
        number = at.epoch * self._batches + at.batch
        set_rate(self._optimiser, rate_at(plan.optimiser, plan.schedule, number, plan.epochs * self._batches))
        which = order[at.batch * plan.batch : (at.batch + 1) * plan.batch]
        loss, _ = loss_and_scores(self._network, self._train.take(which))
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._optimiser.step()
        at.batch += 1
        return loss.detach()

    def _end_epoch(self) -> None:
        at = self._at
        train_loss = at.loss / self._batches
        found = judge(self._network, self._validation)
        if not math.isfinite(train_loss + found["loss"]):
            raise OkapiError(
                f"the loss in `{self._folder}` is no number any more in epoch {at.epoch + 1}",
                hint="a smaller learning rate",
            )
        at.epoch, at.batch, at.loss = at.epoch + 1, 0, 0.0
        at.curve.append(
            {
                "epoch": at.epoch,
                "train_loss": train_loss,
                **{f"validation_{name}": found[name] for name in JUDGED},
                "seconds": round(at.seconds, 3),
            }
        )
        if at.best_epoch == at.epoch:
            at.best = {name: tensor.clone() for name, tensor in self._network.state_dict().items()}

    def _keep(self) -> None:
        self._at.model = self._network.state_dict()
        self._at.optimiser = self._optimiser.state_dict()
        write_metrics(self._folder, self._at.curve)
        self._at.write(self._folder)

    def _now(self) -> Now:
        samples = (self._at.epoch * self._batches + self._at.batch) * self._plan.batch
        return Now(
            epoch=self._at.epoch + 1,
            epochs=self._plan.epochs,
            batch=self._at.batch,
            batches=self._batches,
            train_loss=self._at.loss / max(self._at.batch, 1),
            seconds=self._at.seconds,
            samples_per_second=samples / max(self._at.seconds, 1e-9),
            curve=list(self._at.curve),
        )
