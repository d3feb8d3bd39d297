"""Supervised training of a network on positions and targets."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, Unpack

import torch
from torch import Tensor, nn
from torch.nn import functional

from okapi.errors import InvalidSamples, NotFound, UsageError, did_you_mean
from okapi.models import current_name, make_model
from okapi.models.express import Expressed, express, restore
from okapi.models.sheehan2016 import objective
from okapi.models.torch_boards import may_mirror, mirrored
from okapi.models.torch_encodings import check_torch_encoding, encode
from okapi.settings import Config
from okapi.training.dataset import Dataset as Dataset
from okapi.training.devices import GraphedStep, Ranks, compiled_if_possible, epoch_order, find_device, forked_rng
from okapi.training.optimisers import OPTIMISERS, check_optimiser, make_optimiser, rate_at, set_rate
from okapi.training.report import NETWORK_FILE, TrainingReport, current_settings, read_network, write_network
from okapi.training.trainer import Task, Trainer, TrainingOptions, fingerprint, finished_report, identity

EVALUATION_BATCH: Final = 4096
TRAIN_SAMPLE: Final = 20_000  # training samples on which the final network is evaluated, at most

OTHER_FILES: Final = {64: 7, 4096: 64 * 7 + 7}  # the bits of so many choices that change when files are mirrored

JOB: Final = "job:"

CHOICE: Final = "choice"
SELDOM: Final = 0.02  # the share of targets that may lie beyond one of two bounds
TOP: Final = (1, 3, 5, 10)  # for these k metrics of a choice have the share of targets among the k likeliest
Loss: TypeAlias = Callable[[Tensor, Tensor, float], Tensor]  # outputs (n x k), targets (n), smoothing: the mean


def _cross_entropy(outputs: Tensor, targets: Tensor, smooth: float) -> Tensor:
    return functional.cross_entropy(outputs, targets, label_smoothing=smooth)


def _bounds(outputs: Tensor, targets: Tensor, smooth: float) -> Tensor:
    """Pinball losses: few targets shall be below the first output, as few above the second."""
    errors = targets[:, None] - outputs
    seldom = outputs.new_tensor([SELDOM, 1 - SELDOM])
    return torch.maximum(seldom * errors, (seldom - 1) * errors).sum(dim=1).mean()


LOSSES: Final[dict[str, Loss]] = {
    "cross-entropy": _cross_entropy,
    "squared": lambda outputs, targets, smooth: functional.mse_loss(outputs[:, 0], targets),
    "absolute": lambda outputs, targets, smooth: functional.l1_loss(outputs[:, 0], targets),
    "logistic": lambda outputs, targets, smooth: functional.binary_cross_entropy(outputs[:, 0], targets),
    "bounds": _bounds,
    CHOICE: _cross_entropy,
    "ranking": lambda outputs, targets, smooth: objective(outputs).mean(),
}
"""By name. cross-entropy: classes. choice: cross-entropy over squares or moves, too many for a confusion matrix.
squared, absolute: errors of a number. logistic: a sigmoid output and targets from 0 to 1. bounds: pinball losses of two
outputs that enclose a number. ranking: Deep Pink's objective on triplets of positions, without targets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisedConfig(Config):
    """How a network is made and trained; JSON both ways. docs/howto/training.md has an example."""

    model: str  # the function that makes the network, such as okapi.models.perceptron:perceptron
    arguments: Mapping[str, Any] = field(default_factory=dict)
    encoding: str  # the network's input; one of okapi.models.torch_encodings
    loss: str
    optimiser: Mapping[str, Any]  # its name, its learning rate `lr`, and its other settings
    schedule: Mapping[str, Any] = field(default_factory=dict)  # of the learning rate; constant by default
    batch: int  # samples of a step, over all processes
    epochs: int  # at most
    samples: int | None = None  # samples of an epoch, if not all of them; each epoch draws others
    patience: int | None = None  # stop after so many epochs without a lower validation loss
    seed: int = 1
    precision: Literal["float32", "bfloat16"] = "float32"
    compile: bool = False  # compile the network with torch.compile, where that works
    mirror: bool = False  # mirror half of the positions, with chosen squares, where castling is no longer possible
    smooth: float = 0.0
    warm_start: str | None = None
    """The network to start from: job:NAME of the same folder of jobs, or a learned.npz relative to the job's folder.
    Batch normalisation then keeps its statistics."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", current_name(self.model))
        if self.loss not in LOSSES:
            raise UsageError(f"no loss `{self.loss}`", hint=did_you_mean(self.loss, LOSSES))
        check_torch_encoding(self.encoding)
        self.require(
            "a whole number from 1 on",
            lambda value: value is None or (isinstance(value, int) and value >= 1),
            *("batch", "epochs", "samples", "patience"),
        )
        self.require_one_of("precision", ("float32", "bfloat16"))
        self.require("a share from 0 on, below 1", lambda value: 0 <= value < 1, "smooth")
        check_optimiser(self.optimiser, self.schedule)

    @staticmethod
    def upgraded(settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return current_settings(settings)

    def batches(self, samples: int) -> int:
        """Steps of an epoch. All batches have one size: the last one is filled up with samples of the first."""
        return -(-min(samples, self.samples or samples) // self.batch)


def train_supervised(
    config: SupervisedConfig,
    train: Dataset,
    validation: Dataset,
    test: Dataset,
    folder: Path,
    *,
    device: str = "auto",
    cut: bool = False,
    snapshot: Callable[[int, Expressed], object] = lambda step, network: None,
    **options: Unpack[TrainingOptions],
) -> TrainingReport:
    """Train a network, or resume its training; a finished training is only read.

    `snapshot` gets a number of steps and the network after them, about `snapshots` times. UsageError if the folder
    holds another training. After `stop` Unfinished; or, with `cut`, the best weights so far, and the report's `about`
    says so.
    """
    for name, part in (("train", train), ("validation", validation)):
        if not len(part):
            raise InvalidSamples(f"there are no {name} samples", hint="more positions, or another split")
    folder.mkdir(parents=True, exist_ok=True)
    base = start = None
    if config.warm_start is not None:
        path = _warm_start_file(config.warm_start, folder)
        base, start = read_network(path), fingerprint(path.read_bytes())
    data = [part.fingerprint() for part in (train, validation, test)]
    about = identity(config.as_json(), data, start)
    if (report := finished_report(folder, about)) is not None:
        return report
    ranks = Ranks()
    where = find_device(device, ranks.local)
    ranks.join(where)
    try:
        with forked_rng(where):
            task = SupervisedTask(config, train, validation, where, ranks, base)

            def keep(step: int) -> None:
                snapshot(step, express(task.model))

            trainer = Trainer(task, folder, about, ranks=ranks, cut=cut, snapshot=keep, **options)
            trainer.run_to_best()
            sample = Dataset(train.positions[:TRAIN_SAMPLE], train.targets[:TRAIN_SAMPLE])
            first, second, third = (task.metrics(part.on(where)) for part in (sample, validation, test))
            more = {"cut": True} if trainer.was_cut else {}
            return trainer.finish(lambda: write_network(folder, express(task.model)), first, second, third, more)
    finally:
        ranks.leave()


class SupervisedTask(Task):
    """A step gathers a batch on the device, encodes it, and updates the weights; nothing comes back meanwhile."""

    model: nn.Sequential
    device: torch.device
    hint = "a smaller learning rate, or float32"

    def __init__(
        self,
        config: SupervisedConfig,
        train: Dataset,
        validation: Dataset,
        device: torch.device,
        ranks: Ranks,
        warm_start: Expressed | None = None,
    ) -> None:
        if config.batch % ranks.count:
            raise UsageError(f"a batch of {config.batch} cannot be shared by {ranks.count} processes")
        self._config, self.device, self._ranks, self.patience = config, device, ranks, config.patience
        torch.manual_seed(config.seed)
        self.model = make_model(config.model, config.arguments)
        if warm_start is not None:
            restore(self.model, warm_start)
        self.model.to(device)
        if device.type == "cuda":
            torch.set_float32_matmul_precision("high")
            torch.backends.cudnn.benchmark = True
            for weights in self.model.parameters():
                if weights.dim() == 4:  # the memory layout in which convolutions are fast there
                    weights.data = weights.data.contiguous(memory_format=torch.channels_last)
        self.model.train()
        if warm_start is not None:  # statistics stay: those of a few samples would spoil a trained network
            for module in self.model.modules():
                if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
                    module.eval()
        self._validation = validation.on(device)
        self._positions, self._targets = train.on(device)
        self.epochs, self.batches, self.batch_size = config.epochs, config.batches(len(train)), config.batch
        self.optimiser = make_optimiser(config.optimiser, self.model.parameters(), device)
        self._forward: Callable[[Tensor], Tensor] = self.model
        if config.compile:
            zeros = torch.zeros(config.batch, 36, dtype=torch.uint8, device=device)
            self._forward = compiled_if_possible(
                self._forward, self.model, device, lambda model: predict(model, zeros, config, device).sum()
            )
        share = config.batch // ranks.count
        self._offsets = torch.arange(share, device=device) + ranks.number * share
        self._order = torch.arange(len(train), device=device)
        self._cursor = torch.zeros((), dtype=torch.int64, device=device)
        self.total = torch.zeros((), dtype=torch.float64, device=device)
        capturable = ranks.alone and OPTIMISERS[config.optimiser["name"]].capturable
        self._run = GraphedStep(self._step, device, capturable=capturable)

    def begin_epoch(self, epoch: int, batch: int = 0) -> None:
        self._order.copy_(epoch_order(len(self._order), self._config.seed, epoch, self.device))
        self._cursor.fill_(batch * self._config.batch)

    def step(self, number: int, done: float = 0.0) -> None:
        set_rate(self.optimiser, self._rate_at(number))
        self._run()

    def _step(self) -> None:
        rows = self._order[(self._cursor + self._offsets) % len(self._order)]
        self._cursor += self._config.batch
        positions, targets = self._positions[rows], self._targets[rows]
        if self._config.mirror:
            turned = (torch.rand(len(positions), 1, device=self.device) < 0.5) & may_mirror(positions)
            positions = torch.where(turned, mirrored(positions), positions)
        outputs = predict(self._forward, positions, self._config, self.device)
        if self._config.mirror and self._config.loss == CHOICE:
            targets = torch.where(turned[:, 0], targets ^ OTHER_FILES[outputs.shape[1]], targets)
        loss = LOSSES[self._config.loss](outputs, targets, self._config.smooth)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._ranks.average_gradients(self.model)
        self.optimiser.step()
        self.total += loss.detach()

    def evaluate(self, steps: int) -> dict[str, Any]:
        self._ranks.broadcast(list(self.model.buffers()))
        metrics = self.metrics(self._validation)
        shown = {f"validation_{name}": value for name, value in metrics.items() if name not in ("count", "confusion")}
        return {**shown, "rate": self._rate_at(steps - 1)}

    @torch.no_grad()
    def metrics(self, data: tuple[Tensor, Tensor]) -> dict[str, Any]:
        """Of positions and targets on the device; each rank evaluates its share."""
        in_training = [module for module in self.model.modules() if module.training]
        self.model.eval()
        positions, targets = (column[self._ranks.number :: self._ranks.count] for column in data)
        sums: Metrics | None = None
        for begin in range(0, len(positions), EVALUATION_BATCH):
            rows = slice(begin, begin + EVALUATION_BATCH)
            outputs = predict(self.model, positions[rows], self._config, self.device)
            sums = sums or Metrics(self._config.loss, outputs.shape[1], self.device)
            sums.add(outputs, targets[rows])
        for module in in_training:
            module.training = True
        if sums is None:
            return {"count": 0, "loss": 0.0}
        self._ranks.sum(sums.sums)
        return sums.values()

    def _rate_at(self, step: int) -> float:
        return rate_at(self._config.optimiser, self._config.schedule, step, self._config.epochs * self.batches)


def predict(
    model: Callable[[Tensor], Tensor], positions: Tensor, config: SupervisedConfig, device: torch.device
) -> Tensor:
    """The network's outputs for packed positions, as float32; k positions of a sample give k times as many."""
    inputs = encode(positions.flatten(0, -2), config.encoding)
    if device.type == "cuda" and inputs.dim() == 4:
        inputs = inputs.contiguous(memory_format=torch.channels_last)
    with torch.autocast(device.type, torch.bfloat16, enabled=config.precision == "bfloat16"):
        outputs = model(inputs)
    return outputs.float().view(len(positions), -1)


