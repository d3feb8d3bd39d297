"""Label positions with a teacher engine: in the order of the sources, on several workers, resumable."""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.cluster import join
from okapi.core import Limits
from okapi.core.keys import KeySet, position_keys
from okapi.core.labelling import play_random_moves
from okapi.core.packed import NO_VALUE, Trait, traits, unpack
from okapi.core.samples import Columns, Rows
from okapi.core.search import value_from_core
from okapi.data.runs import Run
from okapi.data.samples import RANDOM_MOVE, Samples, SampleWriter
from okapi.data.shuffle import hashed
from okapi.data.sources import Chunk, read_positions, write_samples
from okapi.errors import NotFound, UsageError
from okapi.formats.samples import SkippedSamples, format_to_write
from okapi.players.teacher import AHEAD, Teacher, TeacherLabels, TeacherSettings

# --- Which positions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionSelection:
    sources: tuple[Path, ...]
    every: int = 1
    """Take one of so many."""
    most: int | None = None
    """Positions in all, at most."""
    random_moves: float = 0.0
    """The share of positions in which one random move is played first, as in lai2015, section 4.3."""
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.random_moves <= 1.0:
            raise UsageError(f"{self.random_moves} is not a share of all positions", hint="a share is between 0 and 1")

    def as_json(self) -> dict[str, Any]:
        """For the card. Sources are identified by name and size, so that a folder can be moved."""
        return {
            "sources": [f"{path.name}, {_size(path)} bytes" for path in self.sources],
            "every": self.every,
            "max": self.most,
            "random_moves": self.random_moves,
            "seed": self.seed,
        }


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class LabelBatch:
    """Positions that one worker labels in order, starting with empty hash tables."""

    number: int
    rows: Rows
    """SAMPLE, without value and move."""


@dataclass(slots=True)
class PositionSelector:
    """Selects positions and counts what it leaves out."""

    selection: PositionSelection
    selected: int = 0
    duplicates: int = 0
    over: int = 0
    """Positions without a legal move."""
    fraction: float = 0.0
    """How much of the sources was read, 0 to 1."""
    _seen: KeySet = field(default_factory=KeySet)
    _met: int = 0

    def batches(self, chunks: Iterable[Chunk], size: int) -> Iterator[LabelBatch]:
        """The selected positions in batches of one size; the last may be smaller."""
        waiting: list[Rows] = []
        count = number = 0
        for rows in self._rows(chunks):
            waiting.append(rows)
            count += len(rows)
            if count < size:
                continue
            whole = np.concatenate(waiting)
            for start in range(0, count - size + 1, size):
                yield LabelBatch(number, whole[start : start + size])
                number += 1
            waiting = [whole[count - count % size :]]
            count %= size
        if count:
            yield LabelBatch(number, np.concatenate(waiting))

    def _rows(self, chunks: Iterable[Chunk]) -> Iterator[Rows]:
        for chunk in chunks:
            self.fraction = chunk.fraction
            rows = self._chosen(chunk.rows)
            left = len(rows) if self.selection.most is None else self.selection.most - self.selected
            rows = rows[:left]
            self.selected += len(rows)
            yield rows
            if self.selected == self.selection.most:
                break
        self.fraction = 1.0

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
MS_IN_A_BATCH: Final = 500
"""Some tenths of a second: clearing the hash tables in between costs little, and a kill loses little."""

SMALLEST_BATCH: Final = 16
LARGEST_BATCH: Final = 512
BATCH_BY_DEPTH: Final = 64
"""With a depth limit, the time of a search is unknown."""

WINDOW: Final = 8
"""Batches for each worker that may start before the oldest is done: one that hangs stops the others only then."""


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
    def batch(self) -> int:
        return _batch_size(self.teaching.limits)

    @property
    def samples_path(self) -> Path:
        """The sample file that grows: `to`, or a file beside it that is converted at the end."""
        return self.to if self.to.suffix == ".samples" else self.to.with_name(f"{self.to.name}.samples")

    def card(self, teacher: str) -> dict[str, Any]:
        asked = self.teaching
        limits = {"depth": asked.limits.depth, "nodes": asked.limits.nodes, "movetime": asked.limits.movetime_ms}
        return {
            "teacher": teacher,
            "command": asked.command,
            "options": dict(asked.options),
            "limits": {name: number for name, number in limits.items() if number is not None},
            "independent": asked.independent,
            "batch": self.batch,
            **self.selection.as_json(),
        }


