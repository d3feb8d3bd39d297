"""Training of a move network, which predicts the move that a search would find (lai2015, chapter 6)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from okapi.core.packed import POSITION, legal_moves
from okapi.errors import InvalidSamples, Unfinished, UsageError
from okapi.models.layers import arrays_of
from okapi.models.move_features import encoded_moves
from okapi.models.move_network import (
    LARGE,
    LIKE_THE_PROGRAM,
    LIKE_THE_THESIS,
    Design,
    MoveNetworkModule,
    chances,
    ranks,
)
from okapi.models.torch_encodings import encode
from okapi.settings import Config
from okapi.training.devices import epoch_order, forked_rng
from okapi.training.optimisers import check_optimiser, make_optimiser, rate_at, set_rate
from okapi.training.report import NETWORK_FILE, TrainingReport, open_arrays, write_arrays
from okapi.training.trainer import Task, Trainer, TrainingOptions, finished_report, identity

AT_ONCE: Final = 1 << 13  # positions that are encoded together
RANKS: Final = 11  # ranks that the thesis counts one by one: 0 to 10
EVALUATION_BATCH: Final = 8192

CURVE: Final = ("loss", "accuracy", "top_3", "quiet_accuracy", "quiet_top_3")  # of the validation set
TRAIN_SAMPLE: Final = 20_000  # training positions on which the final network is evaluated, at most
DESIGN: Final = "design"  # the array of learned.npz that holds the design


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveConfig(Config):
    """How a move network is made and trained; JSON both ways."""

    OWNER = "a move network"
    design: Design = field(default_factory=Design)
    optimiser: Mapping[str, Any] = field(default_factory=lambda: {"name": "adam", "lr": 2e-3})
    schedule: Mapping[str, Any] = field(default_factory=lambda: {"name": "cosine", "warmup": 200})
    batch: int = 4096  # positions of a step, each with all its legal moves
    epochs: int = 10
    seed: int = 1

    def __post_init__(self) -> None:
        if self.batch < 1 or self.epochs < 1:
            raise UsageError(f"{self.epochs} epochs in batches of {self.batch}", hint="both from 1 on")
        check_optimiser(self.optimiser, self.schedule)

    @staticmethod
    def upgraded(settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """The design is made of its own settings."""
        return {**settings, "design": Design.from_json(settings.get("design", {}))}


_LETTER: Final = MoveConfig(design=LIKE_THE_THESIS, batch=1024, epochs=20)
MOVE_CONFIGS: Final = {
    "ours": MoveConfig(epochs=24),
    "large": MoveConfig(design=LARGE, epochs=16),
    "letter": replace(_LETTER, optimiser={"name": "adadelta", "lr": 1.0}, schedule={"name": "constant"}),
    "letter-adam": _LETTER,
    "program-adam": replace(_LETTER, design=LIKE_THE_PROGRAM),
}
"""Ours, small and large; the thesis', each move scored alone, by AdaDelta or Adam; and with its program's features."""


@dataclass(frozen=True, slots=True, eq=False)
class MoveBatch:
    """Positions, and the moves of all of them one after the other."""

    features: Tensor  # n x 363
    moves: Tensor  # k x 15 columns, or k x 14 or 19 numbers
    rows: Tensor  # the position of each move: k
    counts: Tensor  # moves of each position: n
    best: Tensor  # the number of each position's best move among all moves: n


@dataclass(frozen=True, slots=True, eq=False)
class MoveDataset:
    """Encoded positions and moves in the memory of a device: 1.5 kB a position and 1 kB for its moves."""

    features: Tensor
    moves: Tensor
    starts: Tensor  # the first move of each position
    counts: Tensor
    best: Tensor  # the number of the best move among the position's moves
    quiet: Tensor  # whether the best move is not a winning capture

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def from_positions(
        cls, packed: NDArray[np.uint8], best: NDArray[Any], quiet: NDArray[Any], design: Design, device: torch.device
    ) -> Self:
        """Encode packed positions, n x 32, with best moves as Move.bits, if legal, and whether those are quiet."""
        if not len(packed) == len(best) == len(quiet):
            raise InvalidSamples(f"{len(packed)} positions have {len(best)} best moves")
        chunks = [slice(begin, begin + AT_ONCE) for begin in range(0, len(packed), AT_ONCE)]
        parts = [_encode(np.ascontiguousarray(packed[here]), best[here], design, device) for here in chunks]
        features, moves, counts, first, found = (torch.cat(column) for column in zip(*parts, strict=True))
        known = torch.from_numpy(quiet.astype(np.bool_)).to(device)
        starts = counts.cumsum(0) - counts
        return cls(features[found], moves, starts[found], counts[found], first[found], known[found])

    def take(self, which: Tensor) -> MoveBatch:
        counts = self.counts[which]
        begins = counts.cumsum(0) - counts
        rows = torch.repeat_interleave(torch.arange(len(which), device=which.device), counts)
        places = torch.arange(len(rows), device=which.device) + (self.starts[which] - begins)[rows]
        return MoveBatch(self.features[which], self.moves[places], rows, counts, begins + self.best[which])

    def head(self, count: int) -> Self:
        columns = (self.features, self.starts, self.counts, self.best, self.quiet)
        features, *others = (column[:count] for column in columns)
        return type(self)(features, self.moves, *others)


def _encode(packed: NDArray[np.uint8], best: NDArray[Any], design: Design, device: torch.device) -> tuple[Tensor, ...]:
    """Features, moves, numbers of moves, the best move's number, and whether it is legal."""
    positions, threads = packed.view(POSITION)[:, 0], torch.get_num_threads()
    legal = legal_moves(positions, threads=threads)
    encoded = encoded_moves(design.moves, positions, legal, threads=threads)
    right = np.flatnonzero(legal.bits == best[legal.rows])
    rows = legal.rows[right]
    first, found = np.zeros(len(packed), np.int64), np.zeros(len(packed), np.bool_)
    first[rows], found[rows] = right - legal.starts[rows], True
    moves = [torch.from_numpy(each).to(device) for each in (encoded, np.diff(legal.starts), first, found)]
    return encode(torch.from_numpy(packed).to(device), design.encoding), *moves


