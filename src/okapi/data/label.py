"""Label positions with a teacher engine: in the order of the sources, on several workers, resumable."""

import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from okapi.cluster import join
from okapi.core import Limits
from okapi.core.keys import KeySet, position_keys
from okapi.core.labelling import play_random_moves
from okapi.core.packed import NO_VALUE, SAMPLE, Trait, traits, unpack
from okapi.core.samples import Columns, Rows
from okapi.core.search import value_from_core
from okapi.data.runs import Run
from okapi.data.samples import RANDOM_MOVE, Samples, SampleWriter
from okapi.data.shuffle import hashed
from okapi.data.sources import Chunk, read_positions, write_samples
from okapi.errors import UsageError
from okapi.files import file_errors
from okapi.formats.samples import SkippedSamples, format_to_write
from okapi.players.teacher import AHEAD, Teacher, TeacherLabels, TeacherSettings

Task = TypeVar("Task")

# --- Which positions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionSelection:
    sources: tuple[Path, ...]
    every: int = 1  # take one of so many
    most: int | None = None
    random_moves: float = 0.0  # share of positions in which one random move is played first: lai2015, section 4.3
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.random_moves <= 1.0:
            raise UsageError(f"{self.random_moves} is not a share of all positions", hint="a share is between 0 and 1")

    def as_json(self) -> dict[str, Any]:
        """For the card. Sources are identified by name and size, so that a folder can be moved."""
        sources = []
        for path in self.sources:
            with file_errors(path, "read"):
                sources.append(f"{path.name}, {path.stat().st_size} bytes")
        chosen = {"every": self.every, "max": self.most, "random_moves": self.random_moves, "seed": self.seed}
        return {"sources": sources, **chosen}


@dataclass(slots=True)
class PositionSelector:
    """Selects positions and counts what it leaves out."""

    selection: PositionSelection
    selected: int = 0
    duplicates: int = 0
    over: int = 0  # positions without a legal move
    fraction: float = 0.0  # how much of the sources was read, 0 to 1
    _seen: KeySet = field(default_factory=KeySet)
    _met: int = 0

    def batches(self, chunks: Iterable[Chunk], size: int) -> Iterator[Rows]:
        """The selected positions, SAMPLE without value and move, in batches of one size; the last may be smaller."""
        waiting = np.zeros(0, SAMPLE)
        for chunk in chunks:
            rows = self._chosen(chunk.rows)
            if self.selection.most is not None:
                rows = rows[: self.selection.most - self.selected]
            self.selected += len(rows)
            full = self.selected == self.selection.most
            self.fraction = 1.0 if full else chunk.fraction
            waiting = np.concatenate([waiting, rows])
            while len(waiting) >= size:
                yield waiting[:size]
                waiting = waiting[size:]
            if full:
                break
        self.fraction = 1.0
        if len(waiting):
            yield waiting

    def _chosen(self, rows: Rows) -> Rows:
        first = -self._met % self.selection.every
        numbers = np.arange(self._met, self._met + len(rows), dtype=np.uint64)[first :: self.selection.every]
        self._met += len(rows)
        rows = rows[first :: self.selection.every].copy()
        rows["value"], rows["move"], rows["nodes"] = NO_VALUE, 0, 0
        if self.selection.random_moves:
            self._play_random_moves(rows, numbers)
        ended = (traits(rows["position"]) & (Trait.CHECKMATE | Trait.STALEMATE)) != 0
        self.over += int(ended.sum())
        rows = rows[~ended]
        is_new = self._seen.add(position_keys(rows["position"]))
        self.duplicates += len(rows) - int(is_new.sum())
        return rows[is_new]

    def _play_random_moves(self, rows: Rows, numbers: NDArray[np.uint64]) -> None:
        """In a random share of the rows. The result of the game says nothing about the new position."""
        which, where_to = map(int, hashed(np.arange(2), self.selection.seed))
        chosen = hashed(numbers, which) < self.selection.random_moves * 2.0**64
        positions = rows["position"][chosen]
        moved = play_random_moves(positions, hashed(numbers[chosen], where_to))
        where = np.flatnonzero(chosen)[moved]
        rows["position"][where] = positions[moved]
        rows["result"][where] = -1
        rows["flags"][where] |= RANDOM_MOVE
        rows["ply"][where] += 1


# --- Labelling --------------------------------------------------------------------------------------------------------

