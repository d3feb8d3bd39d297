"""NNUE training: samples stay packed in the device's memory, 68 bytes each, and a step on a GPU is a CUDA graph."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self, Unpack

import numpy as np
import torch
from torch import Tensor

from okapi.brains.nnue import FULL, PAIR, UNIT, QuantisedLayeredNnue, QuantisedNnue
from okapi.errors import InvalidSamples
from okapi.models.layers import arrays_of
from okapi.models.nnue import EMPTY, INPUTS, KING_BUCKETS, LayeredNnue, Nnue, seen_by_mover
from okapi.settings import Config
from okapi.training.devices import GraphedStep, compiled_if_possible, epoch_order, find_device, forked_rng
from okapi.training.optimisers import decaying, set_rate
from okapi.training.report import TrainingReport, open_arrays, write_arrays
from okapi.training.shards import Shard, find_shards, load_shards
from okapi.training.trainer import Task, Trainer, TrainingOptions, fingerprint, finished_report, identity

WEIGHTS_FILE: Final = "weights.npz"
LOGIT_CENTIPAWNS: Final = 400 / math.log(10)  # centipawns of a logit of the expected score
UNPACKED_AT_ONCE: Final = 1 << 18  # positions
CPU_CHUNK: Final = 2048  # positions that a CPU computes together: they fit its cache; a batch is several times as large
MAX_SUM: Final = (2**31 - 1) / 255**2 / 64  # of output weights of one sign, so that no sum of products leaves 32 bits
MARGIN: Final = 0.98  # how near they may come to it, so that rounding does not reach it


@dataclass(frozen=True, slots=True, kw_only=True)
class NnueConfig(Config):
    neurons: int = 256  # of the accumulator of each side
    buckets: int = 8  # output layers, one for each range of the number of pieces
    layers: bool = False  # multiply neurons in pairs, with small layers behind them: an NNUE of the kind `nnue-layers`
    king_buckets: int = 1  # copies of the first layer's rows, of which the own king's square selects one: 1 or 4
    scale: int = 174  # centipawns of an output of 1 in the brain. 174: outputs are logits
    batch: int = 16_384
    epochs: int = 40
    samples: int = 0  # of an epoch; 0: all
    rate: float = 1e-3  # the learning rate follows a cosine from here …
    last_rate: float = 1e-5  # … to here
    warmup: int = 0  # steps in which the rate first rises
    decay: float = 0.01  # weight decay of AdamW
    dropout: float = 0.0  # share of neurons; against overfitting where positions are few
    result: float = 0.2  # weight of the game's result in the target, beside the value, at the start …
    last_result: float = 0.2  # … and at the end. Without a result the target is the value
    power: float = 2.5  # the loss is the error in expected score to this power
    limit: float = 1.98  # largest weight: quantised, sums over 32 pieces fit 16 bits, and output weights 8
    precision: Literal["tf32", "bf16", "float32"] = "tf32"  # of the first layer's matrix product on a GPU
    layer: Literal["auto", "dense", "sparse"] = "auto"  # a dense product, or sums of rows: dense on a GPU
    compile: bool = False  # compile a step with torch.compile, where that works
    seed: int = 1

    def __post_init__(self) -> None:
        self.require("a multiple of 32 up to 1024", range(32, 1025, 32).__contains__, "neurons")
        if self.layers:
            self.require("a multiple of 64 with layers", lambda neurons: neurons % 64 == 0, "neurons")
            self.require("0 with layers", lambda dropout: not dropout, "dropout")
        self.require_one_of("king_buckets", KING_BUCKETS)
        self.require_within(1, 32, "buckets")
        self.require_positive("scale", "batch", "epochs", "rate", "last_rate", "power", "limit")
        self.require_within(0, 1, "result", "last_result", "dropout")
        self.require_one_of("precision", ("tf32", "bf16", "float32"))
        self.require_one_of("layer", ("auto", "dense", "sparse"))

    def rate_at(self, step: int, steps: int) -> float:
        if step < self.warmup:
            return self.rate * (step + 1) / self.warmup
        done = min(1.0, (step - self.warmup) / max(1, steps - 1 - self.warmup))
        return self.last_rate + (self.rate - self.last_rate) * 0.5 * (1 + math.cos(math.pi * done))

    def result_at(self, step: int, steps: int) -> float:
        return self.result + (self.last_result - self.result) * step / max(1, steps - 1)


@dataclass(frozen=True, slots=True, eq=False)
class NnueDataset:
    """Boards from the side to move's point of view, with values and results, in the memory of a device."""

    codes: Tensor  # n x 64 bytes, see okapi.models.nnue
    turned: Tensor  # whether the other side's view has its files mirrored
    values: Tensor  # centipawns, int16
    results: Tensor  # 0, 1, 2, or -1 where unknown; int8

    @classmethod
    def from_shard(cls, shard: Shard, device: torch.device) -> Self:
        codes = torch.empty(len(shard), 64, dtype=torch.uint8, device=device)
        turned = torch.empty(len(shard), dtype=torch.bool, device=device)
        for begin in range(0, len(shard), UNPACKED_AT_ONCE):
            rows = slice(begin, begin + UNPACKED_AT_ONCE)
            boards = torch.from_numpy(shard.boards[rows]).to(device)
            nibbles = torch.stack([boards & 15, boards >> 4], dim=2).view(-1, 64)  # 0 where a square is empty
            black = torch.from_numpy(shard.black[rows]).to(device) != 0
            unpacked = torch.where(nibbles == 0, EMPTY, nibbles - 1).to(torch.uint8)
            codes[rows], turned[rows] = seen_by_mover(unpacked, black)
        values = torch.from_numpy(np.array(shard.values)).to(device)
        return cls(codes, turned, values, torch.from_numpy(np.array(shard.results)).to(device))

    @classmethod
    def concatenate(cls, several: Sequence[Self]) -> Self:
        return cls(*(torch.cat([getattr(one, name) for one in several]) for name in cls.__slots__))

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, which: Tensor | slice) -> Self:
        return type(self)(self.codes[which], self.turned[which], self.values[which], self.results[which])

    def chunks(self, count: int) -> Iterator[Self]:
        return (self.take(slice(begin, begin + count)) for begin in range(0, len(self), count))

    def without(self, others: Self) -> Self:
        """The rows whose board does not occur in another dataset."""
        return self.take(~torch.isin(self._keys(), others._keys()))

    def distinct(self) -> Self:
        """Each board once, in the row in which it comes first."""
        keys, order = torch.sort(self._keys(), stable=True)
        first = torch.ones_like(keys, dtype=torch.bool)
        first[1:] = keys[1:] != keys[:-1]
        return self.take(order[first].sort()[0])

    def to_shard(self, about: Mapping[str, Any]) -> Shard:
        """A shard without validation rows, in which White is always to move."""
        nibbles = torch.where(self.codes == EMPTY, 0, self.codes + 1)
        boards = (nibbles[:, ::2] | nibbles[:, 1::2] << 4).cpu().numpy()
        values, results = self.values.cpu().numpy(), self.results.cpu().numpy()
        about = {**about, "positions": len(self), "with_result": int((results >= 0).sum())}
        return Shard(boards, np.zeros(len(self), np.uint8), values, results, 0, about)

    def _keys(self) -> Tensor:
        generator = torch.Generator().manual_seed(64)
        factors = torch.randint(-(1 << 62), 1 << 62, (8,), generator=generator).to(self.codes.device) | 1
        keys = torch.zeros(len(self), dtype=torch.int64, device=self.codes.device)
        for rank, factor in zip(self.codes.view(torch.int64).unbind(1), factors, strict=True):
            keys = (keys ^ rank) * factor
            keys ^= keys >> 29
        return keys