def _warm_start_file(name: str, folder: Path) -> Path:
    """The file of the network that a config in that folder starts from: NotFound."""
    job = warm_start_job(name)
    path = folder / name if job is None else folder.parent / job / NETWORK_FILE
    if not path.is_file():
        hint = "give a learned.npz" if job is None else f"run the job `{job}` first"
        raise NotFound(f"there is no network to start from at `{path}`", hint=hint)
    return path


def warm_start_job(start: str | None) -> str | None:
    """The job of the same folder that a config starts from, if it does.

    >>> warm_start_job("job:first"), warm_start_job("first/learned.npz")
    ('first', None)
    """
    return start.removeprefix(JOB) if start is not None and start.startswith(JOB) else None


class Metrics:
    """Sums over samples that stay on the device until they are read."""

    def __init__(self, loss: str, outputs: int, device: torch.device) -> None:
        self._loss, self._outputs = loss, outputs
        # Loss and count; then the confusion matrix, how often the right choice was among the first few, triplets
        # ranked right, or sums of errors to the powers 2, 1, 4.
        room = 2 + (outputs * outputs if loss == "cross-entropy" else len(TOP))
        self.sums = torch.zeros(room, dtype=torch.float64, device=device)

    def add(self, outputs: Tensor, targets: Tensor) -> None:
        outputs, count, sums = outputs.float(), len(targets), self.sums[2:]
        self.sums[0] += LOSSES[self._loss](outputs, targets, 0.0).double() * count
        self.sums[1] += count
        match self._loss:
            case "cross-entropy":
                pairs = targets * self._outputs + outputs.argmax(dim=1)
                sums.index_add_(0, pairs, torch.ones_like(pairs, dtype=torch.float64))
            case "choice":
                before = (outputs > outputs.gather(1, targets[:, None])).sum(dim=1)
                sums += torch.stack([(before < k).sum() for k in TOP])
            case "ranking":
                sums[0] += (outputs[:, 1] < outputs[:, 2]).sum()
            case _:
                errors = (outputs[:, 0] - targets).double()
                sums[:3] += torch.stack([errors.square().sum(), errors.abs().sum(), errors.pow(4).sum()])

    def values(self) -> dict[str, Any]:
        """Count and loss; accuracy, near (within a class), confusion (a row for each truth); top_3 …; or mse …, mae."""
        loss, count, *rest = self.sums.tolist()
        found: dict[str, Any] = {"count": int(count), "loss": loss / max(count, 1)}
        shares = [total / max(count, 1) for total in rest]
        match self._loss:
            case "ranking":
                return {**found, "accuracy": shares[0]}
            case "choice":
                names = ("accuracy", *(f"top_{k}" for k in TOP[1:]))
                return {**found, **dict(zip(names, shares, strict=True))}
            case "cross-entropy":
                confusion = self.sums[2:].view(self._outputs, self._outputs).cpu()
                offsets = (offset for offset in (-1, 0, 1) if abs(offset) < self._outputs)
                near = sum(float(confusion.diagonal(offset).sum()) for offset in offsets) / max(count, 1)
                accuracy = float(confusion.trace()) / max(count, 1)
                return {**found, "accuracy": accuracy, "near": near, "confusion": confusion.long().tolist()}
            case _:
                squared, absolute, fourth, _ = shares
                error = math.sqrt(max(fourth - squared**2, 0.0) / max(count, 1))
                return {**found, "mse": squared, "mse_error": error, "mae": absolute}
