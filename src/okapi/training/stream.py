"""An NNUE learns from a teacher's network on positions that are made meanwhile: nothing is stored.

The processor makes positions while the device trains, near those of games or ones that searches evaluate. Each epoch
replaces the oldest in the device's memory by new ones, which the teacher labels. They follow from the seed and the
epoch's number alone, so a training that is resumed has the same.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from okapi.core import Evaluator
from okapi.core.labelling import evaluated_positions, random_walks
from okapi.core.packed import rows
from okapi.formats.nnue_file import NnueFile
from okapi.models.halfka import HalfKaLabeller
from okapi.models.nnue import EMPTY, seen_by_mover
from okapi.models.torch_boards import NOTHING, raw_codes, table
from okapi.settings import Config
from okapi.training.devices import find_device, forked_rng
from okapi.training.nnue import WEIGHTS_FILE, NnueConfig, NnueDataset, NnueTask, write_weights
from okapi.training.report import TrainingReport
from okapi.training.trainer import Trainer, TrainingOptions, fingerprint, finished_report, identity

FITTED_FILE, COMPARED_FILE = "fitted.part.npz", "compared.part.npz"
COMPARED: Final = 8192  # labelled positions of the validation that are kept, to compare float and quantised weights
FITTED: Final = 120_000  # others, to which rounded weights are fitted

Make = Callable[[int, int], NDArray[np.void]]  # a numbered portion of so many positions

CODE_OF: Final = (*(code // 2 + 6 * (code & 1) for code in range(12)), 3, 9, EMPTY, EMPTY, EMPTY)
"""The code of okapi.models.nnue for each raw code of a packed position; all above are empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamConfig(Config):
    fresh: int = 1 << 24  # positions that are made for each epoch
    pool: int = 4  # epochs for which a position is kept
    searched: float = 0.5
    """The share of positions that searches evaluate; the others are quiet and on random walks from those of games."""
    nodes: int = 1000  # of such a search
    one_in: int = 2  # so many evaluations of it one is kept
    plies: int = 7  # of a random walk, at most
    validation: int = 1 << 20  # positions for validation, from other games
    row_limit: float = 3.9  # largest weight of the first layer: sums over 32 pieces fit 16 bits
    label_batch: int = 1 << 20
    seed: int = 1

    def __post_init__(self) -> None:
        self.require_within(0, 1, "searched")
        self.require_positive("fresh", "pool", "nodes", "one_in", "plies", "validation", "row_limit", "label_batch")


def make_positions(
    config: StreamConfig, games: NDArray[np.void], evaluator: Evaluator, threads: int, number: int, count: int
) -> NDArray[np.void]:
    """A numbered portion of POSITIONs from those of games, made without the interpreter's lock."""
    searched, seed = round(config.searched * count), 1_000_003 * config.seed + number
    how: dict[str, Any] = {"nodes": config.nodes, "one_in": config.one_in}
    found = evaluated_positions(evaluator, games, searched, **how, seed=seed, threads=threads)
    walks = random_walks(games, count - searched, plies=config.plies, seed=seed, threads=threads)
    return np.concatenate([found, walks])