def train_nnue(
    config: NnueConfig,
    places: Sequence[Path],
    folder: Path,
    *,
    warm_start: Path | None = None,
    device: str = "auto",
    snapshot: Callable[[int, Mapping[str, Tensor]], object] = lambda step, weights: None,
    threads: int = 4,
    **options: Unpack[TrainingOptions],
) -> TrainingReport:
    """Train a network on the shards in some folders, or resume its training; a finished training is only read.

    `warm_start` is a weights file. `snapshot` gets a number of steps and the weights after them, about `snapshots`
    times. UsageError if the folder holds another training; Unfinished after `stop`.
    """
    train, validation = load_shards(find_shards(places), threads=threads)
    start = None if warm_start is None else fingerprint(warm_start.read_bytes())
    about = identity(config.as_json(), [train.fingerprint(), validation.fingerprint()], start)
    where = find_device(device)
    if (report := finished_report(folder, about)) is not None:
        return report
    if not len(train) or not len(validation):
        raise InvalidSamples("there are no training samples, or none for validation", hint="pack more positions")
    with forked_rng(where):
        held = NnueDataset.from_shard(validation, where)
        task = NnueTask(config, NnueDataset.from_shard(train, where).without(held), held, where, warm_start)
        trainer = Trainer(task, folder, about, snapshot=lambda step: snapshot(step, task.model.state_dict()), **options)
        return task.finish(trainer, lambda: write_weights(folder / WEIGHTS_FILE, task.model), train.about)


