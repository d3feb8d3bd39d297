"""A ResNet trained for a time on labelled positions, that labels positions for an NNUE.

It reads the NNUE's inputs as twelve planes; its output is the logit of the expected score.
"""

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, Unpack

import torch
from torch import Tensor, nn
from torch.nn import functional

from okapi.errors import InvalidSamples
from okapi.models.express import Expressed, express, rebuilt
from okapi.models.resnet import resnet
from okapi.settings import Config
from okapi.training.devices import compiled_if_possible, epoch_order, find_device, first_line
from okapi.training.nnue import LOGIT_CENTIPAWNS, NnueDataset, ShardTask, target_scores
from okapi.training.optimisers import decaying, set_rate
from okapi.training.report import TrainingReport, write_network
from okapi.training.shards import Shard, find_shards, load_shards
from okapi.training.trainer import Trainer, TrainingOptions, finished_report, identity

PIECES: Final = 12
STEPS_AT_ONCE: Final = 32  # steps on a GPU between two looks at the clock
MAX_CENTIPAWNS: Final = 10_000  # labels are clamped to it, as shards leave out larger values
REPORT_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResNetConfig(Config):
    """How a ResNet is made and trained. A training lasts a time, not a number of epochs: no two are quite alike."""

    blocks: int = 8
    channels: int = 128
    squeeze: int = 32  # neurons of the squeeze-and-excitation layers
    head: int = 32  # channels that the dense layers read …
    hidden: int = 128  # … and neurons of the one between
    dropout: float = 0.2  # of that layer
    seconds: float = 330.0  # in all, including the time of torch.compile
    looks: int = 20  # evaluations on the validation set; the best weights are kept
    batch: int = 4096
    rate: float = 2e-3  # the learning rate follows a cosine over time from here …
    last_rate: float = 1e-5  # … to here
    warmup: int = 500  # steps in which it first rises
    decay: float = 0.05  # weight decay of AdamW
    result: float = 0.0  # weight of the game's result in the target, beside the value
    precision: Literal["bf16", "float32"] = "bf16"  # on a GPU; a CPU computes with float32
    compile: bool = True  # compile it with torch.compile, where that works
    seed: int = 1

    def __post_init__(self) -> None:
        self.require_positive("blocks", "channels", "squeeze", "head", "hidden", "seconds", "looks", "batch", "rate")
        self.require_one_of("precision", ("bf16", "float32"))

    def rate_at(self, done: float, step: int) -> float:
        rate = self.last_rate + (self.rate - self.last_rate) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
        return rate * min(1.0, (step + 1) / max(1, self.warmup))


def make_resnet(config: ResNetConfig) -> nn.Sequential:
    with torch.random.fork_rng([]):
        torch.manual_seed(config.seed)
        sizes = {name: getattr(config, name) for name in ("channels", "blocks", "squeeze", "head", "hidden", "dropout")}
        return resnet(PIECES, outputs=1, **sizes)