NODES_IN_A_BATCH: Final = 250_000
MS_IN_A_BATCH: Final = 500  # clearing the hash tables in between costs little, and a kill loses little
SMALLEST_BATCH, LARGEST_BATCH = 16, 512
BATCH_BY_DEPTH: Final = 64  # with a depth limit, the time of a search is unknown
WINDOW: Final = 8  # batches for each worker that may start before the oldest is done


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelConfig:
    selection: PositionSelection
    teaching: TeacherSettings
    to: Path

    @property
    def columns(self) -> Columns:
        asked = self.teaching
        return Columns(lines=asked.lines if asked.lines > 1 else 0, wdl=asked.wdl, depth=True)

    @property
    def samples_path(self) -> Path:
        """The sample file that grows: `to`, or a file beside it that is converted at the end."""
        return self.to if self.to.suffix == ".samples" else self.to.with_name(f"{self.to.name}.samples")

    def card(self, teacher: str) -> dict[str, Any]:
        asked = self.teaching
        limits = {"depth": asked.limits.depth, "nodes": asked.limits.nodes, "movetime": asked.limits.movetime_ms}
        given = {name: number for name, number in limits.items() if number is not None}
        told = {"teacher": teacher, "command": asked.command, "options": dict(asked.options), "limits": given}
        batch = batch_size(asked.limits)
        return {**told, "independent": asked.independent, "batch": batch, **self.selection.as_json()}


@dataclass(slots=True)
class LabelProgress:
    positions: int = 0
    nodes: int = 0
    failed: int = 0
    batches: int = 0
    kept: int = 0  # labels that were in the file before this session
    kept_nodes: int = 0
    unread: int = 0  # lines or games of the sources that cannot be read
    duplicates: int = 0
    over: int = 0
    total: float = 0.0  # estimate of the positions at the end
    seconds: float = 0.0
    done: bool = False
    problems: list[str] = field(default_factory=list)  # what was left out since the last report, and why

    def cursor(self) -> dict[str, Any]:
        at_the_end = ("done", "unread", "duplicates", "over") if self.done else ()
        return {name: getattr(self, name) for name in ("batches", "nodes", "failed", *at_the_end)}

    @classmethod
    def of(cls, writer: SampleWriter) -> "LabelProgress":
        kept, count = writer.cursor or {}, len(writer)
        return cls(positions=count, kept=count, total=float(count), kept_nodes=kept.get("nodes", 0), **kept)


def label(
    config: LabelConfig,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    watch: Callable[[LabelProgress], object] = lambda progress: None,
) -> LabelProgress:
    """Label what is not labelled yet. `watch` is called before the first batch and after each.

    The file is the same for any number of interruptions, workers and machines, if the teacher is deterministic. The
    default is one worker; on the Ray cluster at an address, one for each of its processors.
    """
    if config.samples_path != config.to:
        format_to_write(config.to)  # raise before work begins
    with Teacher(config.teaching) as first:
        card = config.card(first.name)
        writer = SampleWriter.open(config.samples_path, card=card, columns=config.columns)
        limits = {key: value for key, value in asdict(config.teaching.limits).items() if value}
        settings = {"engine": config.teaching.command, "limits": limits, "lines": config.teaching.lines}
        folder, title = config.to.with_name(f"{config.to.name}.run"), config.to.name
        with closing(writer), Run.start(folder, "label", unit="positions", title=title, settings=settings) as run:
            progress = LabelProgress.of(writer)
            watch(progress)
            if not progress.done:
                ahead = AHEAD if first.reads_ahead() else 0
                first.close()
                pool: Any = _Threads if cluster is None else partial(_Cluster, address=cluster)
                with closing(pool(config.teaching, ahead, workers)) as working:
                    for rows in _label_rest(config, writer, progress, working):
                        watch(progress)
                        _log(run, progress, rows)
    if config.samples_path != config.to:
        write_samples(config.to, Samples.open(config.samples_path).blocks(), card=card)
    return progress


def _log(run: Run, progress: LabelProgress, rows: Rows) -> None:
    new = progress.positions - progress.kept
    run.set_total(max(round(progress.total), progress.positions))
    run.log(progress.positions, positions_a_second=new / max(progress.seconds, 1e-3), left_out=progress.failed)
    if len(rows):
        position = unpack(rows[-1]["position"])
        run.sample(position, value_from_core(int(rows[-1]["value"]), position.turn), step=progress.positions)


def _label_rest(
    config: LabelConfig, writer: SampleWriter, progress: LabelProgress, pool: "_Workers[Any]"
) -> Iterator[Rows]:
    """Yield the rows of each batch when they are in the file; nothing at the end."""
    skipped = SkippedSamples()
    selector = PositionSelector(config.selection)
    positions = read_positions(config.selection.sources, skipped)
    batches = selector.batches(positions, batch_size(config.teaching.limits))
    for _ in range(progress.batches):
        next(batches)  # labelled before; the selector needs them to find duplicates
    begun = time.monotonic()
    for batch, labelled in pool.work(batches):
        rows = _samples(batch, labelled, config.columns)
        progress.positions += len(rows)
        progress.nodes += int(rows["nodes"].sum(dtype=np.int64))
        progress.failed += len(labelled.complaints)
        progress.batches += 1
        progress.problems = list(labelled.complaints)
        writer.append(rows)
        writer.commit(progress.cursor())
        progress.seconds = time.monotonic() - begun
        progress.total = selector.selected / selector.fraction if selector.fraction else float(progress.positions)
        yield rows
    progress.done = True
    progress.problems = skipped.told
    progress.unread, progress.duplicates, progress.over = skipped.count, selector.duplicates, selector.over
    writer.commit(progress.cursor())