def train_moves(
    config: MoveConfig,
    train: MoveDataset,
    validation: MoveDataset,
    test: MoveDataset,
    folder: Path,
    *,
    data: str = "",
    **options: Unpack[TrainingOptions],
) -> TrainingReport:
    """Train a move network, or resume its training; a finished training is only read.

    `data` identifies the positions. After `stop` the best network so far is written, and Unfinished raised.
    """
    if not len(train) or not len(validation):
        raise InvalidSamples("there are no training positions, or none for validation", hint="more positions")
    about = identity(config.as_json(), data)
    if (report := finished_report(folder, about)) is not None:
        return report
    with forked_rng(train.counts.device):
        task = _MoveTask(config, train, validation)
        trainer = Trainer(task, folder, about, **options)

        def save() -> None:
            write_arrays(folder / NETWORK_FILE, arrays_of(task.model), design=task.model.design.as_json())

        try:
            trainer.run_to_best()
        except Unfinished:
            if trainer.at.best is not None:
                task.model.load_state_dict(trainer.at.best)
                save()
            raise
        sets = (train.head(TRAIN_SAMPLE), validation, test)
        return trainer.finish(save, *(evaluate_moves(task.model, part) for part in sets))


class _MoveTask(Task):
    model: MoveNetworkModule
    device: torch.device

    def __init__(self, config: MoveConfig, train: MoveDataset, validation: MoveDataset) -> None:
        self._config, self._train, self._validation = config, train, validation
        self.device = train.counts.device
        if self.device.type == "cuda":
            torch.set_float32_matmul_precision("high")
        torch.manual_seed(config.seed)
        self.model = MoveNetworkModule(config.design).to(self.device)
        self.optimiser = make_optimiser(config.optimiser, self.model.parameters(), self.device)
        self.epochs, self.batches, self.batch_size = config.epochs, -(-len(train) // config.batch), config.batch
        self.total = torch.zeros((), dtype=torch.float64, device=self.device)

    def begin_epoch(self, epoch: int, batch: int) -> None:
        self._order = epoch_order(len(self._train), self._config.seed, epoch, self.device)

    def step(self, number: int, done: float) -> None:
        config, batch = self._config, number % self.batches
        set_rate(self.optimiser, rate_at(config.optimiser, config.schedule, number, config.epochs * self.batches))
        rows = self._order[batch * config.batch : (batch + 1) * config.batch]
        loss, _ = loss_and_scores(self.model, self._train.take(rows))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.total += loss.detach()

    def evaluate(self, steps: int) -> dict[str, Any]:
        metrics = evaluate_moves(self.model, self._validation)
        return {f"validation_{name}": metrics[name] for name in CURVE}


def loss_and_scores(network: MoveNetworkModule, batch: MoveBatch) -> tuple[Tensor, Tensor]:
    """The loss, the mean over positions or moves, and the network's final score of each move."""
    if network.design.scores_alone:
        return _scored_alone(network, batch)
    scores = network(batch.features, batch.moves, batch.rows)
    return -chances(scores, batch.rows, len(batch.counts))[batch.best].mean(), scores


def _scored_alone(network: MoveNetworkModule, batch: MoveBatch) -> tuple[Tensor, Tensor]:
    """Score each move alone in two passes: as if it were the best one, then with its rank. Both add to the loss."""
    right = torch.zeros(len(batch.rows), device=batch.rows.device)
    right[batch.best] = 1.0
    rank = torch.zeros_like(right)
    loss = torch.zeros((), device=rank.device)
    scores = rank
    for _ in range(2):
        scores = network(batch.features, torch.cat([batch.moves, rank[:, None]], dim=1), batch.rows)
        loss = loss + functional.binary_cross_entropy_with_logits(scores, right)
        rank = ranks(scores.detach(), batch.rows, batch.counts) / batch.counts[batch.rows]
    return loss, scores


@torch.no_grad()
def evaluate_moves(network: MoveNetworkModule, data: MoveDataset) -> dict[str, Any]:
    """Count, loss, accuracy, top_3, and `ranks`: how often the best move had each rank; `quiet_…` for quiet ones."""
    found, loss = torch.zeros_like(data.counts), 0.0
    for which in torch.arange(len(data), device=found.device).split(EVALUATION_BATCH) if len(data) else ():
        batch = data.take(which)
        mean, scores = loss_and_scores(network, batch)
        loss += float(mean) * len(which)
        found.index_add_(0, which[batch.rows], (scores > scores[batch.best][batch.rows]).to(found.dtype))
    quiet = {f"quiet_{name}": value for name, value in _counted(found[data.quiet]).items()}
    return {"loss": loss / max(len(data), 1), **_counted(found), **quiet}


def cumulative(ranks: Sequence[int]) -> list[tuple[float, float]]:
    """Percentages of each rank, and cumulative ones: a table of the thesis, its last line `below 10th`.

    >>> cumulative([3, 1, 0, 0])
    [(75.0, 75.0), (25.0, 100.0), (0.0, 100.0), (0.0, 100.0)]
    """
    total = max(sum(ranks), 1)
    return [(100 * count / total, 100 * sum(ranks[: n + 1]) / total) for n, count in enumerate(ranks)]


def _counted(ranks: Tensor) -> dict[str, Any]:
    counts = torch.bincount(ranks.clamp(max=RANKS), minlength=RANKS + 1).tolist()
    total = max(sum(counts), 1)
    return {"count": sum(counts), "accuracy": counts[0] / total, "top_3": sum(counts[:3]) / total, "ranks": counts}


def read_move_network(place: Path) -> MoveNetworkModule:
    """The network in a training's folder or in a file: InvalidText."""
    with open_arrays(place) as arrays:
        network = MoveNetworkModule(Design.from_json(json.loads(arrays[DESIGN].tobytes())))
        tensors = {name: torch.from_numpy(arrays[name].astype(np.float32)) for name in arrays if name != DESIGN}
        network.load_state_dict(tensors)
        return network