@dataclass(slots=True)
class LabelProgress:
    positions: int = 0
    nodes: int = 0
    failed: int = 0
    """Positions that the teacher failed at."""
    batches: int = 0
    kept: int = 0
    """Labels that were in the file before this session."""
    kept_nodes: int = 0
    unread: int = 0
    """Lines or games of the sources that cannot be read."""
    duplicates: int = 0
    over: int = 0
    """Positions without a legal move."""
    total: float = 0.0
    """Estimate of the positions at the end."""
    seconds: float = 0.0
    done: bool = False
    problems: list[str] = field(default_factory=list)
    """What was left out since the last report, and why."""

    def cursor(self) -> dict[str, Any]:
        counted = {name: getattr(self, name) for name in ("batches", "nodes", "failed")}
        whole = {name: getattr(self, name) for name in ("unread", "duplicates", "over")}
        return {**counted, "done": True, **whole} if self.done else counted

    @classmethod
    def of(cls, writer: SampleWriter) -> "LabelProgress":
        kept = writer.cursor or {}
        found = cls(positions=len(writer), kept=len(writer), kept_nodes=kept.get("nodes", 0), **kept)
        found.total = float(found.positions)
        return found


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
        with closing(writer), _run_of(config) as run:
            progress = LabelProgress.of(writer)
            watch(progress)
            if not progress.done:
                ahead = AHEAD if first.reads_ahead() else 0
                first.close()
                pool: _Workers | _ClusterWorkers
                if cluster is None:
                    pool = _Workers(config.teaching, workers or 1, ahead)
                else:
                    pool = _ClusterWorkers(config.teaching, cluster, workers, ahead)
                with closing(pool):
                    _label_rest(config, writer, progress, pool, partial(_report_progress, run, watch))
    if config.samples_path != config.to:
        write_samples(config.to, Samples.open(config.samples_path).blocks(), card=card)
    return progress


def _run_of(config: LabelConfig) -> Run:
    teaching = config.teaching
    folder, title = config.to.with_name(f"{config.to.name}.run"), config.to.name
    limits = {key: value for key, value in asdict(teaching.limits).items() if value}
    settings = {"engine": teaching.command, "limits": limits, "lines": teaching.lines}
    return Run.start(folder, "label", unit="positions", title=title, settings=settings)


def _report_progress(
    run: Run, watch: Callable[[LabelProgress], object], progress: LabelProgress, rows: NDArray[np.void]
) -> None:
    """After each batch: to the caller, and to the run folder."""
    watch(progress)
    new = progress.positions - progress.kept
    run.set_total(max(round(progress.total), progress.positions))
    run.log(progress.positions, positions_a_second=new / max(progress.seconds, 1e-3), left_out=progress.failed)
    if len(rows):
        position = unpack(rows[-1]["position"])
        run.sample(position, value_from_core(int(rows[-1]["value"]), position.turn), step=progress.positions)


def _label_rest(
    config: LabelConfig,
    writer: SampleWriter,
    progress: LabelProgress,
    pool: "_Workers | _ClusterWorkers",
    watch: Callable[[LabelProgress, NDArray[np.void]], object],
) -> None:
    skipped = SkippedSamples()
    selector = PositionSelector(config.selection)
    batches = selector.batches(read_positions(config.selection.sources, skipped), config.batch)
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
        watch(progress, rows)
    progress.done = True
    progress.problems = skipped.told
    progress.unread, progress.duplicates, progress.over = skipped.count, selector.duplicates, selector.over
    writer.commit(progress.cursor())