class StreamedBoards:
    """The positions in the device's memory: several portions of one size, with the teacher's values."""

    def __init__(
        self, config: StreamConfig, make: Make, teacher: HalfKaLabeller, device: torch.device, *, compiled: bool
    ) -> None:
        self._config, self._make, self._teacher, self._device = config, make, teacher, device
        self._unpack = torch.compile(boards_of_packed) if compiled else boards_of_packed
        self._executor = ThreadPoolExecutor(1)
        self._next: tuple[int, Future[NDArray[np.void]]] | None = None
        self._made = -1
        """The number of the newest portion in memory; -1: none."""
        self.dataset = self._empty(config.fresh * config.pool)

    def go_to(self, epoch: int) -> None:
        """Have the portions of an epoch in memory, and begin to make the next one."""
        newest = epoch + self._config.pool - 1
        for number in range(max(epoch, self._made + 1), newest + 1):
            if self._next is None or self._next[0] != number:
                self._next = self._ordered(number)
            positions = self._next[1].result()
            self._fill(self.dataset, number % self._config.pool * self._config.fresh, positions)
            self._next = self._ordered(number + 1)
        self._made = newest

    def labelled(self, positions: NDArray[np.void]) -> NnueDataset:
        dataset = self._empty(len(positions))
        self._fill(dataset, 0, positions)
        return dataset

    def close(self) -> None:
        self._executor.shutdown()

    def _ordered(self, number: int) -> tuple[int, Future[NDArray[np.void]]]:
        return number, self._executor.submit(self._make, number, self._config.fresh)

    def _fill(self, dataset: NnueDataset, begin: int, positions: NDArray[np.void]) -> None:
        packed, batch = torch.from_numpy(rows(positions)), self._teacher.batch
        for at in range(0, len(packed), batch):
            codes, turned = self._unpack(packed[at : at + batch].to(self._device))
            here = slice(begin + at, begin + at + len(codes))
            dataset.codes[here], dataset.turned[here] = codes, turned
            dataset.values[here] = self._teacher(codes, turned)

    def _empty(self, count: int) -> NnueDataset:
        codes = torch.full((count, 64), EMPTY, dtype=torch.uint8, device=self._device)
        values = torch.zeros(count, dtype=torch.int16, device=self._device)
        return NnueDataset(codes, values.bool(), values, torch.full_like(values, -1, dtype=torch.int8))


def boards_of_packed(packed: Tensor) -> tuple[Tensor, Tensor]:
    """Packed positions, uint8, n x 32, as okapi.models.nnue.seen_by_mover has them."""
    raw = raw_codes(packed)
    codes = table(CODE_OF, packed.device, torch.uint8)[raw.clamp(max=len(CODE_OF) - 1).long()]
    return seen_by_mover(torch.where(raw == NOTHING, EMPTY, codes), packed[:, 24] != 0)


class _StreamTask(NnueTask):
    boards: StreamedBoards

    def begin_epoch(self, epoch: int, batch: int = 0) -> None:
        self.boards.go_to(epoch)
        super().begin_epoch(epoch, batch)


def train_on_stream(
    config: NnueConfig,
    stream: StreamConfig,
    teacher: Path,
    games: tuple[NDArray[np.void], NDArray[np.void]],
    evaluator: Evaluator,
    folder: Path,
    *,
    warm_start: Path | None = None,
    device: str = "auto",
    threads: int = 1,
    about: Mapping[str, Any] | None = None,
    **options: Unpack[TrainingOptions],
) -> TrainingReport:
    """Train a network, or resume its training; a finished training is only read.

    `teacher` is a network file of Stockfish 15, `games` are POSITIONs for training and for validation, searches ask
    `evaluator`. UsageError if the folder holds another training; Unfinished after `stop`.
    """
    where = find_device(device)
    content = fingerprint(teacher.read_bytes())
    parents = [fingerprint(rows(part).tobytes()) for part in games]
    start = None if warm_start is None else fingerprint(warm_start.read_bytes())
    whole = identity(config.as_json(), {"stream": stream.as_json(), "teacher": content, "games": parents}, start)
    if (report := finished_report(folder, whole)) is not None:
        return report
    labeller = HalfKaLabeller(NnueFile.open(teacher), where, batch=stream.label_batch, compiled=config.compile)
    make, held = (partial(make_positions, stream, part, evaluator, threads) for part in games)
    boards = StreamedBoards(stream, make, labeller, where, compiled=config.compile)
    try:
        with forked_rng(where):
            validation = boards.labelled(held(0, stream.validation))
            task = _StreamTask(config, boards.dataset, validation, where, warm_start, stream.row_limit)
            task.boards = boards

            def save() -> None:
                write_weights(folder / WEIGHTS_FILE, task.model)
                rows = torch.randperm(len(validation), generator=torch.Generator().manual_seed(1)).to(where)
                for file, some in ((COMPARED_FILE, rows[:COMPARED]), (FITTED_FILE, rows[COMPARED : COMPARED + FITTED])):
                    validation.take(some).to_shard(about or {}).write(folder / file)

            made = (config.epochs + stream.pool - 1) * stream.fresh
            return task.finish(Trainer(task, folder, whole, **options), save, about or {}, count=made)
    finally:
        boards.close()