class ShardTask(Task):
    device: torch.device
    train: NnueDataset
    validation: NnueDataset
    hint = "a smaller rate, or precision=float32"

    @abstractmethod
    def metrics(self, data: NnueDataset) -> dict[str, float]:
        """Of the network as it is, `loss` and `value_mae` among them."""

    def evaluate(self, steps: int) -> dict[str, Any]:
        return {f"validation_{name}": value for name, value in self.metrics(self.validation).items()}

    def finish(
        self, trainer: Trainer, save: Callable[[], object], about: Mapping[str, Any], count: int | None = None
    ) -> TrainingReport:
        """Train to the end, and report; `count` is that of the training set, if it is not all in memory."""
        trainer.run_to_best()
        sample = next(self.train.chunks(len(self.validation)))
        train = {"count": count or len(self.train), "eaten": trainer.samples, **self.metrics(sample)}
        validation = {"count": len(self.validation), **self.metrics(self.validation)}
        return trainer.finish(save, train, validation, {}, about)


class NnueTask(ShardTask):
    """A step draws a batch, unpacks it, and updates the weights; nothing comes back from the device meanwhile."""

    model: Nnue | LayeredNnue

    def __init__(
        self,
        config: NnueConfig,
        train: NnueDataset,
        validation: NnueDataset,
        device: torch.device,
        warm_start: Path | None = None,
        row_limit: float | None = None,
    ) -> None:
        """`row_limit` is the largest weight of the first layer, if not the config's limit."""
        self._config, self.device, self._row_limit = config, device, row_limit or config.limit
        self.train, self.validation = train, validation
        cuda = device.type == "cuda"
        if cuda:
            torch.set_float32_matmul_precision("highest" if config.precision == "float32" else "high")
        torch.manual_seed(config.seed)
        self.model = network_of(config)
        if warm_start is not None:
            self.model.load_state_dict(starting_weights(warm_start, config))
        self.model.to(device)
        self._sparse = config.layer == "sparse" or (config.layer == "auto" and not cuda)
        self._at_once = config.batch if cuda else min(config.batch, CPU_CHUNK)
        self._loss = self._compiled() if config.compile else batch_loss
        self.epochs, self.batch_size = config.epochs, config.batch
        # All batches have one size: the last one is filled up with samples of the first.
        self.batches = -(-min(len(train), config.samples or len(train)) // config.batch)
        self._steps = config.epochs * self.batches
        steps = range(self._steps)
        self._rates = torch.tensor([config.rate_at(step, self._steps) for step in steps], device=device)
        self._shares = torch.tensor([config.result_at(step, self._steps) for step in steps], device=device)
        rate = torch.tensor(config.rate, device=device) if cuda else config.rate
        self.optimiser = torch.optim.AdamW(decaying(self.model, config.decay), lr=rate, fused=True, capturable=cuda)
        self._order = torch.arange(len(train), device=device)
        self._offsets = torch.arange(config.batch, device=device)
        self._number = torch.zeros(1, dtype=torch.int64, device=device)
        self.total = torch.zeros((), dtype=torch.float64, device=device)
        self._run = GraphedStep(self._step, device)

    def begin_epoch(self, epoch: int, batch: int = 0) -> None:
        self._order.copy_(epoch_order(len(self.train), self._config.seed, epoch, self.device))
        self._number.fill_(epoch * self.batches + batch)

    def step(self, number: int = 0, done: float = 0.0) -> None:
        self._run()

    def evaluate(self, steps: int) -> dict[str, Any]:
        return {**super().evaluate(steps), "rate": self._config.rate_at(steps - 1, self._steps)}

    def metrics(self, data: NnueDataset) -> dict[str, float]:
        self.model.eval()
        found = evaluate(self.model, data, self._config)
        self.model.train()
        return found

    def _compiled(self) -> Callable[..., Tensor]:
        config, device = self._config, self.device

        def trial(loss: Callable[..., Tensor]) -> Tensor:
            codes = torch.full((config.batch, 64), EMPTY, dtype=torch.uint8, device=device)
            codes[:, :2] = 0
            targets = torch.zeros(config.batch, device=device)
            return loss(self.model, codes, targets > 0, targets, config, sparse=self._sparse)

        return compiled_if_possible(batch_loss, self.model, device, trial)

    def _step(self) -> None:
        rows = self._order[(self._number % self.batches * self._config.batch + self._offsets) % len(self._order)]
        rate = self._rates.index_select(0, self._number).squeeze()
        set_rate(self.optimiser, rate if self.device.type == "cuda" else float(rate))
        share = self._shares.index_select(0, self._number)
        self.optimiser.zero_grad(set_to_none=True)
        for chunk in self.train.take(rows).chunks(self._at_once):
            targets = target_scores(chunk, share)
            loss = self._loss(self.model, chunk.codes, chunk.turned, targets, self._config, sparse=self._sparse)
            loss = loss * (len(chunk) / self._config.batch)
            loss.backward()
            self.total += loss.detach()
        self.optimiser.step()
        clip_weights(self.model, self._config.limit, self._row_limit)
        self._number += 1


def network_of(config: NnueConfig) -> Nnue | LayeredNnue:
    """With random weights, but the same for the same seed of torch."""
    if config.layers:
        return LayeredNnue(config.neurons, config.buckets, config.king_buckets)
    return Nnue(config.neurons, config.buckets, config.dropout, config.king_buckets)


@torch.no_grad()
def evaluate(model: Nnue | LayeredNnue, data: NnueDataset, config: NnueConfig) -> dict[str, float]:
    """The loss; and the mean absolute errors in expected score, against values and against results."""
    sums = torch.zeros(4, dtype=torch.float64, device=data.codes.device)
    share = torch.tensor(config.last_result, device=data.codes.device)
    for chunk in data.chunks(config.batch):
        expected = _score(model(chunk.codes, chunk.turned, sparse=not chunk.codes.is_cuda), config)
        known = chunk.results >= 0
        errors = (expected - target_scores(chunk, share)).abs().pow(config.power)
        values = (expected - _score_of(chunk.values)).abs()
        results = (expected - chunk.results / 2).abs() * known
        sums += torch.stack([errors.sum(), values.sum(), results.sum(), known.sum()])
    loss, value = (sums[:2] / max(1, len(data))).tolist()
    result = float(sums[2] / sums[3].clamp(min=1))
    return {"loss": loss, "value_mae": value, "result_mae": result}


@torch.no_grad()
def clip_weights(model: Nnue | LayeredNnue, limit: float, row_limit: float | None = None) -> None:
    """Keep weights in the range of their quantised types; `row_limit` is for the first layer, if it is another."""
    model.accumulator.weight.clamp_(-(row_limit or limit), row_limit or limit)
    if isinstance(model, LayeredNnue):
        for layer in (model.first, model.second, model.last):
            layer.weight.clamp_(-limit, limit)
        return
    weight = model.output.weight.clamp_(-limit, limit)
    largest = torch.maximum(weight.clamp(min=0).sum(dim=1), -weight.clamp(max=0).sum(dim=1))
    weight.mul_((MARGIN * MAX_SUM / largest.clamp(min=1e-9)).clamp(max=1.0)[:, None])


def batch_loss(
    model: Nnue | LayeredNnue, codes: Tensor, turned: Tensor, targets: Tensor, config: NnueConfig, *, sparse: bool
) -> Tensor:
    """The mean over boards, whose gradients are taken."""
    dtype = torch.bfloat16 if config.precision == "bf16" else torch.float32
    outputs = model(codes, turned, dtype=dtype, sparse=sparse)
    return (_score(outputs, config) - targets).abs().pow(config.power).mean()


def target_scores(data: NnueDataset, share: Tensor) -> Tensor:
    """Expected scores of values, blended with results where those are known, at this weight."""
    values = _score_of(data.values)
    blended = values + share * (data.results.float() / 2 - values)
    return torch.where(data.results >= 0, blended, values)


def _score(outputs: Tensor, config: NnueConfig) -> Tensor:
    return torch.sigmoid(outputs * (config.scale / LOGIT_CENTIPAWNS))


def _score_of(values: Tensor) -> Tensor:
    return torch.sigmoid(values.float() / LOGIT_CENTIPAWNS)


def write_weights(path: Path, model: Nnue | LayeredNnue) -> None:
    """Atomically; the same network gives the same bytes."""
    write_arrays(path, arrays_of(model))


def starting_weights(path: Path, config: NnueConfig) -> dict[str, Tensor]:
    """Those of a weights file, or of an NNUE brain; rows without king buckets are repeated for each."""
    if path.suffix != ".safetensors":
        weights = read_weights(path)
    elif config.layers:
        weights = {}
        for name, integers in QuantisedLayeredNnue.open(path).tensors().items():
            unit = FULL if name.startswith("accumulator") else UNIT if name.endswith("weight") else PAIR * UNIT
            tensor = torch.from_numpy(integers.astype(np.float32)) / unit
            weights[name.replace("_", ".")] = tensor.flatten(0, 1) if name.startswith(("first", "second")) else tensor
    else:
        network = QuantisedNnue.open(path)
        larger = network.scale / config.scale
        units = {"accumulator.weight": FULL, "accumulator.bias": FULL, "output.weight": UNIT / larger}
        whole = {name: torch.from_numpy(each.astype(np.float32)) for name, each in network.tensors().items()}
        weights = {name: each / units.get(name, FULL * UNIT / larger) for name, each in whole.items()}
    rows = weights["accumulator.weight"]
    if len(rows) == INPUTS:
        weights["accumulator.weight"] = rows.repeat(config.king_buckets, 1)
    return weights


def read_weights(path: Path) -> dict[str, Tensor]:
    with open_arrays(path) as arrays:
        return {name: torch.from_numpy(arrays[name]) for name in arrays}