def _batch_size(limits: Limits) -> int:
    """Positions that take some tenths of a second, as far as the limits tell.

    >>> [_batch_size(Limits(nodes=nodes)) for nodes in (100, 2_000, 1_000_000)]
    [512, 125, 16]
    """
    if limits.nodes is not None:
        wanted = NODES_IN_A_BATCH // limits.nodes
    elif limits.movetime_ms is not None:
        wanted = MS_IN_A_BATCH // limits.movetime_ms
    else:
        wanted = BATCH_BY_DEPTH
    return min(max(wanted, SMALLEST_BATCH), LARGEST_BATCH)


def _samples(batch: LabelBatch, labelled: TeacherLabels, columns: Columns) -> NDArray[np.void]:
    rows = np.zeros(len(batch.rows), columns.dtype)
    for name in batch.rows.dtype.names or ():
        rows[name] = batch.rows[name]
    for name in ("value", "move", "nodes", "depth", *(["wdl"] if columns.wdl else [])):
        rows[name] = labelled.labels[name]
    if columns.lines:
        rows["lines"] = labelled.lines
    return rows[labelled.answered]


# --- Workers ----------------------------------------------------------------------------------------------------------


class _Workers:
    """Threads with one teacher each. They mostly wait for pipes, in C++ and without the GIL."""

    def __init__(self, teaching: TeacherSettings, count: int, ahead: int) -> None:
        self._teaching = teaching
        self._ahead = ahead
        self._tasks: queue.SimpleQueue[LabelBatch | None] = queue.SimpleQueue()
        self._finished: queue.SimpleQueue[tuple[LabelBatch, TeacherLabels] | Exception] = queue.SimpleQueue()
        self._teachers: list[Teacher] = []
        self._leaving = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def work(self, batches: Iterator[LabelBatch]) -> Iterator[tuple[LabelBatch, TeacherLabels]]:
        """Each batch with its labels, in order. Raises what a worker raised."""
        early: dict[int, tuple[LabelBatch, TeacherLabels]] = {}
        running: list[int] = []
        while True:
            while len(running) < WINDOW * len(self._threads) and (batch := next(batches, None)) is not None:
                self._tasks.put(batch)
                running.append(batch.number)
            if not running:
                return
            while running[0] not in early:
                outcome = self._wait()
                early[outcome[0].number] = outcome
            yield early.pop(running.pop(0))

    def close(self) -> None:
        """Stop the teachers, also those that are searching."""
        self._leaving = True
        for teacher in list(self._teachers):
            teacher.stop()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _wait(self) -> tuple[LabelBatch, TeacherLabels]:
        while True:
            try:
                outcome = self._finished.get(timeout=0.5)  # with a timeout, so that Ctrl-C works on every system
            except queue.Empty:
                continue
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

    def _serve(self) -> None:
        """The teacher must be ended by the thread that started it."""
        try:
            with Teacher(self._teaching, ahead=self._ahead) as teacher:
                self._teachers.append(teacher)
                while not self._leaving and (batch := self._tasks.get()) is not None:
                    self._finished.put((batch, teacher.label(batch.rows["position"])))
        except Exception as error:
            self._finished.put(error)


class _ClusterWorkers:
    """Tasks on a Ray cluster whose machines have okapi and the engine. The batches of a lost machine are done again."""

    def __init__(self, teaching: TeacherSettings, address: str, count: int | None, ahead: int) -> None:
        self._ray, self._joined = join(address)
        self._task = self._ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_label_there)
        self._teaching = self._ray.put(teaching)
        self._ahead = ahead
        self._most = count or WINDOW * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._running: deque[tuple[LabelBatch, Any]] = deque()

    def work(self, batches: Iterator[LabelBatch]) -> Iterator[tuple[LabelBatch, TeacherLabels]]:
        """Each batch with its labels, in order. Raises what a worker raised."""
        while True:
            while len(self._running) < self._most and (batch := next(batches, None)) is not None:
                self._running.append((batch, self._task.remote(self._teaching, self._ahead, batch.rows["position"])))
            if not self._running:
                return
            batch, answer = self._running[0]
            try:
                labels: TeacherLabels = self._ray.get(answer)
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause or error from None
            self._running.popleft()
            yield batch, labels

    def close(self) -> None:
        """Stop the tasks, and disconnect if the connection is ours."""
        for _, answer in self._running:
            self._ray.cancel(answer)
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