def input_planes(codes: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """The input for boards of an NnueDataset: n x 12 x 8 x 8, channels last.

    >>> input_planes(torch.zeros(1, 64, dtype=torch.uint8))[0].sum(dim=(1, 2)).tolist()[:2]      # 64 pawns
    [64.0, 0.0]
    """
    kinds = torch.arange(PIECES, dtype=torch.uint8, device=codes.device)
    return (codes.view(-1, 8, 8, 1) == kinds).to(dtype).permute(0, 3, 1, 2)


def train_resnet(
    config: ResNetConfig,
    places: Sequence[Path],
    folder: Path,
    *,
    device: str = "auto",
    threads: int = 4,
    clock: Callable[[], float] = time.monotonic,
    **options: Unpack[TrainingOptions],
) -> TrainingReport:
    """Train a ResNet on the shards in some folders, or resume its training; a finished training is only read.

    After a kill the time that was left at the last checkpoint remains. `clock` gives seconds.
    """
    train, validation = load_shards(find_shards(places), threads=threads)
    about = identity(config.as_json(), [train.fingerprint(), validation.fingerprint()])
    if (report := finished_report(folder, about)) is not None:
        return report
    if not len(train) or not len(validation):
        raise InvalidSamples("there are no training samples, or none for validation", hint="pack more positions")
    where = find_device(device)
    begun = clock()
    task = _ResNetTask(config, train, validation, where)
    group = STEPS_AT_ONCE if where.type == "cuda" else 1
    trainer = Trainer(task, folder, about, seconds=config.seconds, steps_at_once=group, clock=clock, **options)
    trainer.at.seconds += clock() - begun  # compiling counts
    return task.finish(trainer, lambda: write_network(folder, express(task.model)), train.about)


class _ResNetTask(ShardTask):
    model: nn.Sequential

    def __init__(self, config: ResNetConfig, train: Shard, validation: Shard, device: torch.device) -> None:
        self._config, self.device, self._cuda = config, device, device.type == "cuda"
        self.epochs, self.batch_size = config.looks, config.batch
        if self._cuda:
            torch.set_float32_matmul_precision("high")
            torch.backends.cudnn.benchmark = True
        self.validation = NnueDataset.from_shard(validation, device)
        self.train = NnueDataset.from_shard(train, device).without(self.validation)
        self.model = make_resnet(config)
        self.model.to(device=device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._forward: Callable[[Tensor], Tensor] = self.model
        self.optimiser = torch.optim.AdamW(decaying(self.model, config.decay), lr=config.rate, fused=True)
        self._share = torch.tensor(config.result, device=device)
        self.total = torch.zeros((), device=device)
        self._order, self._pass = torch.empty(0, dtype=torch.int64), -1
        if config.compile and self._cuda:
            batch = self.train.take(self._rows(0))
            self._forward = compiled_if_possible(
                self._forward, self.model, device, lambda forward: self._loss(forward, batch)
            )

    def begin_epoch(self, epoch: int, batch: int) -> None:
        """Nothing: passes over the data are not epochs."""

    def step(self, number: int, done: float) -> None:
        set_rate(self.optimiser, self._config.rate_at(done, number))
        self.optimiser.zero_grad(set_to_none=True)
        loss = self._loss(self._forward, self.train.take(self._rows(number)))
        loss.backward()
        self.optimiser.step()
        self.total += loss.detach()

    def evaluate(self, steps: int) -> dict[str, Any]:
        return {**super().evaluate(steps), "samples": steps * self._config.batch}

    @torch.no_grad()
    def metrics(self, data: NnueDataset) -> dict[str, float]:
        """The loss, and the mean absolute error in expected score."""
        self.model.eval()
        sums = torch.zeros(2, dtype=torch.float64, device=self.device)
        for chunk in data.chunks(self._config.batch):
            logits = self._logits(self.model, chunk.codes)
            errors = (torch.sigmoid(logits) - torch.sigmoid(chunk.values.float() / LOGIT_CENTIPAWNS)).abs()
            targets = target_scores(chunk, self._share)
            loss = functional.binary_cross_entropy_with_logits(logits, targets, reduction="sum")
            sums += torch.stack([loss, errors.sum()]).double()
        self.model.train()
        mean_loss, mean_error = (sums / max(1, len(data))).tolist()
        return {"loss": mean_loss, "value_mae": mean_error}

    def _rows(self, number: int) -> Tensor:
        """The rows of a batch: each pass over the data has a random order of its own, and full batches only."""
        batch = min(self._config.batch, len(self.train))
        batches = len(self.train) // batch
        if number // batches != self._pass:
            self._pass = number // batches
            self._order = epoch_order(len(self.train), self._config.seed, self._pass, self.device)
        return self._order[number % batches * batch :][:batch]

    def _loss(self, forward: Callable[[Tensor], Tensor], data: NnueDataset) -> Tensor:
        logits = self._logits(forward, data.codes)
        return functional.binary_cross_entropy_with_logits(logits, target_scores(data, self._share))

    def _logits(self, forward: Callable[[Tensor], Tensor], codes: Tensor) -> Tensor:
        short = self._cuda and self._config.precision == "bf16"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=short):
            return forward(input_planes(codes, torch.bfloat16 if short else torch.float32)).squeeze(1).float()


class ResNetLabeller:
    """A trained ResNet with batch normalisation folded into the convolutions; bfloat16 on a GPU."""

    def __init__(self, network: Expressed, device: torch.device, *, batch: int, compiled: bool = False) -> None:
        self._device, self._batch, self._compiled = device, batch, compiled
        if device.type == "cuda":
            torch.backends.cudnn.benchmark = True
        self._network = rebuilt(network, device)
        self._forward: Callable[[Tensor], Tensor] = torch.compile(self._network) if compiled else self._network

    @torch.no_grad()
    def __call__(self, codes: Tensor) -> Tensor:
        """Centipawns for the side to move, int16."""
        centipawns = torch.cat([self._logits(rows) * LOGIT_CENTIPAWNS for rows in codes.split(self._batch)])
        return centipawns.round().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS).to(torch.int16)

    def _logits(self, codes: Tensor) -> Tensor:
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda"):
            # The network is compiled for full batches: a smaller one would compile it again.
            forward = self._forward if len(codes) == self._batch else self._network
            try:
                return forward(input_planes(codes)).squeeze(1).float()
            except Exception as error:  # whatever is missing: a compiler, Triton, a driver
                if not self._compiled:
                    raise
                print(f"the network is not compiled: {first_line(error)}", file=sys.stderr)
                self._forward, self._compiled = self._network, False
                return self._logits(codes)


def label_positions(
    labeller: ResNetLabeller,
    data: NnueDataset,
    *,
    at_once: int,
    until: float | None = None,
    watch: Callable[[int, int], object] = lambda done, of: None,
) -> NnueDataset:
    """The positions with values, `at_once` at a time; those that have one when time.monotonic() reaches `until`."""
    values = torch.zeros_like(data.values)
    done, reported = 0, time.monotonic()
    while done < len(data) and (until is None or time.monotonic() < until):
        rows = slice(done, done + at_once)
        values[rows] = labeller(data.codes[rows])
        if values.is_cuda:
            torch.cuda.synchronize(values.device)
        done = min(len(data), done + at_once)
        if time.monotonic() - reported >= REPORT_S:
            reported = time.monotonic()
            watch(done, len(data))
    return next(replace(data, values=values).chunks(max(1, done)))