def batch_size(limits: Limits) -> int:
    """Positions that take some tenths of a second, as far as the limits tell."""
    by_time = BATCH_BY_DEPTH if limits.movetime_ms is None else MS_IN_A_BATCH // limits.movetime_ms
    wanted = by_time if limits.nodes is None else NODES_IN_A_BATCH // limits.nodes
    return min(max(wanted, SMALLEST_BATCH), LARGEST_BATCH)


def _samples(batch: Rows, labelled: TeacherLabels, columns: Columns) -> Rows:
    rows = np.zeros(len(batch), columns.dtype)
    for name in batch.dtype.names or ():
        rows[name] = batch[name]
    for name in ("value", "move", "nodes", "depth", *(["wdl"] if columns.wdl else [])):
        rows[name] = labelled.labels[name]
    if columns.lines:
        rows["lines"] = labelled.lines
    return rows[labelled.answered]


class _Workers(ABC, Generic[Task]):
    """Label batches side by side, so many at a time, and return them in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: deque[tuple[Rows, Task]] = deque()

    def work(self, batches: Iterator[Rows]) -> Iterator[tuple[Rows, TeacherLabels]]:
        """Each batch with its labels. Raises what a worker raised."""
        while True:
            while len(self._running) < self._most and (batch := next(batches, None)) is not None:
                self._running.append((batch, self._start(batch["position"])))
            if not self._running:
                return
            batch, task = self._running[0]
            labels = self._result(task)
            self._running.popleft()
            yield batch, labels

    @abstractmethod
    def _start(self, positions: NDArray[np.void]) -> Task: ...

    @abstractmethod
    def _result(self, task: Task) -> TeacherLabels: ...


class _Threads(_Workers["Future[TeacherLabels]"]):
    """Threads with one teacher each. They mostly wait for pipes, in C++ and without the GIL."""

    def __init__(self, teaching: TeacherSettings, ahead: int, count: int | None) -> None:
        super().__init__(WINDOW * (count or 1))
        self._teacher = partial(Teacher, teaching, ahead=ahead)
        self._teachers: list[Teacher] = []
        self._own = threading.local()
        self._pool = ThreadPoolExecutor(count or 1)

    def _start(self, positions: NDArray[np.void]) -> "Future[TeacherLabels]":
        return self._pool.submit(self._label, positions)

    def _result(self, task: "Future[TeacherLabels]") -> TeacherLabels:
        while not wait([task], timeout=0.5).done:  # with a timeout, so that Ctrl-C works on every system
            pass
        return task.result()

    def _label(self, positions: NDArray[np.void]) -> TeacherLabels:
        if not hasattr(self._own, "teacher"):
            self._own.teacher = self._teacher()
            self._teachers.append(self._own.teacher)
        return self._own.teacher.label(positions)  # type: ignore[no-any-return]

    def close(self) -> None:
        """Stop the teachers, also those that are searching; a thread has to live as long as its engine."""
        for teacher in list(self._teachers):
            teacher.stop()
        self._pool.shutdown(cancel_futures=True)
        for teacher in self._teachers:
            teacher.close()


class _Cluster(_Workers[Any]):
    """Tasks on a Ray cluster whose machines have okapi and the engine. The batches of a lost machine are done again."""

    def __init__(self, teaching: TeacherSettings, ahead: int, count: int | None, address: str) -> None:
        self._ray, self._joined = join(address)
        super().__init__(count or WINDOW * max(1, int(self._ray.cluster_resources().get("CPU", 1))))
        self._task = self._ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_label_there)
        self._teaching, self._ahead = self._ray.put(teaching), ahead

    def _start(self, positions: NDArray[np.void]) -> Any:
        return self._task.remote(self._teaching, self._ahead, positions)

    def _result(self, task: Any) -> TeacherLabels:
        try:
            return self._ray.get(task)  # type: ignore[no-any-return]
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause or error from None

    def close(self) -> None:
        """Stop the tasks, and disconnect if the connection is ours."""
        for _, task in self._running:
            self._ray.cancel(task)
        if self._joined:
            self._ray.shutdown()


def _label_there(teaching: TeacherSettings, ahead: int, positions: NDArray[np.void]) -> TeacherLabels:
    """In a process of a cluster, which keeps its engine for the next batch."""
    kept = _kept.get("teacher")
    if kept is None or (kept.settings, kept.ahead) != (teaching, ahead):
        if kept is not None:
            kept.close()
        kept = _kept["teacher"] = Teacher(teaching, ahead=ahead)
    return kept.label(positions)


_kept: Final[dict[str, Teacher]] = {}
